#include "harness/records/build_facts.h"

namespace spca {

namespace {

#ifdef __OPTIMIZE__
constexpr bool kIsOptimised = true;
#else
constexpr bool kIsOptimised = false;
#endif

}  // namespace

BuildFacts build_facts() {
  return {.version = SPCA_VERSION,
          .compiler = SPCA_COMPILER,
          .flags = SPCA_COMPILE_FLAGS,
          .build_type = SPCA_BUILD_TYPE,
          .is_optimised = kIsOptimised};
}

}  // namespace spca
