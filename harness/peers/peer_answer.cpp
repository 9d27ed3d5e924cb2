#include "harness/peers/peer_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/data/content/file_content.h"
#include "spca/data/readers/read_file.h"
#include "spca/dense/sparsify.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Reads the JSON of an answer. Each error names the file, and an error in a value also its JSON
/// pointer.
class AnswerReader {
 public:
  AnswerReader(const fs::path& file, Index p, Index r)
      : text_(read_json_file(file)), p_(p), r_(r) {}

  std::vector<Component> read() const {
    const Json& json = text_.json();
    if (!json.is_object() || !json.contains("loadings") || !json["loadings"].is_array()) {
      fail("", json.is_object() ? "no list \"loadings\"" : words_of(json),
           "an object with the list \"loadings\"");
    }
    const Json& loadings = json["loadings"];
    return !loadings.empty() && loadings[0].is_object() ? sparse(loadings) : dense(loadings);
  }

 private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& found,
                         const std::string& accepted) const {
    throw InputError(fmt::format("{}: {}: found {}; accepted: {}", text_.place(pointer),
                                 pointer.empty() ? "the document" : pointer, found, accepted));
  }

  /// Returns a value as a message quotes it.
  static std::string words_of(const Json& json) {
    return json.is_array()    ? fmt::format("a list of {}", json.size())
           : json.is_object() ? fmt::format("an object of {} members", json.size())
           : json.is_string() ? in_quotes(json.get<std::string>())
                              : json_line(json);
  }

  void check_length(const Json& list, Index length, const std::string& pointer) const {
    if (!list.is_array() || static_cast<Index>(list.size()) != length) {
      fail(pointer, words_of(list), fmt::format("a list of {}", length));
    }
  }

  double number(const Json& json, const std::string& pointer) const {
    if (!json.is_number()) {
      fail(pointer, words_of(json), "a finite number");
    }
    return json.get<double>();
  }

  std::vector<Component> dense(const Json& rows) const {
    check_length(rows, p_, "/loadings");
    Matrix loadings(p_, r_);
    for (Index i = 0; i < p_; ++i) {
      const std::string pointer = fmt::format("/loadings/{}", i);
      const Json& row = rows[static_cast<std::size_t>(i)];
      check_length(row, r_, pointer);
      for (Index j = 0; j < r_; ++j) {
        loadings(i, j) = number(row[static_cast<std::size_t>(j)], fmt::format("{}/{}", pointer, j));
      }
    }
    std::vector<Component> components;
    for (Index j = 0; j < r_; ++j) {
      components.push_back(from_dense(loadings.col(j)));
    }
    return components;
  }

  std::vector<Component> sparse(const Json& list) const {
    check_length(list, r_, "/loadings");
    std::vector<Component> components;
    for (std::size_t j = 0; j < list.size(); ++j) {
      components.push_back(component(list[j], fmt::format("/loadings/{}", j)));
    }
    return components;
  }

  Component component(const Json& json, const std::string& pointer) const {
    if (!json.is_object() || !json.contains("indices") || !json.contains("values") ||
        !json["indices"].is_array()) {
      fail(pointer, words_of(json), "an object with the lists \"indices\" and \"values\"");
    }
    const Json& indices = json["indices"];
    check_length(json["values"], static_cast<Index>(indices.size()), pointer + "/values");
    Vector values = Vector::Zero(p_);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::string at = fmt::format("{}/indices/{}", pointer, i);
      const Json& index = indices[i];
      const bool is_valid = index.is_number_integer() && index.get<Index>() >= 0 &&
                            index.get<Index>() < p_ &&
                            (i == 0 || index.get<Index>() > indices[i - 1].get<Index>());
      if (!is_valid) {
        const std::string before = i == 0 ? "" : " after " + words_of(indices[i - 1]);
        fail(at, words_of(index) + before,
             fmt::format("a whole number from 0 to {}, each larger than the one before", p_ - 1));
      }
      values[index.get<Index>()] =
          number(json["values"][i], fmt::format("{}/values/{}", pointer, i));
    }
    return from_dense(values);
  }

  JsonText text_;
  Index p_;
  Index r_;
};

std::vector<Component> read_matrix(const fs::path& file, Index p, Index r) {
  const FileContent content = read_matrix_file(file);
  const Matrix loadings = content.sparse ? Matrix(*content.sparse) : content.dense;
  if (loadings.rows() != p || loadings.cols() != r) {
    throw InputError(fmt::format("{}: found {} x {} numbers; accepted: p x r = {} x {}",
                                 file.string(), loadings.rows(), loadings.cols(), p, r));
  }
  std::vector<Component> components;
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i < p; ++i) {
      if (!std::isfinite(loadings(i, j))) {
        throw InputError(fmt::format("{}: row {}, column {}: found {}; accepted: a finite number",
                                     file.string(), i + 1, j + 1, loadings(i, j)));
      }
    }
    components.push_back(from_dense(loadings.col(j)));
  }
  return components;
}

}  // namespace

std::vector<Component> read_peer_answer(const fs::path& file, Index p, Index r) {
  try {
    std::error_code error;
    const fs::file_type type = fs::status(file, error).type();
    if (type == fs::file_type::none) {  // for example a loop of links
      throw InputError(fmt::format("{}: cannot be read: {}", file.string(), error.message()));
    }
    if (type != fs::file_type::regular) {
      throw InputError(fmt::format(
          "{}: {}", file.string(),
          type == fs::file_type::not_found ? "was not written" : "is not a regular file"));
    }
    return file.extension() == ".json" ? AnswerReader(file, p, r).read() : read_matrix(file, p, r);
  } catch (const InputError& error) {
    // The folder's name differs between calls, and a record must not depend on it.
    throw InputError(without(error.what(), file.parent_path().string() + "/"));
  }
}

}  // namespace spca
