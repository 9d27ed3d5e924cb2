#include "harness/cli/ranks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/cli/arguments.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/standard_error.h"
#include "spca/data/content/rows_of_file.h"
#include "spca/data/files/file_options.h"
#include "spca/data/files/read_dataset.h"
#include "spca/ranks/distributed_covariance.h"

namespace spca::cli {
namespace {

Ranks* all_ranks = nullptr;

/// A message to other ranks of this job: texts and numbers in sequence.
class Parcel {
 public:
  void add(std::int64_t number) { add_bytes(&number, sizeof number); }
  void add(const std::string& text) {
    add(std::ssize(text));
    add_bytes(text.data(), text.size());
  }
  void add(const Vector& numbers) {
    add(std::int64_t{numbers.size()});
    add_bytes(numbers.data(), static_cast<std::size_t>(numbers.size()) * sizeof(double));
  }

  std::int64_t number() {
    std::int64_t number = 0;
    read_bytes(&number, sizeof number);
    return number;
  }
  std::string text() {
    std::string text(static_cast<std::size_t>(number()), '\0');
    read_bytes(text.data(), text.size());
    return text;
  }
  Vector numbers() {
    Vector numbers(number());
    read_bytes(numbers.data(), static_cast<std::size_t>(numbers.size()) * sizeof(double));
    return numbers;
  }

  void broadcast(RankGroup& group, int root) {
    std::uint64_t size = bytes_.size();
    group.broadcast(&size, sizeof size, root);
    bytes_.resize(size);
    group.broadcast(bytes_.data(), bytes_.size(), root);
  }

 private:
  void add_bytes(const void* bytes, std::size_t size) {
    bytes_.append(static_cast<const char*>(bytes), size);
  }
  void read_bytes(void* bytes, std::size_t size) {
    SPCA_CHECK(taken_ + size <= bytes_.size(), "a parcel that ends early");
    std::memcpy(bytes, bytes_.data() + taken_, size);
    taken_ += size;
  }

