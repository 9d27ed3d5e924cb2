#pragma once

/// Objects of an HDF5 file, as the process that reads it finds them: groups, data sets, attributes.

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace spca {

/// An identifier of the library that is closed with its owner.
class Hdf5Handle {
 public:
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  ~Hdf5Handle() {
    if (id_ >= 0 && H5Iis_valid(id_) > 0) {
      H5Idec_ref(id_);
    }
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }  // as the library's functions take it
  bool is_open() const { return id_ >= 0; }

 private:
  hid_t id_;
};

/// The numbers that a data set may hold.
enum class Accepted { kWhole, kWholeOrFloating };

/// A data set, opened, with its sizes and the class of its numbers.
struct NumberSet {
  /// Throws InputError if there is no data set at `path`, or if its compression is unknown.
  NumberSet(hid_t file, const std::string& path);

  /// Throws InputError if the file is too small to hold all numbers, because a short file may
  /// announce any size.
  void check_stored() const;
  /// Throws InputError unless the data set has this number of dimensions and holds accepted
  /// numbers, and as check_stored() does.
  void check_numbers(std::size_t dimensions, Accepted accepted) const;
  /// Returns all integers of a data set of one dimension.
  std::vector<std::int64_t> whole_numbers() const;

  const std::string name;
  const Hdf5Handle set;
  H5T_class_t kind = H5T_NO_CLASS;
  std::size_t item_bytes = 1;
  std::vector<hsize_t> sizes;
  bool is_filtered = false;
  hsize_t chunk_lines = 1;  // size of a chunk in the first dimension
};

/// Returns true if there is an object of this type at the path, which begins with /.
bool is_hdf5_object(hid_t file, const std::string& path, H5I_type_t wanted);
inline bool is_hdf5_set(hid_t file, const std::string& path) {
  return is_hdf5_object(file, path, H5I_DATASET);
}
inline bool is_hdf5_group(hid_t file, const std::string& path) {
  return is_hdf5_object(file, path, H5I_GROUP);
}
/// Returns the sizes of a data set of integers or floating point numbers; empty for anything else.
std::vector<hsize_t> sizes_of_numbers(hid_t file, const std::string& path);

/// Returns the text of an attribute with one text, or "".
std::string text_attribute(hid_t file, const std::string& path, const char* name);
/// Returns the `count` integers of an attribute, or none if it has another number of them.
std::vector<std::int64_t> whole_attribute(hid_t file, const std::string& path, const char* name,
                                          std::size_t count);

/// Returns the first members of a group, at most `limit`.
std::vector<std::string> members_of(hid_t file, const std::string& group, std::size_t limit);

/// Returns the texts at a path: of a data set of texts, of integers, or of records with a text
/// `index`; or, as AnnData writes them, of a group of codes and categories, or of values and a
/// mask. Empty for anything else.
std::vector<std::string> texts_at(hid_t file, const std::string& path);

}  // namespace spca
