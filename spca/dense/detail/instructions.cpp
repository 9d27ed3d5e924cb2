#include "spca/dense/detail/instructions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "spca/base/error.h"

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
  const char* variable = std::getenv("SPCA_INSTRUCTIONS");
  const std::string_view wanted = variable == nullptr ? "" : variable;
  if (!wanted.empty() && wanted != "baseline") {
    throw InputError(
        fmt::format("SPCA_INSTRUCTIONS: found \"{}\"; accepted: baseline, or nothing", wanted));
  }
  return wanted == "baseline";
}

// Chosen by trial, not measured.
constexpr double kLeastFusedProducts = 1e5;

}  // namespace

bool may_use_fma() {
  static const bool result = !is_baseline_asked() && has_fma();
  return result;
}

bool uses_fma(Index rows, Index inner, Index columns) {
  return static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns) >=
             kLeastFusedProducts &&
         may_use_fma();
}

}  // namespace spca::detail