  std::string bytes_;
  std::size_t taken_ = 0;
};

struct LoadTrouble {
  std::string message;
  bool is_missing_data = false;
};

/// Returns the InputError that `action` throws; empty if it throws none.
template <class Action>
std::optional<LoadTrouble> error_of(const Action& action) {
  try {
    action();
    return std::nullopt;
  } catch (const MissingData& error) {
    return LoadTrouble{.message = error.what(), .is_missing_data = true};
  } catch (const InputError& error) {
    return LoadTrouble{.message = error.what()};
  }
}

/// Throws, in all ranks, the error of the lowest rank that has one.
void throw_together(RankGroup& group, const std::optional<LoadTrouble>& error) {
  const double own = error ? (error->is_missing_data ? 2 : 1) : 0;
  Vector of_all(group.size());
  group.gather_all(&own, of_all.data(),
                   std::vector<int>(static_cast<std::size_t>(group.size()), 1));
  for (int rank = 0; rank < group.size(); ++rank) {
    if (of_all[rank] != 0) {
      Parcel parcel;
      parcel.add(error.value_or(LoadTrouble{}).message);
      parcel.broadcast(group, rank);
      if (of_all[rank] > 1) {
        throw MissingData(parcel.text());
      }
      throw InputError(parcel.text());
    }
  }
}

/// Sends the names of the variables, the truth and the labels from rank 0 to the other ranks.
void broadcast_facts(RankGroup& group, Dataset& dataset) {
  Parcel parcel;
  if (group.rank() == 0) {
    parcel.add(std::ssize(dataset.variable_names));
    for (const std::string& name : dataset.variable_names) {
      parcel.add(name);
    }
    parcel.add(std::ssize(dataset.truth));
    for (const Component& component : dataset.truth) {
      parcel.add(std::ssize(component.support));
      for (const Index variable : component.support) {
        parcel.add(std::int64_t{variable});
      }
      parcel.add(component.values);
    }
    parcel.add(std::ssize(dataset.labels));
    for (const int label : dataset.labels) {
      parcel.add(std::int64_t{label});
    }
  }
  parcel.broadcast(group, 0);
  if (group.rank() == 0) {
    return;
  }
  dataset.variable_names.resize(static_cast<std::size_t>(parcel.number()));
  for (std::string& name : dataset.variable_names) {
    name = parcel.text();
  }
  dataset.truth.resize(static_cast<std::size_t>(parcel.number()));
  for (Component& component : dataset.truth) {
    component.support.resize(static_cast<std::size_t>(parcel.number()));
    for (Index& variable : component.support) {
      variable = parcel.number();
    }
    component.values = parcel.numbers();
  }
  dataset.labels.resize(static_cast<std::size_t>(parcel.number()));
  for (int& label : dataset.labels) {
    label = static_cast<int>(parcel.number());
  }
}

/// The rows of a file with the shifts of their columns added.
struct RestoredRows {
  RestoredRows(const MappedSparse& data, const RowRange& range) {
    const std::int64_t begin = data.rows.starts[range.first];
    for (Index i = range.first; i <= range.last; ++i) {
      starts.push_back(data.rows.starts[i] - begin);
    }
    const int* const first = data.rows.indices + begin;
    indices.assign(first, first + starts.back());
    for (std::int64_t e = 0; e < starts.back(); ++e) {
      values.push_back(data.rows.values[begin + e] + data.shifts[first[e]]);
    }
  }
  std::vector<std::int64_t> starts;
  std::vector<int> indices;
  std::vector<double> values;
};

OwnRows own_rows(RowsOfFile& file, bool centered) {
  OwnRows rows;
  FileContent& content = file.content;
  if (content.genotypes != nullptr) {
    rows.kind = OwnRows::Kind::kGenotypes;
    rows.genotypes = *content.genotypes;
    rows.variables = rows.genotypes.variants;
    // The file contains all samples, four of them in a byte.
    rows.genotypes.bytes += file.held.first / 4;
    return rows;
  }
  if (content.mapped != nullptr) {
    const SparseArrays& mapped = content.mapped->rows;
    rows.kind = OwnRows::Kind::kSparse;
    rows.variables = content.mapped->columns.lines;
    if (content.mapped->shifts.size() > 0 && !centered) {
      const auto owner = std::make_shared<RestoredRows>(*content.mapped, file.held);
      rows.sparse = {.lines = file.held.count(),
                     .starts = owner->starts.data(),
                     .indices = owner->indices.data(),
                     .values = owner->values.data(),
                     .owner = owner};
      return rows;
    }
    rows.sparse = {.lines = file.held.count(),
                   .starts = mapped.starts + file.held.first,
                   .indices = mapped.indices,
                   .values = mapped.values,
                   .owner = content.mapped,
                   .whole = content.mapped};
    return rows;
  }
  if (content.sparse != nullptr) {
    struct Owner {
      std::unique_ptr<SparseRows> rows;
      std::vector<std::int64_t> starts;
    };
    const auto owner = std::make_shared<Owner>();
    owner->rows = std::move(content.sparse);
    const int* const starts = owner->rows->outerIndexPtr();
    owner->starts.assign(starts, starts + owner->rows->rows() + 1);
    rows.kind = OwnRows::Kind::kSparse;
    rows.variables = owner->rows->cols();
    rows.sparse = {.lines = owner->rows->rows(),
                   .starts = owner->starts.data(),
                   .indices = owner->rows->innerIndexPtr(),
                   .values = owner->rows->valuePtr(),
                   .owner = owner};
    return rows;
  }
  rows.dense = std::move(content.dense);
  rows.variables = rows.dense.cols();
  return rows;
}

std::optional<Dataset> load_rows(const FileOptions& options) {
  const FileRequest request = file_request(options, {});
  const RowShare share{.rank = ranks()->rank(), .ranks = ranks()->size()};
  std::optional<RowsOfDataset> rows;
  const std::optional<LoadTrouble> error =
      error_of([&] { rows = read_dataset_rows(request, share); });
  if (!error && !rows) {
    return std::nullopt;
  }
  const std::shared_ptr<RankGroup> group = ranks()->connect();
  throw_together(*group, error);
  Dataset dataset;
  try {
    dataset.covariance =
        make_distributed_covariance(group, RowBlocks(rows->file.samples, group->size()),
                                    own_rows(rows->file, rows->form.centered), rows->form);
    check_variances(*dataset.covariance);
  } catch (const InputError& of_data) {
    throw InputError(fmt::format("{}: {}", request.path.string(), of_data.what()));
  }
  dataset.variable_names = std::move(rows->file.content.variable_names);
  if (!options.names.empty()) {
    read_variable_names(options.names, dataset);
  }
  for (const std::string& note : rows->file.content.notes) {
    dataset.notes.push_back(fmt::format("{}: {}", request.path.string(), note));
  }
  return dataset;
}

}  // namespace

Ranks* ranks() { return all_ranks; }
void set_ranks(Ranks& all) { all_ranks = &all; }
bool speaks_for_all() { return all_ranks == nullptr || all_ranks->rank() == 0; }

void fail_in_ranks(const std::string& line, int code) {
  if (all_ranks->rank() != 0) {
    // If rank 0 has the same error, it ends this process meanwhile. A signal must not shorten the
    // wait.
    for (unsigned left = kRankPatience; left > 0;) {
      left = ::sleep(left);
    }
  }
  say_line(line);
  all_ranks->abort(code);
  std::abort();  // not reached: the compiler does not see that a virtual function cannot return
}

void check_ranks(const SolverEntry& solver, int threads) {
  if (threads != 1) {
    throw InputError(fmt::format(
        "--threads: found {}; accepted in spca-mpi: 1, because ranks take their place", threads));
  }
  if (is_peer_name(solver.name)) {
    throw InputError(fmt::format(
        "--solver: {} is another program, which sees no ranks; accepted in spca-mpi: a solver of "
        "`spca list solvers`",
        solver.name));
  }
}

Dataset load_in_ranks(const std::function<Dataset()>& load) {
  Dataset dataset;
  std::optional<LoadTrouble> error;
  if (ranks()->rank() == 0) {
    error = error_of([&] { dataset = load(); });
  }
  const std::shared_ptr<RankGroup> group = ranks()->connect();
  throw_together(*group, error);
  broadcast_facts(*group, dataset);
  std::shared_ptr<const Covariance> whole = std::move(dataset.covariance);
  dataset.covariance = spread_covariance(group, std::move(whole));
  return dataset;
}

Dataset load_data_in_ranks(const DataArguments& arguments, const Settings& settings,
                           const GlobalOptions& global, std::uint64_t seed) {
  if (!arguments.data.empty()) {
    const auto options =
        options_from_json<FileOptions>(file_options(arguments, settings), "--set dataset");
    if (options.kind == "covariance") {
      throw InputError(
          "--kind covariance: S itself has no rows to spread over ranks; accepted in spca-mpi: "
          "data; `spca solve` takes S");
    }
    if (std::optional<Dataset> dataset = load_rows(options)) {
      return *std::move(dataset);
    }
  }
  return load_in_ranks([&] { return load_data_here(arguments, settings, global, seed); });
}

}  // namespace spca::cli
