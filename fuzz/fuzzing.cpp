#include "fuzz/fuzzing.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "spca/base/error.h"
#include "spca/data/content/file_content.h"

namespace spca::fuzz {
namespace {

/// Returns the folder of this process. It lies in TMPDIR, which scripts/fuzz removes, also after a
/// crash.
const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::filesystem::path own =
        std::filesystem::temp_directory_path() / ("spca_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(own);
    return own;
  }();
  return path;
}

bool same_bits(const double* a, const double* b, Index count) {
  return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}

bool same_numbers(const FileContent& a, const FileContent& b) {
  if ((a.sparse == nullptr) != (b.sparse == nullptr) || a.variable_names != b.variable_names) {
    return false;
  }
  if (a.sparse != nullptr) {
    return a.sparse->rows() == b.sparse->rows() && a.sparse->cols() == b.sparse->cols() &&
           a.sparse->nonZeros() == b.sparse->nonZeros() &&
           same_bits(a.sparse->valuePtr(), b.sparse->valuePtr(), a.sparse->nonZeros());
  }
  return a.dense.rows() == b.dense.rows() && a.dense.cols() == b.dense.cols() &&
         same_bits(a.dense.data(), b.dense.data(), a.dense.size());
}

void require_sound_rows(const SparseRows& rows) {
  require(rows.isCompressed(), "sparse rows are compressed");
  for (Index row = 0; row < rows.rows(); ++row) {
    int previous = -1;
    for (SparseRows::InnerIterator entry(rows, row); entry; ++entry) {
      require(entry.col() > previous && entry.col() < rows.cols(),
              "columns of a row ascend within the matrix");
      previous = static_cast<int>(entry.col());
    }
  }
}

}  // namespace

void require(bool holds, std::string_view claim) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(claim.size()), claim.data());
    std::abort();
  }
}

std::filesystem::path write_file(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = folder() / name;
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  require(file.good(), "the input can be written to a file");
  return path;
}

std::filesystem::path write_gzipped(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = folder() / name;
  const gzFile file = gzopen(path.c_str(), "wb1");  // the fastest level
  const bool is_written =
      bytes.empty() || gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) ==
                           static_cast<int>(bytes.size());
  require(gzclose(file) == Z_OK && is_written, "the input can be gzipped");
  return path;
}

bool accepted(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty(), "an error has a message");
    require(
        std::none_of(message.begin(), message.end(),
                     [](unsigned char character) { return character < ' ' || character == 127; }),
        "an error is one line that a terminal can show");
    return false;
  }
}

void require_sound(const FileContent& content) {
  if (content.genotypes != nullptr) {
    const Genotypes& genotypes = *content.genotypes;
    require(genotypes.samples >= 1 && std::ssize(genotypes.counts) == genotypes.variants &&
                std::ssize(content.variable_names) == genotypes.variants,
            "every variant has counts and a name");
    return;
  }
  const bool is_sparse = content.sparse != nullptr;
  require(!is_sparse || content.dense.size() == 0, "a matrix is dense or sparse, not both");
  const Index rows = is_sparse ? content.sparse->rows() : content.dense.rows();
  const Index columns = is_sparse ? content.sparse->cols() : content.dense.cols();
  require(rows >= 1 && columns >= 1, "a matrix has at least one row and one column");
  require(content.variable_names.empty() ||
              static_cast<Index>(content.variable_names.size()) == columns,
          "every column has a name, or none has");
  if (is_sparse) {
    require_sound_rows(*content.sparse);
  }
}

void read_both_ways(const std::string& name, std::string_view bytes,
                    FileContent (*read)(const std::filesystem::path&)) {
  FileContent plain;
  const std::filesystem::path path = write_file(name, bytes);
  const bool is_accepted = accepted([&] { plain = read(path); });
  if (is_accepted) {
    require_sound(plain);
  }
  FileContent unpacked;
  const std::filesystem::path packed = write_gzipped(name + ".gz", bytes);
  const bool is_accepted_packed = accepted([&] { unpacked = read(packed); });
  // If the bytes are gzip data themselves, the two may differ: the plain file is then unpacked to
  // its text, the gzipped one only to these bytes.
  const bool is_gzip = bytes.starts_with("\x1f\x8b");
  require(is_gzip || is_accepted == is_accepted_packed, "plain and gzipped end alike");
  require(is_gzip || !is_accepted || same_numbers(plain, unpacked),
          "plain and gzipped hold the same numbers");
}

}  // namespace spca::fuzz
