#pragma once

namespace spca {

/// Facts about this build, from CMake. They have a small file of their own, because a file
/// with its own macros is compiled apart from the others.
struct BuildFacts {
  const char* version;
  const char* compiler;
  const char* flags;
  const char* build_type;
  bool is_optimised;  // the compiler optimised, if only for debugging
};
BuildFacts build_facts();

}  // namespace spca
