#include "spca/dense/detail/instructions.h"

#include <cstdlib>
#include <string_view>

namespace spca::detail {
namespace {

bool has_fma() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool is_baseline_asked() {
  const char* wanted = std::getenv("SPCA_INSTRUCTIONS");
  return wanted != nullptr && std::string_view(wanted) == "baseline";
}

}  // namespace

bool may_use_fma() {
  static const bool result = has_fma() && !is_baseline_asked();
  return result;
}

}  // namespace spca::detail
