#include "spca/data/readers/hdf5_process.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/byte_source.h"
#include "spca/data/readers/compressed_arrays.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// Numbers of a message: 8 MB.
constexpr hsize_t kNumbersTogether = hsize_t{1} << 20;
/// Names that an error lists.
constexpr std::size_t kMostListed = 20;
constexpr std::size_t kLongestName = 1 << 16;

/// An identifier of the library that is closed with its owner.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() {
    if (id_ >= 0 && H5Iis_valid(id_) > 0) {
      H5Idec_ref(id_);
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // as the library's functions take it
  bool is_open() const { return id_ >= 0; }

 private:
  hid_t id_;
};

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
      std::_Exit(0);  // nobody listens
    }
  }
  int out_;
};

[[noreturn]] void refuse_hdf5(const std::string& what) { throw InputError(what); }

/// The data set `path`, opened, with its sizes and the class of its numbers.
struct NumberSet {
  NumberSet(hid_t file, const std::string& path)
      : name(path), set(H5Dopen2(file, path.c_str(), H5P_DEFAULT)) {
    if (!set.is_open()) {
      refuse_hdf5(fmt::format("{} cannot be opened; accepted: a data set", in_quotes(path)));
    }
    const Handle type(H5Dget_type(set));
    kind = H5Tget_class(type);
    item_bytes = H5Tget_size(type);
    const Handle space(H5Dget_space(set));
    const int dimensions = H5Sget_simple_extent_ndims(space);
    sizes.resize(static_cast<std::size_t>(std::max(dimensions, 0)));
    if (!sizes.empty()) {
      H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    }
    const Handle creation(H5Dget_create_plist(set));
    is_filtered = H5Pget_nfilters(creation) > 0;
    check_filters(creation);
    if (H5Pget_layout(creation) == H5D_CHUNKED && !sizes.empty()) {
      std::vector<hsize_t> chunk(sizes.size(), 1);
      H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
      chunk_lines = std::max<hsize_t>(chunk[0], 1);
    }
  }

  /// Throws unless all numbers are in the file. A short file may announce any size.
  void check_stored() const {
    const hsize_t stored = H5Dget_storage_size(set);
    const hsize_t possible = (is_filtered ? stored * kLargestDeflateRatio : stored) /
                             std::max<std::size_t>(item_bytes, 1);
    hsize_t count = 1;
    for (const hsize_t size : sizes) {
      if (size > 0 && count > possible / size) {
        refuse_hdf5(
            fmt::format("{} announces {} numbers and has {} bytes; accepted: a data set of "
                        "which every part was written",
                        in_quotes(name), fmt::join(sizes, " x "), stored));
      }
      count *= size;
    }
  }

  void check_filters(hid_t creation) const {
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      char filter[64] = "";
      const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                             nullptr, sizeof filter, filter, nullptr);
      if (id < 0 || H5Zfilter_avail(id) <= 0) {
        refuse_hdf5(
            fmt::format("{} is packed by {} (filter {}), which libhdf5 lacks here; accepted: "
                        "gzip, szip, or none",
                        in_quotes(name), in_quotes(filter), id));
      }
    }
  }

  const std::string name;
  const Handle set;
  H5T_class_t kind = H5T_NO_CLASS;
  std::size_t item_bytes = 1;
  std::vector<hsize_t> sizes;
  bool is_filtered = false;
  hsize_t chunk_lines = 1;  // of the first dimension
};

const char* class_name(H5T_class_t kind) {
  switch (kind) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "records";
    case H5T_ENUM:
      return "booleans or other enumerated values";
    default:
      return "something else";
  }
}

void check_numbers(const NumberSet& set, std::size_t dimensions, bool is_whole) {
  const bool is_number = set.kind == H5T_INTEGER || (set.kind == H5T_FLOAT && !is_whole);
  if (!is_number) {
    refuse_hdf5(fmt::format("{} holds {}; accepted: {}", in_quotes(set.name),
                            set.kind == H5T_FLOAT ? "floating point numbers" : class_name(set.kind),
                            is_whole ? "integers" : "integers or floating point numbers"));
  }
  if (set.sizes.size() != dimensions) {
    refuse_hdf5(fmt::format("{} has {} dimensions; accepted: {}", in_quotes(set.name),
                            set.sizes.size(), dimensions == 2 ? "2, samples and variables" : "1"));
  }
  set.check_stored();
}

