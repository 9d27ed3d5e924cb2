#pragma once

namespace spca {

inline constexpr double kBytesOfAMegabyte = 1e6;

}  // namespace spca
