#include "spca/data/readers/hdf5_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/compressed_arrays.h"
#include "spca/data/readers/hdf5_layouts.h"
#include "spca/data/readers/ten_x_names.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// At most this number of values in a message: 8 MB.
constexpr hsize_t kNumbersTogether = hsize_t{1} << 20;

[[noreturn]] void refuse_hdf5(const std::string& what) { throw InputError(what); }

class Sender {
 public:
  explicit Sender(int out) : out_(out) {}

  void send(Hdf5MessageKind kind, const void* bytes, std::size_t size) const {
    const Hdf5MessageHeader header{.kind = kind, .unused = 0, .bytes = size};
    write({reinterpret_cast<const char*>(&header), sizeof header});
    write({static_cast<const char*>(bytes), size});
  }
  void send(Hdf5MessageKind kind, const std::string& text) const {
    send(kind, text.data(), std::min<std::size_t>(text.size(), kLargestHdf5Message));
  }

 private:
  void write(std::string_view bytes) const {
    if (try_write_all(out_, bytes) != 0) {
      std::_Exit(0);  // the receiver is gone
    }
  }
  int out_;
};

/// Sends the lines first_line ... last_line - 1 of the first dimension, several at a time. If the
/// data set has chunks and `first_line` begins one, whole chunks are read, and each is unpacked
/// once.
template <class Number>
void send_numbers(const NumberSet& set, hid_t type, Hdf5MessageKind kind, const Sender& sender,
                  hsize_t first_line = 0, hsize_t last_line = std::numeric_limits<hsize_t>::max()) {
  last_line = std::min(last_line, set.sizes[0]);
  hsize_t line = 1;
  for (std::size_t d = 1; d < set.sizes.size(); ++d) {
    line *= set.sizes[d];
  }
  if (line == 0 || set.sizes[0] == 0) {
    return;
  }
  hsize_t lines = std::max<hsize_t>(kNumbersTogether / line, 1);
  lines = std::min(std::max(lines / set.chunk_lines, hsize_t{1}) * set.chunk_lines, set.sizes[0]);
  std::vector<Number> numbers(lines * line);
  const Hdf5Handle space(H5Dget_space(set.set));
  std::vector<hsize_t> begin(set.sizes.size(), 0);
  std::vector<hsize_t> count = set.sizes;
  for (begin[0] = first_line; begin[0] < last_line; begin[0] += count[0]) {
    count[0] = std::min(lines, last_line - begin[0]);
    const hsize_t items = count[0] * line;
    const Hdf5Handle memory(H5Screate_simple(1, &items, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr);
    if (H5Dread(set.set, type, memory, space, H5P_DEFAULT, numbers.data()) < 0) {
      refuse_hdf5(
          fmt::format("{} cannot be read, so that the file is damaged; accepted: a file that "
                      "h5dump reads",
                      in_quotes(set.name)));
    }
    for (hsize_t i = 0; i < items; i += kNumbersTogether) {
      const hsize_t part = std::min(kNumbersTogether, items - i);
      sender.send(kind, numbers.data() + i, part * sizeof(Number));
    }
  }
}

Hdf5Layout layout_of(hid_t file, const Hdf5Matrix& matrix) {
  switch (matrix.kind) {
    case Hdf5Kind::kPlain:
      return Hdf5Layout::kDense;
    case Hdf5Kind::kLoom:
    case Hdf5Kind::kMatlab:
      return Hdf5Layout::kDenseColumns;
    case Hdf5Kind::kTenX:  // genes x cells by columns is cells x genes by rows
      return Hdf5Layout::kRows;
    case Hdf5Kind::kMatlabSparse:
      return Hdf5Layout::kColumns;
    case Hdf5Kind::kAnnData:
      break;
  }
  const bool is_by_rows = text_attribute(file, matrix.path, "encoding-type") == "csr_matrix" ||
                          text_attribute(file, matrix.path, "h5sparse_format") == "csr";
  return is_by_rows ? Hdf5Layout::kRows : Hdf5Layout::kColumns;
}

/// The paths of the three arrays of a sparse matrix.
struct SparseParts {
  std::string values, indices, starts;
};

SparseParts parts_of(hid_t file, const Hdf5Matrix& matrix) {
  const bool is_matlab = matrix.kind == Hdf5Kind::kMatlabSparse;
  const SparseParts parts = {.values = matrix.path + "/data",
                             .indices = matrix.path + (is_matlab ? "/ir" : "/indices"),
                             .starts = matrix.path + (is_matlab ? "/jc" : "/indptr")};
  for (const std::string& part : {parts.values, parts.indices, parts.starts}) {
    if (!is_hdf5_set(file, part)) {
      refuse_hdf5(fmt::format("{} has no data set {}; accepted: {}", in_quotes(matrix.path),
                              in_quotes(part.substr(matrix.path.size() + 1)),
                              is_matlab ? "data, ir and jc" : "data, indices and indptr"));
    }
  }
  return parts;
}

/// Returns n and p.
std::vector<std::int64_t> shape_of(hid_t file, const Hdf5Matrix& matrix) {
  if (matrix.kind == Hdf5Kind::kTenX) {
    const std::vector<std::int64_t> shape = NumberSet(file, matrix.path + "/shape").whole_numbers();
    if (shape.size() != 2) {
      refuse_hdf5(fmt::format("{} has a shape of {} numbers; accepted: genes and cells",
                              in_quotes(matrix.path), shape.size()));
    }
    return {shape[1], shape[0]};
  }
  if (matrix.kind == Hdf5Kind::kMatlabSparse) {
    const NumberSet starts(file, matrix.path + "/jc");
    starts.check_numbers(1, Accepted::kWhole);
    return {whole_attribute(file, matrix.path, "MATLAB_sparse", 1)[0],
            static_cast<std::int64_t>(starts.sizes[0]) - 1};
  }
  for (const char* name : {"shape", "h5sparse_shape"}) {
    if (std::vector<std::int64_t> shape = whole_attribute(file, matrix.path, name, 2);
        !shape.empty()) {
      return shape;
    }
  }
  refuse_hdf5(
      fmt::format("{} has no attribute shape of two integers; accepted: a sparse matrix as "
                  "AnnData writes it",
                  in_quotes(matrix.path)));
}

void send_shape(const Hdf5Shape& shape, const Sender& sender) {
  sender.send(Hdf5MessageKind::kShape, &shape, sizeof shape);
}

void send_sparse(hid_t file, const Hdf5Matrix& matrix, const RowShare& share,
                 const Sender& sender) {
  const Hdf5Layout layout = layout_of(file, matrix);
  const SparseParts parts = parts_of(file, matrix);
  const std::vector<std::int64_t> shape = shape_of(file, matrix);
  const NumberSet values(file, parts.values);
  const NumberSet indices(file, parts.indices);
  const NumberSet starts(file, parts.starts);
  values.check_numbers(1, Accepted::kWholeOrFloating);
  indices.check_numbers(1, Accepted::kWhole);
  starts.check_numbers(1, Accepted::kWhole);
  check_sparse_shape(shape[0], shape[1], static_cast<std::int64_t>(values.sizes[0]));
  send_shape({.layout = layout, .unused = 0, .n = shape[0], .p = shape[1]}, sender);
  send_numbers<std::int64_t>(starts, H5T_NATIVE_INT64, Hdf5MessageKind::kStarts, sender);
  EntryRange range = {.first = 0, .last = static_cast<std::int64_t>(values.sizes[0])};
  const RowRange held = share.of(shape[0]);
  if (layout == Hdf5Layout::kRows && !share.is_all()) {
    range = entries_of_rows(starts.whole_numbers(), shape[0], range.last, held);
  }
  const auto first = static_cast<hsize_t>(range.first);
  const auto last = static_cast<hsize_t>(range.last);
  send_numbers<std::int64_t>(indices, H5T_NATIVE_INT64, Hdf5MessageKind::kIndices, sender, first,
                             last);
  send_numbers<double>(values, H5T_NATIVE_DOUBLE, Hdf5MessageKind::kValues, sender, first, last);
}

void send_dense(hid_t file, const Hdf5Matrix& matrix, const RowShare& share, const Sender& sender) {
  const NumberSet set(file, matrix.path);
  set.check_numbers(2, Accepted::kWholeOrFloating);
  if (set.sizes[0] < 1 || set.sizes[1] < 1) {
    refuse_hdf5(fmt::format("{} is {} x {}; accepted: at least one of each", in_quotes(matrix.path),
                            set.sizes[0], set.sizes[1]));
  }
  const Hdf5Layout layout = layout_of(file, matrix);
  const auto lines = static_cast<std::int64_t>(set.sizes[0]);
  const auto others = static_cast<std::int64_t>(set.sizes[1]);
  const bool is_by_rows = layout == Hdf5Layout::kDense;
  send_shape({.layout = layout,
              .unused = 0,
              .n = is_by_rows ? lines : others,
              .p = is_by_rows ? others : lines},
             sender);
  const RowRange held = is_by_rows ? share.of(lines) : RowRange{.first = 0, .last = lines};
  send_numbers<double>(set, H5T_NATIVE_DOUBLE, Hdf5MessageKind::kValues, sender,
                       static_cast<hsize_t>(held.first), static_cast<hsize_t>(held.last));
}

void send_names(hid_t file, const std::vector<std::string>& places, Hdf5MessageKind kind,
                const Sender& sender) {
  for (const std::string& place : places) {
    const std::vector<std::string> names = texts_at(file, place);
    for (const std::string& name : names) {
      sender.send(kind, name);
    }
    if (!names.empty()) {
      return;
    }
    if (is_hdf5_set(file, place) || is_hdf5_group(file, place)) {
      sender.send(Hdf5MessageKind::kNote,
                  fmt::format("has names at {} that are not text, and are left out", place));
    }
  }
}

void send_matrix(const std::filesystem::path& path, const std::string& wanted,
                 const RowShare& share, const Sender& sender) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by this program
  // The default driver resolves symbolic links, and the copy of a pipe has no name.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (path.string().starts_with("/proc/")) {
    H5Pset_fapl_stdio(access);
  }
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  if (!file.is_open()) {
    refuse_hdf5(
        "cannot be opened as HDF5: it is truncated, damaged or of another format; accepted: a "
        "file that h5dump reads");
  }
  const Hdf5Matrix matrix = choose_hdf5_matrix(file, wanted);
  if (is_hdf5_set(file, matrix.path)) {
    send_dense(file, matrix, share, sender);
  } else {
    send_sparse(file, matrix, share, sender);
  }
  if (matrix.kind == Hdf5Kind::kTenX || matrix.kind == Hdf5Kind::kLoom) {
    sender.send(Hdf5MessageKind::kNote,
                fmt::format("holds genes x cells, as {} writes them, and is read as one sample for "
                            "each cell and one variable for each gene",
                            matrix.kind == Hdf5Kind::kTenX ? "10x Genomics" : "loom"));
  }
  if (matrix.kind == Hdf5Kind::kTenX) {
    const std::string note =
        feature_types_note(texts_at(file, matrix.path + "/features/feature_type"));
    if (!note.empty()) {
      sender.send(Hdf5MessageKind::kNote, note);
    }
  }
  const Hdf5Names names = names_beside(file, matrix);
  send_names(file, names.of_variables, Hdf5MessageKind::kName, sender);
  send_names(file, names.of_samples, Hdf5MessageKind::kSampleName, sender);
  sender.send(Hdf5MessageKind::kEnd, "");
}

}  // namespace

void send_hdf5(const std::filesystem::path& path, const std::string& matrix, const RowShare& share,
               int out) noexcept {
  const Sender sender(out);
  std::signal(SIGPIPE, SIG_IGN);
  // Files on network disks cannot always be locked, and reading needs no lock.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
  try {
    send_matrix(path, matrix, share, sender);
  } catch (const InputError& error) {
    sender.send(Hdf5MessageKind::kError, error.what());
  } catch (const std::bad_alloc&) {
    sender.send(Hdf5MessageKind::kError, "does not fit into memory");
  }
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace spca
