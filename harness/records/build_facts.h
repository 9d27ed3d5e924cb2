#pragma once

namespace spca {

/// Facts about this build; all but the last come from CMake. They have a small file of their own,
/// because a source file with its own macros is compiled apart from the others.
struct BuildFacts {
  const char* version;
  const char* compiler;
  const char* flags;
  const char* build_type;
  bool is_optimised;  // true if the compiler optimised, even if only for debugging (-Og)
};
BuildFacts build_facts();

}  // namespace spca
