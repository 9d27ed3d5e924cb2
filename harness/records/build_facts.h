#pragma once

namespace spca {

/// What CMake knows of this build. Its macros stand in one small file, because a file with macros of
/// its own is compiled alone.
struct BuildFacts {
  const char* version;
  const char* compiler;
  const char* flags;
  const char* build_type;
};
BuildFacts build_facts();

}  // namespace spca