/// Sends the numbers some lines of the first dimension at a time, whole chunks if the data set has
/// any: each chunk is unpacked once.
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
  const Handle space(H5Dget_space(set.set));
  std::vector<hsize_t> begin(set.sizes.size(), 0);
  std::vector<hsize_t> count = set.sizes;
  for (begin[0] = first_line; begin[0] < last_line; begin[0] += count[0]) {
    count[0] = std::min(lines, last_line - begin[0]);
    const hsize_t items = count[0] * line;
    const Handle memory(H5Screate_simple(1, &items, nullptr));
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

bool is_object(hid_t file, const std::string& path, H5I_type_t wanted) {
  // Each group on the way must be asked for, because the library prints no answer for a gap.
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) {
      return false;
    }
  }
  if (path != "/" && H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) {
    return false;
  }
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT));
  return object.is_open() && H5Iget_type(object) == wanted;
}

/// The text of an attribute of one text, or "".
std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) {
    return "";
  }
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute));
  const Handle space(H5Aget_space(attribute));
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) {
    return "";
  }
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    std::string result;
    if (H5Aread(attribute, type, &text) >= 0 && text != nullptr) {
      result.assign(text, ::strnlen(text, kLongestName));
      H5free_memory(text);
    }
    return result;
  }
  std::string text(std::min(H5Tget_size(type), kLongestName), '\0');
  if (text.size() != H5Tget_size(type) || H5Aread(attribute, type, text.data()) < 0) {
    return "";
  }
  return text.substr(0, text.find('\0'));
}

/// The two numbers of the attribute that says a sparse matrix's shape.
std::vector<std::int64_t> shape_attribute(hid_t group) {
  for (const char* name : {"shape", "h5sparse_shape"}) {
    if (H5Aexists(group, name) > 0) {
      const Handle attribute(H5Aopen(group, name, H5P_DEFAULT));
      const Handle type(H5Aget_type(attribute));
      const Handle space(H5Aget_space(attribute));
      std::vector<std::int64_t> shape(2, 0);
      if (H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 2 &&
          H5Aread(attribute, H5T_NATIVE_INT64, shape.data()) >= 0) {
        return shape;
      }
    }
  }
  return {};
}

std::vector<std::string> members_of(hid_t file, const std::string& group) {
  std::vector<std::string> names;
  const Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT));
  H5G_info_t info{};
  if (!opened.is_open() || H5Gget_info(opened, &info) < 0) {
    return names;
  }
  for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, kMostListed); ++i) {
    char name[256] = "";
    if (H5Lget_name_by_idx(opened, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                           H5P_DEFAULT) > 0) {
      names.emplace_back(name);
    }
  }
  return names;
}

bool has_two_dimensions(hid_t file, const std::string& path) {
  const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
  const Handle space(set.is_open() ? H5Dget_space(set) : H5I_INVALID_HID);
  return space.is_open() && H5Sget_simple_extent_ndims(space) == 2;
}

/// Adds the matrices in a group and below, each as its path without the / at its beginning. A link
/// may lead back to a group above: so it goes down to some depth alone.
void add_matrices(hid_t file, const std::string& group, int depth,
                  std::vector<std::string>& matrices) {
  for (const std::string& name : members_of(file, group.empty() ? "/" : group)) {
    const std::string path = group + "/" + name;
    const bool is_group = is_object(file, path, H5I_GROUP);
    if (matrices.size() == kMostListed) {
      return;
    }
    if (is_group && is_object(file, path + "/indptr", H5I_DATASET)) {
      matrices.push_back(path.substr(1));
    } else if (is_group && depth > 0) {
      add_matrices(file, path, depth - 1, matrices);
    } else if (is_object(file, path, H5I_DATASET) && has_two_dimensions(file, path)) {
      matrices.push_back(path.substr(1));
    }
  }
}

/// All matrices. `place` is the file, or an object in it.
std::vector<std::string> matrices_in(hid_t place) {
  constexpr int kDepth = 3;
  std::vector<std::string> matrices;
  add_matrices(place, "", kDepth, matrices);
  return matrices;
}

