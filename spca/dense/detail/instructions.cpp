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

// Chosen by trial, not measured.
constexpr double kLeastFusedProducts = 1e5;

}  // namespace

bool may_use_fma() {
  static const bool result = has_fma() && !is_baseline_asked();
  return result;
}

bool uses_fma(Index rows, Index inner, Index columns) {
  return static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns) >=
             kLeastFusedProducts &&
         may_use_fma();
}

}  // namespace spca::detail
