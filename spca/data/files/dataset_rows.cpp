#include "spca/data/files/dataset_rows.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/files/dataset_files.h"
#include "spca/io/embedded.h"
#include "spca/io/json_node.h"

namespace spca {
namespace {

constexpr const char* kRowsFile = "datasets/from-files.json";
constexpr const char* kEmbeddedRows = "from-files.json";

constexpr const char* kData = "data";
constexpr const char* kKindOfCounts = "word counts";
constexpr const char* kCovariance = "covariance";
constexpr const char* kTwoMatrices = "correlation or covariance";

/// A column of a file below the data folder.
struct NamedColumn {
  std::string file;  // empty: none
  std::string header;
};

/// The files of a row.
struct RowFiles {
  std::string matrix;      // data, counts, S or the correlation matrix
  std::string covariance;  // for kTwoMatrices
  NamedColumn names;
  NamedColumn labels;
};

std::string path_in_data_folder(const JsonNode& node) {
  std::string path = node.word();
  if (!is_plain_path(path)) {
    node.fail("a path below the data folder, as kos/docword.kos.txt.gz");
  }
  return path;
}

NamedColumn column_at(const JsonNode& row, const char* key, const char* usual_header) {
  const std::optional<JsonNode> node = row.find(key);
  if (!node) {
    return {};
  }
  if (!node->json().is_object()) {
    return {.file = path_in_data_folder(*node), .header = usual_header};
  }
  node->accept_keys({"file", "column"});
  return {.file = path_in_data_folder(node->at("file")), .header = node->at("column").word()};
}

Dataset with_names(Dataset dataset, const DatasetRequest& request, const NamedColumn& column) {
  std::vector<std::string> names = load_column(request, column.file, column.header);
  if (names.empty()) {
    return dataset;
  }
  if (std::ssize(names) != dataset.covariance->variables()) {
    throw InputError(fmt::format("{}: found {} {}s; accepted: {}, one for each variable",
                                 column.file, names.size(), column.header,
                                 dataset.covariance->variables()));
  }
  dataset.variable_names = std::move(names);
  return dataset;
}

/// Adds the names and classes of the row to the data set of its matrix.
Dataset completed(Dataset dataset, const DatasetRequest& request, const RowFiles& files) {
  if (!files.names.file.empty()) {
    dataset = with_names(std::move(dataset), request, files.names);
  }
  if (!files.labels.file.empty()) {
    dataset = with_labels(std::move(dataset), request, files.labels.file, files.labels.header);
  }
  return dataset;
}

ErasedLoader loader_of(const std::string& content, bool has_center_option, const RowFiles& files) {
  if (content == kKindOfCounts) {
    return Loader<BagOptions>([files](const BagOptions& bag, const DatasetRequest& request) {
      return completed(load_bag_of_words(request, files.matrix, bag), request, files);
    });
  }
  if (content == kCovariance) {
    return Loader<NoOptions>([files](const NoOptions&, const DatasetRequest& request) {
      return completed(load_covariance_file(request, files.matrix), request, files);
    });
  }
  if (content == kTwoMatrices) {
    return Loader<MatrixOptions>(
        [files](const MatrixOptions& options, const DatasetRequest& request) {
          const bool is_correlation = options.matrix == "correlation";
          return completed(
              load_covariance_file(request, is_correlation ? files.matrix : files.covariance),
              request, files);
        });
  }
  if (has_center_option) {
    return Loader<CenterOptions>(
        [files](const CenterOptions& options, const DatasetRequest& request) {
          const Centering centering = options.centered ? Centering::kColumns : Centering::kNone;
          return completed(load_data_file(request, files.matrix, centering), request, files);
        });
  }
  return Loader<NoOptions>([files](const NoOptions&, const DatasetRequest& request) {
    return completed(load_data_file(request, files.matrix, Centering::kColumns), request, files);
  });
}

/// Refuses keys that the content of the row does not have.
void check_keys(const JsonNode& row, const std::string& content) {
  std::vector<std::string> keys = {"about", "summary", "shape", "source", "content"};
  const auto add = [&](std::initializer_list<const char*> more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };
  if (content == kTwoMatrices) {
    add({"correlation", "covariance"});
  } else {
    add({"file"});
  }
  if (content == kData) {
    add({"center"});
  }
  if (content == kData || content == kKindOfCounts) {
    add({"words", "labels"});
  }
  add({"names"});
  row.accept_keys(keys);
}

DatasetRow dataset_row(const std::string& name, const JsonNode& row) {
  const std::string content =
      row.at("content").choice({kData, kKindOfCounts, kCovariance, kTwoMatrices});
  check_keys(row, content);
  RowFiles files;
  if (content == kTwoMatrices) {
    files.matrix = path_in_data_folder(row.at("correlation"));
    files.covariance = path_in_data_folder(row.at("covariance"));
  } else {
    files.matrix = path_in_data_folder(row.at("file"));
  }
  files.names = column_at(row, "names", "name");
  files.labels = column_at(row, "labels", "label");
  const std::optional<JsonNode> center = row.find("center");
  if (center) {
    center->choice({"by option"});
  }
  const std::optional<JsonNode> words = row.find("words");
  DatasetTraits traits = {.summary = row.at("summary").word(),
                          .shape = row.at("shape").word(),
                          .source = row.at("source").word()};
  for (const std::string& file :
       {files.matrix, files.covariance, words ? path_in_data_folder(*words) : std::string(),
        files.names.file, files.labels.file}) {
    if (!file.empty()) {
      traits.files.push_back(file);
    }
  }
  return {.name = name,
          .file = fmt::format("{}/{}", kRowsFile, name),
          .loader = loader_of(content, center.has_value(), files),
          .traits = std::move(traits)};
}

}  // namespace

std::vector<DatasetRow> read_dataset_rows(const JsonText& text) {
  const JsonSource source(std::make_shared<const JsonText>(text));
  const JsonNode document(source, source.text().json(), "");
  document.accept_keys({"about", "datasets"});
  std::vector<DatasetRow> rows;
  for (const auto& [name, row] : document.at("datasets").members()) {
    rows.push_back(dataset_row(name, row));
  }
  return rows;
}

bool register_dataset_rows() {
  // Static objects call this, so nothing could catch an exception.
  try {
    for (const DatasetRow& row :
         read_dataset_rows(JsonText(std::string(embedded_file(kEmbeddedRows)), kRowsFile))) {
      register_dataset(row.name.c_str(), row.file.c_str(), row.loader, row.traits);
    }
  } catch (const InputError& error) {
    fmt::print(stderr, "spca: {}\n", error.what());
    std::exit(1);
  }
  return true;
}

}  // namespace spca