/// What an error offers.
std::string offered(hid_t place) {
  const std::vector<std::string> matrices = matrices_in(place);
  return matrices.empty() ? "a file with a matrix"
                          : fmt::format("FILE:MATRIX, where MATRIX is one of {}", join(matrices));
}

/// The path of the matrix in the file, beginning with /.
std::string choose_matrix(hid_t file, const std::string& wanted) {
  if (!wanted.empty()) {
    const std::string path = wanted.starts_with('/') ? wanted : "/" + wanted;
    if (!is_object(file, path, H5I_DATASET) && !is_object(file, path, H5I_GROUP)) {
      refuse_hdf5(fmt::format("is not in the file; accepted: {}", offered(file)));
    }
    return path;
  }
  if (is_object(file, "/X", H5I_DATASET) || is_object(file, "/X", H5I_GROUP)) {
    return "/X";
  }
  // Beside a matrix often stand its labels, which have one dimension.
  std::vector<std::string> matrices;
  std::vector<std::string> others;
  for (const std::string& name : members_of(file, "/")) {
    if (is_object(file, "/" + name, H5I_DATASET)) {
      (has_two_dimensions(file, "/" + name) ? matrices : others).push_back(name);
    }
  }
  if (matrices.size() == 1) {
    return "/" + matrices[0];
  }
  if (matrices.empty() && others.size() == 1 && matrices_in(file).empty()) {
    return "/" + others[0];  // which is refused for what it is
  }
  refuse_hdf5(fmt::format("has no X and {} matrices at its top; accepted: {}", matrices.size(),
                          offered(file)));
}

Hdf5Layout sparse_layout(hid_t group, const std::string& path) {
  const std::string encoding = text_attribute(group, "encoding-type");
  const std::string format = text_attribute(group, "h5sparse_format");
  if (encoding == "csr_matrix" || format == "csr") {
    return Hdf5Layout::kRows;
  }
  if (encoding == "csc_matrix" || format == "csc") {
    return Hdf5Layout::kColumns;
  }
  refuse_hdf5(fmt::format(
      "{} is a group with the encoding-type {}; accepted: csr_matrix, csc_matrix, or {}",
      in_quotes(path), in_quotes(encoding), offered(group)));
}

/// The starts of a CSR matrix, to know which entries the chosen rows have.
std::vector<std::int64_t> read_starts(const NumberSet& set) {
  std::vector<std::int64_t> starts(set.sizes[0]);
  if (H5Dread(set.set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, starts.data()) < 0) {
    refuse_hdf5(
        fmt::format("{} cannot be read; accepted: a file that h5dump reads", in_quotes(set.name)));
  }
  return starts;
}

void send_sparse(hid_t file, const std::string& path, const RowShare& share, const Sender& sender) {
  const Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
  const Hdf5Layout layout = sparse_layout(group, path);
  const std::vector<std::int64_t> shape = shape_attribute(group);
  if (shape.size() != 2) {
    refuse_hdf5(
        fmt::format("{} has no attribute shape of two integers; accepted: a sparse matrix as "
                    "AnnData writes it",
                    in_quotes(path)));
  }
  for (const char* part : {"/data", "/indices", "/indptr"}) {
    if (!is_object(file, path + part, H5I_DATASET)) {
      refuse_hdf5(fmt::format("{} has no data set {}; accepted: data, indices and indptr",
                              in_quotes(path), in_quotes(part + 1)));
    }
  }
  const NumberSet values(file, path + "/data");
  const NumberSet indices(file, path + "/indices");
  const NumberSet starts(file, path + "/indptr");
  check_numbers(values, 1, false);
  check_numbers(indices, 1, true);
  check_numbers(starts, 1, true);
  check_sparse_shape(shape[0], shape[1], static_cast<std::int64_t>(values.sizes[0]));
  const Hdf5Shape sent{.layout = layout, .unused = 0, .n = shape[0], .p = shape[1]};
  sender.send(Hdf5MessageKind::kShape, &sent, sizeof sent);
  send_numbers<std::int64_t>(starts, H5T_NATIVE_INT64, Hdf5MessageKind::kStarts, sender);
  EntryRange range = {.first = 0, .last = static_cast<std::int64_t>(values.sizes[0])};
  const RowRange held = share.of(shape[0]);
  if (layout == Hdf5Layout::kRows && !share.is_all()) {
    starts.check_stored();
    range = entries_of_rows(read_starts(starts), shape[0], range.last, held);
  }
  const auto first = static_cast<hsize_t>(range.first);
  const auto last = static_cast<hsize_t>(range.last);
  send_numbers<std::int64_t>(indices, H5T_NATIVE_INT64, Hdf5MessageKind::kIndices, sender, first,
                             last);
  send_numbers<double>(values, H5T_NATIVE_DOUBLE, Hdf5MessageKind::kValues, sender, first, last);
}

