#pragma once

#include <cstddef>
#include <functional>

namespace spca {

/// Calls work(0) ... work(count - 1), each once, on up to `threads` threads. The calling thread is
/// one of them. If calls throw, the exception of the lowest index is thrown again after all threads
/// have ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace spca
