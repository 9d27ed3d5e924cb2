#include "spca/data/readers/hdf5_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_source.h"

namespace spca {
namespace {

constexpr std::size_t kLongestName = 1 << 16;
/// At most this number of bytes of names from categories and codes, because a few bytes of these
/// can stand for any number of names.
constexpr std::size_t kMostNameBytes = std::size_t{1} << 30;

[[noreturn]] void refuse_set(const std::string& set, const std::string& what) {
  throw InputError(fmt::format("{} {}", in_quotes(set), what));
}

void check_filters(hid_t creation, const std::string& set) {
  for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    char filter[64] = "";
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                           nullptr, sizeof filter, filter, nullptr);
    if (id < 0 || H5Zfilter_avail(id) <= 0) {
      refuse_set(set,
                 fmt::format("is packed by {} (filter {}), which libhdf5 lacks here; accepted: "
                             "gzip, szip, or none",
                             in_quotes(filter), id));
    }
  }
}

const char* class_name(H5T_class_t kind) {
  switch (kind) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "records, as complex numbers are";
    case H5T_ENUM:
      return "booleans or other enumerated values";
    default:
      return "something else";
  }
}

/// Returns the texts of a data set of one dimension, read as `type`: texts, or records of one text.
std::vector<std::string> texts_of(const NumberSet& set, hid_t type, bool is_variable) {
  std::vector<std::string> texts;
  set.check_stored();
  const std::size_t count = set.sizes[0];
  if (is_variable) {
    std::vector<char*> read(count, nullptr);
    const Hdf5Handle space(H5Dget_space(set.set));
    if (H5Dread(set.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0) {
      for (const char* text : read) {
        texts.push_back(text == nullptr ? "" : std::string(text, ::strnlen(text, kLongestName)));
      }
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, read.data());
    }
    return texts;
  }
  // The type may announce more bytes than the file has.
  const std::size_t item_bytes = H5Tget_size(type);
  if (item_bytes > kLongestName) {
    return texts;
  }
  std::vector<char> bytes(count * item_bytes);
  if (H5Dread(set.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0) {
    for (std::size_t i = 0; i < count; ++i) {
      const char* const text = bytes.data() + i * item_bytes;
      texts.emplace_back(text, ::strnlen(text, item_bytes));
    }
  }
  return texts;
}

/// Returns the texts of the field `index` of records, as AnnData wrote names before version 0.7;
/// empty if there is no such field of text.
std::vector<std::string> texts_of_records(const NumberSet& set, hid_t type) {
  constexpr const char* kField = "index";
  const int member = H5Tget_member_index(type, kField);
  if (member < 0) {
    return {};
  }
  const Hdf5Handle text(H5Tget_member_type(type, static_cast<unsigned>(member)));
  if (!text.is_open() || H5Tget_class(text) != H5T_STRING) {
    return {};
  }
  const bool is_variable = H5Tis_variable_str(text) > 0;
  const Hdf5Handle record(H5Tcreate(H5T_COMPOUND, is_variable ? sizeof(char*) : H5Tget_size(text)));
  if (!record.is_open() || H5Tinsert(record, kField, 0, text) < 0) {
    return {};
  }
  return texts_of(set, record, is_variable);
}

/// Returns the texts of a data set of one dimension that holds texts, integers or records with a
/// text `index`; empty for anything else.
std::vector<std::string> texts_in_set(hid_t file, const std::string& path) {
  const NumberSet set(file, path);
  if (set.sizes.size() != 1) {
    return {};
  }
  const Hdf5Handle type(H5Dget_type(set.set));
  if (set.kind == H5T_STRING) {
    return texts_of(set, type, H5Tis_variable_str(type) > 0);
  }
  if (set.kind == H5T_COMPOUND) {
    return texts_of_records(set, type);
  }
  std::vector<std::string> texts;
  if (set.kind == H5T_INTEGER) {
    for (const std::int64_t number : set.whole_numbers()) {
      texts.push_back(std::to_string(number));
    }
  }
  return texts;
}

}  // namespace

NumberSet::NumberSet(hid_t file, const std::string& path)
    : name(path), set(H5Dopen2(file, path.c_str(), H5P_DEFAULT)) {
  if (!set.is_open()) {
    refuse_set(path, "cannot be opened; accepted: a data set");
  }
  const Hdf5Handle type(H5Dget_type(set));
  kind = H5Tget_class(type);
  item_bytes = H5Tget_size(type);
  const Hdf5Handle space(H5Dget_space(set));
  const int dimensions = H5Sget_simple_extent_ndims(space);
  sizes.resize(static_cast<std::size_t>(std::max(dimensions, 0)));
  if (!sizes.empty()) {
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  }
  const Hdf5Handle creation(H5Dget_create_plist(set));
  is_filtered = H5Pget_nfilters(creation) > 0;
  check_filters(creation, path);
  if (H5Pget_layout(creation) == H5D_CHUNKED && !sizes.empty()) {
    std::vector<hsize_t> chunk(sizes.size(), 1);
    H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    chunk_lines = std::max<hsize_t>(chunk[0], 1);
  }
}

