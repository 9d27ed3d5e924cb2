#pragma once

#include <memory>

namespace spca {

/// Returns a shared pointer that does not own `object`. The caller must keep the object alive until
/// the last copy of the pointer is gone.
template <class T>
std::shared_ptr<T> borrowed(T& object) {
  return std::shared_ptr<T>(std::shared_ptr<T>(), &object);
}

}  // namespace spca
