/// NumPy's .npz: a zip file of arrays. One array is the matrix, or the arrays are those of a sparse
/// matrix (scipy_npz.cpp).

#include "spca/data/readers/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/zip_archive.h"
#include "spca/data/readers/npy_array.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/scipy_npz.h"

namespace spca {
namespace {

constexpr std::string_view kNpyEnding = ".npy";

/// Returns the name under which np.savez stored the array.
std::string array_name(const ZipMember& member) {
  return member.name.substr(0, member.name.size() - kNpyEnding.size());
}

struct ArrayFacts {
  std::string text;  // "x (3, 4)", or "x" if its header cannot be read
  bool is_matrix = false;
};

ArrayFacts facts_of(const ZipArchive& archive, const ZipMember& member) {
  const std::unique_ptr<ByteSource> source = archive.open(member);
  try {
    const NpyArray array(*source);
    return {.text = fmt::format("{} {}", array_name(member), array.shape_text()),
            .is_matrix = !array.is_text() && array.shape().size() == 2 && array.count() > 0};
  } catch (const InputError&) {
    return {.text = array_name(member)};  // an array of objects or of complex numbers
  }
}

/// Returns the array `wanted` or, if that is empty, the only matrix or the only array. If one
/// matrix is chosen from several arrays, a note lists all of them.
const ZipMember& choose_array(const ZipArchive& archive, const std::string& wanted,
                              std::vector<std::string>& notes) {
  std::vector<const ZipMember*> arrays;
  std::vector<const ZipMember*> matrices;
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const ZipMember& member : archive.members()) {
    if (!member.name.ends_with(kNpyEnding)) {
      continue;
    }
    if (!wanted.empty() && array_name(member) == wanted) {
      return member;
    }
    arrays.push_back(&member);
    const ArrayFacts facts = facts_of(archive, member);
    texts.push_back(facts.text);
    if (facts.is_matrix) {
      matrices.push_back(&member);
      names.push_back(array_name(member));
    }
  }
  if (!wanted.empty()) {
    throw InputError(fmt::format("{}: has no array {}{}; accepted: {}", archive.name(),
                                 in_quotes(wanted), did_you_mean(wanted, names),
                                 printable(join(texts))));
  }
  if (arrays.size() == 1) {
    return *arrays[0];  // if it is not a matrix, the reader says what it is
  }
  if (matrices.empty()) {
    throw InputError(fmt::format(
        "{}: has the arrays {}; accepted: one of numbers in two dimensions, or a sparse "
        "matrix as scipy.sparse.save_npz writes it",
        archive.name(), texts.empty() ? "none" : printable(join(texts))));
  }
  if (matrices.size() > 1) {
    throw InputError(
        fmt::format("{}: has {} matrices; accepted: FILE:ARRAY, where ARRAY is one of {}",
                    archive.name(), matrices.size(), printable(join(names))));
  }
  if (texts.size() > 1) {
    notes.push_back(fmt::format("{} is taken, the only matrix of the arrays {}", names[0],
                                printable(join(texts))));
  }
  return *matrices[0];
}

}  // namespace

std::optional<RowsOfFile> read_npz_rows(const std::filesystem::path& path, const std::string& array,
                                        const RowShare& share) {
  const ZipArchive archive(path);
  if (array.empty() && archive.find("format.npy") != nullptr) {
    return read_scipy_npz_rows(path, share);
  }
  std::vector<std::string> notes;
  const std::unique_ptr<ByteSource> source = archive.open(choose_array(archive, array, notes));
  RowsOfFile rows = read_array_rows(*source, share);
  rows.content.notes = std::move(notes);
  return rows;
}

FileContent read_npz(const std::filesystem::path& path, const std::string& array) {
  if (array.empty() && ZipArchive(path).find("format.npy") != nullptr) {
    return read_scipy_npz(path);
  }
  return std::move(read_npz_rows(path, array, {})->content);
}

}  // namespace spca
