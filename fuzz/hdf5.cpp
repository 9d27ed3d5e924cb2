/// HDF5. The library reads in a separate process, and may crash there. Its output, or its crash,
/// must end in a matrix or in a message of one line.

#include <pthread.h>
#include <sys/resource.h>

#include "fuzz/fuzzing.h"
#include "spca/data/readers/hdf5.h"

namespace {

/// Lets the child process write no file, because it would report its own crash as a finding. It
/// needs only its pipe.
void write_no_file() {
  const rlimit nothing{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_FSIZE, &nothing);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return pthread_atfork(nullptr, nullptr, write_no_file);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("input.h5", fuzz::text_of(data, size));
  fuzz::accepted([&] { fuzz::require_sound(read_hdf5(path, "")); });
  return 0;
}
