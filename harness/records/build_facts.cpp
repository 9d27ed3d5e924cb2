#include "harness/records/build_facts.h"

namespace spca {

BuildFacts build_facts() {
  return {.version = SPCA_VERSION,
          .compiler = SPCA_COMPILER,
          .flags = SPCA_COMPILE_FLAGS,
          .build_type = SPCA_BUILD_TYPE};
}

}  // namespace spca