void NumberSet::check_stored() const {
  const hsize_t stored = H5Dget_storage_size(set);
  const hsize_t possible =
      (is_filtered ? stored * kLargestDeflateRatio : stored) / std::max<std::size_t>(item_bytes, 1);
  hsize_t count = 1;
  for (const hsize_t size : sizes) {
    if (size > 0 && count > possible / size) {
      refuse_set(name, fmt::format("announces {} numbers and has {} bytes; accepted: a data set of "
                                   "which every part was written",
                                   fmt::join(sizes, " x "), stored));
    }
    count *= size;
  }
}

void NumberSet::check_numbers(std::size_t dimensions, Accepted accepted) const {
  const bool is_whole = accepted == Accepted::kWhole;
  const bool is_number = kind == H5T_INTEGER || (kind == H5T_FLOAT && !is_whole);
  if (!is_number) {
    refuse_set(name, fmt::format("holds {}; accepted: {}",
                                 kind == H5T_FLOAT ? "floating point numbers" : class_name(kind),
                                 is_whole ? "integers" : "integers or floating point numbers"));
  }
  if (sizes.size() != dimensions) {
    refuse_set(name, fmt::format("has {} dimensions; accepted: {}", sizes.size(),
                                 dimensions == 2 ? "2, samples and variables" : "1"));
  }
  check_stored();
}

std::vector<std::int64_t> NumberSet::whole_numbers() const {
  check_numbers(1, Accepted::kWhole);
  std::vector<std::int64_t> numbers(sizes[0]);
  if (H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    refuse_set(name, "cannot be read; accepted: a file that h5dump reads");
  }
  return numbers;
}

bool is_hdf5_object(hid_t file, const std::string& path, H5I_type_t wanted) {
  // Each group of the path must be checked, because the library gives no answer if one is missing.
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) {
      return false;
    }
  }
  if (path != "/" && H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) {
    return false;
  }
  const Hdf5Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT));
  return object.is_open() && H5Iget_type(object) == wanted;
}

std::string text_attribute(hid_t file, const std::string& path, const char* name) {
  const Hdf5Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT));
  if (!object.is_open() || H5Aexists(object, name) <= 0) {
    return "";
  }
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const Hdf5Handle type(H5Aget_type(attribute));
  const Hdf5Handle space(H5Aget_space(attribute));
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

std::vector<std::int64_t> whole_attribute(hid_t file, const std::string& path, const char* name,
                                          std::size_t count) {
  const Hdf5Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT));
  if (!object.is_open() || H5Aexists(object, name) <= 0) {
    return {};
  }
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const Hdf5Handle type(H5Aget_type(attribute));
  const Hdf5Handle space(H5Aget_space(attribute));
  std::vector<std::int64_t> numbers(count, 0);
  const bool is_read = H5Tget_class(type) == H5T_INTEGER &&
                       H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(count) &&
                       H5Aread(attribute, H5T_NATIVE_INT64, numbers.data()) >= 0;
  return is_read ? numbers : std::vector<std::int64_t>();
}

std::vector<std::string> members_of(hid_t file, const std::string& group, std::size_t limit) {
  std::vector<std::string> names;
  const Hdf5Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT));
  H5G_info_t info{};
  if (!opened.is_open() || H5Gget_info(opened, &info) < 0) {
    return names;
  }
  for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, limit); ++i) {
    char name[256] = "";
    if (H5Lget_name_by_idx(opened, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                           H5P_DEFAULT) > 0) {
      names.emplace_back(name);
    }
  }
  return names;
}

std::vector<hsize_t> sizes_of_numbers(hid_t file, const std::string& path) {
  const Hdf5Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
  if (!set.is_open()) {
    return {};
  }
  const Hdf5Handle type(H5Dget_type(set));
  const H5T_class_t kind = H5Tget_class(type);
  const Hdf5Handle space(H5Dget_space(set));
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || dimensions < 1) {
    return {};
  }
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

std::vector<std::string> texts_at(hid_t file, const std::string& path) {
  if (is_hdf5_set(file, path)) {
    return texts_in_set(file, path);
  }
  if (!is_hdf5_group(file, path)) {
    return {};
  }
  if (is_hdf5_set(file, path + "/codes") && is_hdf5_set(file, path + "/categories")) {
    const std::vector<std::string> categories = texts_in_set(file, path + "/categories");
    std::vector<std::string> texts;
    std::size_t bytes = 0;
    for (const std::int64_t code : NumberSet(file, path + "/codes").whole_numbers()) {
      const bool is_known = code >= 0 && code < std::ssize(categories);
      texts.push_back(is_known ? categories[static_cast<std::size_t>(code)] : "");
      bytes += sizeof(std::string) + texts.back().size();
      if (bytes > kMostNameBytes) {
        refuse_set(path, fmt::format("holds names of more than {} bytes; accepted: fewer",
                                     kMostNameBytes));
      }
    }
    return texts;
  }
  return is_hdf5_set(file, path + "/values") ? texts_in_set(file, path + "/values")
                                             : std::vector<std::string>();
}

}  // namespace spca