void send_dense(hid_t file, const std::string& path, const RowShare& share, const Sender& sender) {
  const NumberSet set(file, path);
  check_numbers(set, 2, false);
  if (set.sizes[0] < 1 || set.sizes[1] < 1) {
    refuse_hdf5(fmt::format("{} is {} x {}; accepted: at least one of each", in_quotes(path),
                            set.sizes[0], set.sizes[1]));
  }
  const Hdf5Shape sent{.layout = Hdf5Layout::kDense,
                       .unused = 0,
                       .n = static_cast<std::int64_t>(set.sizes[0]),
                       .p = static_cast<std::int64_t>(set.sizes[1])};
  sender.send(Hdf5MessageKind::kShape, &sent, sizeof sent);
  const RowRange held = share.of(sent.n);
  send_numbers<double>(set, H5T_NATIVE_DOUBLE, Hdf5MessageKind::kValues, sender,
                       static_cast<hsize_t>(held.first), static_cast<hsize_t>(held.last));
}

/// Sends the texts of a data set of one dimension; nothing if it holds anything else.
void send_names(const NumberSet& set, const Sender& sender) {
  if (set.kind != H5T_STRING || set.sizes.size() != 1) {
    return;
  }
  set.check_stored();
  const Handle type(H5Dget_type(set.set));
  const std::size_t count = set.sizes[0];
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(count, nullptr);
    const Handle space(H5Dget_space(set.set));
    if (H5Dread(set.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0) {
      for (const char* text : texts) {
        sender.send(Hdf5MessageKind::kName,
                    text == nullptr ? "" : std::string(text, ::strnlen(text, kLongestName)));
      }
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    }
    return;
  }
  std::vector<char> bytes(count * set.item_bytes);
  if (H5Dread(set.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0) {
    for (std::size_t i = 0; i < count; ++i) {
      const char* const text = bytes.data() + i * set.item_bytes;
      sender.send(Hdf5MessageKind::kName, std::string(text, ::strnlen(text, set.item_bytes)));
    }
  }
}

/// The names of AnnData's variables: the data set that the attribute _index of var names.
void send_variable_names(hid_t file, const std::string& matrix, const Sender& sender) {
  const std::string group = matrix.starts_with("/raw/") ? "/raw/var" : "/var";
  if (!is_object(file, group, H5I_GROUP)) {
    return;
  }
  const Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT));
  const std::string index = text_attribute(opened, "_index");
  const std::string path = group + "/" + (index.empty() ? "_index" : index);
  if (is_object(file, path, H5I_DATASET)) {
    send_names(NumberSet(file, path), sender);
  }
}

void send_matrix(const std::filesystem::path& path, const std::string& wanted,
                 const RowShare& share, const Sender& sender) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are told in our words
  // The usual driver resolves symbolic links, and the copy of a pipe has no name to be found so.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (path.string().starts_with("/proc/")) {
    H5Pset_fapl_stdio(access);
  }
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  if (!file.is_open()) {
    refuse_hdf5(
        "cannot be opened as HDF5: it is truncated, damaged or of another format; accepted: a "
        "file that h5dump reads");
  }
  const std::string matrix = choose_matrix(file, wanted);
  if (is_object(file, matrix, H5I_DATASET)) {
    send_dense(file, matrix, share, sender);
  } else {
    send_sparse(file, matrix, share, sender);
  }
  send_variable_names(file, matrix, sender);
  sender.send(Hdf5MessageKind::kEnd, "");
}

}  // namespace

void send_hdf5(const std::filesystem::path& path, const std::string& matrix, const RowShare& share,
               int out) noexcept {
  const Sender sender(out);
  std::signal(SIGPIPE, SIG_IGN);
  // Files on network disks cannot always be locked, and nothing is written here.
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
