#include "harness/peers/peer_files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// A file that is written from beginning to end. Its messages leave out the folder, whose name
/// differs between runs, because a record must not depend on it.
class Output {
 public:
  explicit Output(const fs::path& path)
      : name_(path.filename()), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) {
    if (!file_.is_open()) {
      throw_file_error(name_, "cannot be written", errno);
    }
  }
  void write(std::string_view bytes) { write_all(file_, name_, bytes); }

 private:
  fs::path name_;
  FileDescriptor file_;
};

/// A matrix to be written, which is read a block of columns at a time.
struct Source {
  Index rows = 0;
  Index columns = 0;
  bool is_symmetric = false;
  std::function<Matrix(Index first, Index count)> read;
};

Source covariance_source(const Covariance& covariance) {
  const Index p = covariance.variables();
  return {.rows = p, .columns = p, .is_symmetric = true, .read = [&](Index first, Index count) {
            Support support(static_cast<std::size_t>(count));
            std::iota(support.begin(), support.end(), first);
            return covariance.columns(support);
          }};
}

Source data_source(const Covariance& covariance) {
  return {.rows = covariance.samples(),
          .columns = covariance.variables(),
          .read = [&](Index first, Index count) {
            Matrix block(covariance.samples(), count);
            for (Index j = 0; j < count; ++j) {
              block.col(j) =
                  covariance.data_product({.support = {first + j}, .values = Vector::Ones(1)});
            }
            return block;
          }};
}

Source root_source(const Covariance& covariance) {
  const Source whole = covariance_source(covariance);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(whole.read(0, whole.columns));
  const Vector roots = pairs.values.cwiseMax(0).cwiseSqrt();
  auto root = std::make_shared<Matrix>(
      product_transposed(scaled_columns(pairs.vectors, roots), pairs.vectors));
  return {.rows = whole.rows,
          .columns = whole.columns,
          .is_symmetric = true,
          .read = [root](Index first, Index count) -> Matrix {
            return root->middleCols(first, count);
          }};
}

/// Calls `use` with one block of columns after the other. A block takes a few MB, so that little
/// memory is needed in addition to S itself.
void for_each_block(const Source& source,
                    const std::function<void(const Matrix& block, Index first)>& use) {
  constexpr Index kNumbersOfABlock = 1 << 19;
  const Index width = std::max<Index>(1, kNumbersOfABlock / std::max<Index>(source.rows, 1));
  for (Index first = 0; first < source.columns; first += width) {
    use(source.read(first, std::min(width, source.columns - first)), first);
  }
}

void write_npy(const Source& source, const fs::path& path) {
  // The format of numpy.lib.format: magic, version 1.0, length of the header, and a header that
  // ends in a line feed. The header is padded so that all of these take a multiple of 64 bytes.
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': True, 'shape': ({}, {}), }}",
                                   source.rows, source.columns);
  constexpr std::size_t kPrefix = 10;
  constexpr std::size_t kAlignment = 64;
  while ((kPrefix + header.size() + 1) % kAlignment != 0) {
    header += ' ';
  }
  header += '\n';
  Output out(path);
  out.write(std::string_view("\x93NUMPY\x01\x00", 8));
  const char length[2] = {static_cast<char>(header.size() % 256),
                          static_cast<char>(header.size() / 256)};
  out.write({length, sizeof length});
  out.write(header);
  for_each_block(source, [&](const Matrix& block, Index) {
    out.write({reinterpret_cast<const char*>(block.data()),
               static_cast<std::size_t>(block.size()) * sizeof(double)});
  });
}

/// Visits the nonzeros; for a symmetric matrix only those of the lower triangle.
void for_each_entry(const Source& source, const std::function<void(Index, Index, double)>& use) {
  for_each_block(source, [&](const Matrix& block, Index first) {
    for (Index j = 0; j < block.cols(); ++j) {
      for (Index i = source.is_symmetric ? first + j : 0; i < block.rows(); ++i) {
        if (block(i, j) != 0) {
          use(i, first + j, block(i, j));
        }
      }
    }
  });
}

void write_matrix_market(const Source& source, Index entries, const fs::path& path) {
  Output out(path);
  out.write(fmt::format("%%MatrixMarket matrix coordinate real {}\n{} {} {}\n",
                        source.is_symmetric ? "symmetric" : "general", source.rows, source.columns,
                        entries));
  fmt::memory_buffer lines;
  for_each_entry(source, [&](Index i, Index j, double value) {
    constexpr std::size_t kBytes = 1 << 16;
    fmt::format_to(std::back_inserter(lines), "{} {} {}\n", i + 1, j + 1, value);
    if (lines.size() > kBytes) {
      out.write({lines.data(), lines.size()});
      lines.clear();
    }
  });
  out.write({lines.data(), lines.size()});
}

}  // namespace

WrittenMatrix write_peer_matrix(const Covariance& covariance, PeerMatrix matrix, PeerFormat format,
                                const fs::path& folder) {
  const bool is_data = matrix == PeerMatrix::kData;
  const bool is_npy = format == PeerFormat::kNpy;
  const bool is_root = is_data && !covariance.has_data_form();
  const Index p = covariance.variables();
  WrittenMatrix written;
  if (is_root && p > kLargestPeerRoot) {
    written.too_large = fmt::format(
        "the peer takes data, and for S itself its square root is written only up to p = {}, not "
        "{}",
        kLargestPeerRoot, p);
    return written;
  }
  const auto refuse = [&](Index rows, Index columns, const std::string& entries) {
    written.too_large = fmt::format(
        "the peer's matrix of {} x {} has {}more than the {} numbers that are written to a file",
        rows, columns, entries, kLargestPeerMatrix);
    return written;
  };
  const Index rows = is_data && !is_root ? covariance.samples() : p;
  if (is_npy && rows > kLargestPeerMatrix / p) {
    return refuse(rows, p, "");
  }
  const Source source = !is_data  ? covariance_source(covariance)
                        : is_root ? root_source(covariance)
                                  : data_source(covariance);
  written.rows = source.rows;
  written.columns = source.columns;
  written.file = folder / (is_npy ? "matrix.npy" : "matrix.mtx");
  if (is_npy) {
    write_npy(source, written.file);
    return written;
  }
  // The head of the file contains the number of entries. They are counted in a separate pass, so
  // that they need not be stored.
  Index entries = 0;
  for_each_entry(source, [&](Index, Index, double) { ++entries; });
  if (entries > kLargestPeerMatrix) {
    return refuse(source.rows, source.columns, fmt::format("{} nonzeros, ", entries));
  }
  write_matrix_market(source, entries, written.file);
  return written;
}

}  // namespace spca
