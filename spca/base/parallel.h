#pragma once

#include <cstddef>
#include <functional>

namespace spca {

/// Calls work(0) ... work(count - 1), each once, on up to `threads` threads, this one among them.
/// The first exception, by index, is thrown again once all have ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace spca
