#include "harness/cli/data_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/answers/derived_seed.h"
#include "harness/cli/arguments.h"
#include "harness/cli/ranks.h"
#include "harness/instances/instance_data.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/sha256.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/file_options.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/read_file.h"

namespace spca::cli {
namespace {

constexpr std::string_view kDatasetPrefix = "dataset.";

constexpr const char* kFileDataset = "file";

/// An option that accepts a fixed list of words.
struct Choice {
  const char* option;
  std::string DataArguments::*value;
  std::vector<std::string> accepted;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> kChoices = {
      {"--kind", &DataArguments::kind, {"data", "covariance"}},
      {"--scale", &DataArguments::scale, {"n", "n-1", "none"}},
      {"--missing",
       &DataArguments::missing,
       {"error", "mean", "low-rank", "drop-rows", "drop-columns"}},
      {"--triangle", &DataArguments::triangle, {"lower", "upper"}},
      {"--separator", &DataArguments::separator, {"comma", "semicolon", "tab", "bar", "blank"}},
      {"--decimal", &DataArguments::decimal, {"point", "comma"}},
      {"--header", &DataArguments::header, {"yes", "no"}},
      {"--row-names", &DataArguments::row_names, {"yes", "no"}}};
  return kChoices;
}

void check_choices(const DataArguments& arguments) {
  for (const auto& [option, member, accepted] : choices()) {
    const std::string& value = arguments.*member;
    if (!value.empty() && std::find(accepted.begin(), accepted.end(), value) == accepted.end()) {
      throw InputError(fmt::format("{}: found \"{}\"{}; accepted: {}", option, value,
                                   did_you_mean(value, accepted), join(accepted)));
    }
  }
}

/// Returns true if the data set `file` has a text option of this name: a path, or a list such as
/// "a,b", whose commas do not separate values of JSON.
bool is_text_of_a_file(const std::string& name) {
  static const Json kOptions = describe_options(options_type<FileOptions>());
  return std::any_of(kOptions.begin(), kOptions.end(), [&name](const Json& option) {
    return option["name"] == name && option["type"] == "string" && !option.contains("choices");
  });
}

void check_missing_rank(const DataArguments& arguments) {
  if (!arguments.missing_rank.empty() && arguments.missing != "low-rank") {
    throw InputError(
        "--missing-rank: of no other way than --missing low-rank; accepted: with that");
  }
}

/// Returns the first given option that says how a file is read. A data set decides that itself.
const char* reading_option(const DataArguments& arguments) {
  for (const auto& [option, member, accepted] : choices()) {
    if (member != &DataArguments::scale && !(arguments.*member).empty()) {
      return option;
    }
  }
  for (const auto& [option, is_given] :
       {std::pair("--names", !arguments.names.empty()),
        std::pair("--missing-words", !arguments.missing_words.empty()),
        std::pair("--missing-rank", !arguments.missing_rank.empty()),
        std::pair("--columns", !arguments.columns.empty()),
        std::pair("--drop", !arguments.drop.empty()), std::pair("--transpose", arguments.transpose),
        std::pair("--nearest", arguments.nearest)}) {
    if (is_given) {
      return option;
    }
  }
  return nullptr;
}

/// Returns the first given option that centres or scales.
const char* form_option(const DataArguments& arguments) {
  return arguments.center           ? "--center"
         : arguments.no_center      ? "--no-center"
         : !arguments.scale.empty() ? "--scale"
                                    : nullptr;
}

/// Adds the requested form to the options of a file, which is then read in that form. The data
/// could not always be converted afterwards.
void set_form(const DataArguments& arguments, Json& options) {
  if (arguments.center || arguments.no_center) {
    options["center"] = arguments.center ? "yes" : "no";
  }
  if (!arguments.scale.empty()) {
    options["scale"] = arguments.scale;
  }
  if (arguments.standardize) {
    options["standardize"] = true;
  }
}

/// Returns true if the data set is `file` and its options do not standardise it. Its form is then
/// an option of reading. Standardised data cannot take another form: they have lost their
/// deviations.
bool takes_form_as_options(const DataArguments& arguments, const Settings& settings) {
  const Json standardized = settings.dataset.value("standardize", Json(false));
  return arguments.dataset == kFileDataset && standardized == false;
}

/// Returns the data set in the requested form.
Dataset reformed(Dataset dataset, const DataArguments& arguments) {
  FormChange change{.standardized = arguments.standardize};
  if (arguments.center || arguments.no_center) {
    change.centered = arguments.center;
  }
  if (!arguments.scale.empty()) {
    change.scale = scale_from_name(arguments.scale);
  }
  if (change.is_none()) {
    return dataset;
  }
  std::shared_ptr<const Covariance> covariance = dataset.covariance->in_form(change);
  if (covariance == nullptr) {
    throw InputError(fmt::format(
        "{}: data set {} keeps its form: {}",
        change.standardized ? "--standardize" : form_option(arguments), arguments.dataset,
        dataset.covariance->samples() == 0
            ? "it is S itself; accepted: --standardize"
            : "it is standardised already or lies in a mapped file; accepted: another data set"));
  }
  dataset.covariance = std::move(covariance);
  if (change.standardized) {
    if (const std::string note = constant_variables_note(dataset); !note.empty()) {
      dataset.notes.push_back(fmt::format("{}: {}", arguments.dataset, note));
    }
  }
  return dataset;
}

/// Returns the data set with all of its options.
std::pair<const DatasetEntry*, Json> dataset_and_options(const DataArguments& arguments,
                                                         const Settings& settings) {
  const bool is_file = !arguments.data.empty();
  const DatasetEntry& entry =
      DatasetRegistry::instance().get(is_file ? kFileDataset : arguments.dataset, "--dataset");
  Json given = is_file ? file_options(arguments, settings) : settings.dataset;
  if (arguments.dataset == kFileDataset && given.value("path", Json()) == "-") {
    given["path"] = input_path("-");
  }
  if (takes_form_as_options(arguments, settings)) {
    set_form(arguments, given);
  }
  if (!arguments.draw.empty() && !entry.traits.generated) {
    throw InputError(
        fmt::format("--draw: found {}, and {} is not generated; accepted: generated data, such as "
                    "gaussian",
                    arguments.draw, is_file ? "a file" : arguments.dataset));
  }
  return {&entry, entry.complete_options(given, "--set dataset")};
}

DatasetRequest request_of(const DataArguments& arguments, const GlobalOptions& global,
                          std::uint64_t seed) {
  return {.data_dir = data_directory(global.data_dir),
          .seed = arguments.draw.empty() ? derived_seed(seed, "data")
                                         : seed_or_one("--draw", arguments.draw),
          .base_dir = {},
          .samples_only = arguments.samples_only};
}

/// Throws InputError for a pipe in ranks: every rank reads the file, and only one process can read
/// a pipe.
void refuse_pipe_in_ranks(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file = select_in_file(path).path;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error) &&
      !std::filesystem::is_directory(file, error)) {
    throw InputError(fmt::format(
        "{}: is not a regular file; accepted in ranks, each of which reads it: a file", path));
  }
}

}  // namespace

std::string input_path(const std::string& argument) {
  return argument == "-" ? "/dev/stdin" : argument;
}

std::string in_words_of_the_command_line(std::string text) {
  for (const char* const option :
       {"missing", "missing_words", "separator", "decimal", "header", "standardize", "row_names",
        "kind", "transpose", "columns", "drop", "triangle", "nearest"}) {
    const std::string quoted = fmt::format("`{}`", option);
    std::string here = fmt::format("--{}", option);
    std::replace(here.begin(), here.end(), '_', '-');
    for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted)) {
      text.replace(at, quoted.size(), here);
    }
  }
  return text;
}

void declare_reading_arguments(Declarations& declare, DataArguments& arguments) {
  declare.option(
      "--data FILE", arguments.data,
      "File with the data, or - for standard input. Formats: CSV, .npy, Matrix Market, UCI "
      "docword, svmlight and GCT, plain or gzipped; .npz; HDF5 of AnnData (FILE.h5ad:layers/NAME, "
      "default X), 10x Genomics, loom and MATLAB 7.3; PLINK .bed; .spca.");
  declare_table_arguments(declare, arguments);
  declare.option("--names FILE", arguments.names, "File with the name of a variable on each line.");
}

void declare_table_arguments(Declarations& declare, DataArguments& arguments) {
  declare.option("--missing METHOD", arguments.missing,
                 "Treatment of missing values (NA, NaN, empty): error, mean, low-rank, drop-rows "
                 "or drop-columns. The default is error; for genotypes it is mean.");
  declare.option(
      "--missing-words WORD[,WORD...]", arguments.missing_words,
      "Further words of CSV, or numbers of dense data, that stand for missing values, for example "
      "NONE,-999.");
  declare.option(
      "--separator NAME", arguments.separator,
      "Separator of the fields of CSV (detected by default): comma, semicolon, tab, bar or blank.");
  declare.option("--decimal NAME", arguments.decimal,
                 "Decimal sign of the numbers of CSV (detected by default): point or comma.");
  declare.option(
      "--header yes|no", arguments.header,
      "Whether the first line of CSV names the columns (detected by default): yes or no.");
  declare.option(
      "--row-names yes|no", arguments.row_names,
      "Whether the first column of CSV names the rows (detected by default): yes or no.");
  declare.option("--missing-rank N", arguments.missing_rank,
                 "Rank of the matrix that --missing low-rank fits (default 2).");
  declare.flag("--transpose", arguments.transpose,
               "Read a file that has variables as rows and samples as columns.");
  declare.option("--columns NAME[,NAME...]", arguments.columns,
                 "Variables to keep, as names or positions from 1, for example a,b,7-9.");
  declare.option("--drop NAME[,NAME...]", arguments.drop,
                 "Variables to leave out, named as for --columns.");
}

FileRequest table_reading(const DataArguments& arguments) {
  check_choices(arguments);
  check_missing_rank(arguments);
  const Json options = file_options(arguments, {.solver = {}, .dataset = Json::object()});
  return file_request(options_from_json<FileOptions>(options, "--data"), {});
}

void declare_data_arguments(Declarations& declare, DataArguments& arguments) {
  declare_reading_arguments(declare, arguments);
  declare.option("--dataset NAME", arguments.dataset,
                 "Data set from `spca list datasets`, instead of a file.");
  declare.option("--kind KIND", arguments.kind,
                 "Contents of the file: data (default) or covariance.");
  declare.option("--triangle NAME", arguments.triangle,
                 "Triangle of a covariance matrix that is mirrored: lower or upper.");
  declare.flag(
      "--nearest", arguments.nearest,
      "Set the negative eigenvalues of a covariance matrix to zero and keep its diagonal.");
  declare.flag("--center", arguments.center,
               "Subtract the column means (the default, except for docword files).");
  declare.flag("--no-center", arguments.no_center, "Do not subtract the column means.");
  declare.option("--scale DIVISOR", arguments.scale,
                 "Divisor of X'X in S: n (default), n-1 or none.");
  declare.flag("--standardize", arguments.standardize,
               "Use the correlation matrix as S. Constant variables are reported and left out.");
}

void declare_draw(Declarations& declare, DataArguments& arguments) {
  declare.option("--draw N", arguments.draw,
                 "Draw of a generated data set, such as `spca instances show` prints (default: one "
                 "that follows from --seed).");
}

Settings read_settings(const std::vector<std::string>& assignments) {
  Settings settings{.solver = Json::object(), .dataset = Json::object()};
  for (const std::string& assignment : assignments) {
    if (!assignment.starts_with(kDatasetPrefix)) {
      set_option(settings.solver, assignment);
      continue;
    }
    const std::string rest = assignment.substr(kDatasetPrefix.size());
    const auto set =
        is_text_of_a_file(rest.substr(0, rest.find('='))) ? set_text_option : set_option;
    set(settings.dataset, rest);
  }
  return settings;
}

void check_data_arguments(const DataArguments& arguments, const Settings& settings) {
  if (arguments.data.empty() == arguments.dataset.empty()) {
    throw InputError(fmt::format(
        "{}; accepted: one of --data FILE and --dataset NAME",
        arguments.data.empty() ? "no data given" : "--data and --dataset are both given"));
  }
  if (arguments.center && arguments.no_center) {
    throw InputError("--center and --no-center are both given; accepted: one of them");
  }
  check_choices(arguments);
  check_missing_rank(arguments);
  if (arguments.standardize && (arguments.no_center || !arguments.scale.empty())) {
    throw InputError(
        fmt::format("--standardize: not with {}; accepted: standardised data are centred, and have "
                    "no scale",
                    arguments.no_center ? "--no-center" : "--scale"));
  }
  if (!arguments.dataset.empty()) {
    if (const char* refused = reading_option(arguments)) {
      throw InputError(fmt::format(
          "{}: not with --dataset, which reads its own files; accepted: with --data", refused));
    }
  } else if (arguments.kind == "covariance") {
    if (!settings.dataset.empty()) {
      throw InputError("--set dataset.*: not with --kind covariance; accepted: for a docword file");
    }
    if (const char* refused = form_option(arguments)) {
      throw InputError(fmt::format(
          "{}: not with --kind covariance, which is used unchanged; accepted: with --kind data",
          refused));
    }
  }
}

void check_dataset_options(const DataArguments& arguments, const Settings& settings) {
  dataset_and_options(arguments, settings);
}

Json file_options(const DataArguments& arguments, const Settings& settings) {
  Json options = settings.dataset;
  options["path"] = input_path(arguments.data);
  const auto set = [&options](const char* name, const std::string& value) {
    if (!value.empty()) {
      options[name] = value;
    }
  };
  set("kind", arguments.kind);
  set_form(arguments, options);
  set("missing", arguments.missing);
  set("missing_words", arguments.missing_words);
  if (!arguments.missing_rank.empty()) {
    options["missing_rank"] = parse_whole("--missing-rank", arguments.missing_rank, 1);
  }
  for (const auto& [name, given] :
       {std::pair("transpose", arguments.transpose), std::pair("nearest", arguments.nearest)}) {
    if (given) {
      options[name] = true;
    }
  }
  set("columns", arguments.columns);
  set("drop", arguments.drop);
  set("triangle", arguments.triangle);
  set("separator", arguments.separator);
  set("decimal", arguments.decimal);
  set("header", arguments.header);
  set("row_names", arguments.row_names);
  set("names", input_path(arguments.names));
  return options;
}

Dataset load_data(const DataArguments& arguments, const Settings& settings,
                  const GlobalOptions& global, std::uint64_t seed) {
  const bool is_file = !arguments.data.empty();
  if (is_file && ranks() != nullptr) {
    refuse_pipe_in_ranks(input_path(arguments.data));
  }
  try {
    Dataset dataset = ranks() != nullptr ? load_data_in_ranks(arguments, settings, global, seed)
                                         : load_data_here(arguments, settings, global, seed);
    for (std::string& note : dataset.notes) {
      note = is_file ? in_words_of_the_command_line(std::move(note)) : std::move(note);
    }
    return dataset;
  } catch (const InputError& error) {
    if (!is_file) {
      throw;
    }
    throw InputError(in_words_of_the_command_line(error.what()));
  }
}

std::optional<DataOrigin> data_origin(const DataArguments& arguments, const Settings& settings,
                                      const GlobalOptions& global, std::uint64_t seed) {
  const bool is_reformed = form_option(arguments) != nullptr || arguments.standardize;
  if (!arguments.data.empty() || arguments.dataset == kFileDataset || is_reformed) {
    return std::nullopt;
  }
  const auto [entry, options] = dataset_and_options(arguments, settings);
  return origin_of(*entry, options, request_of(arguments, global, seed));
}

Dataset load_data_here(const DataArguments& arguments, const Settings& settings,
                       const GlobalOptions& global, std::uint64_t seed) {
  const DatasetRequest request = request_of(arguments, global, seed);
  const auto [entry, options] = dataset_and_options(arguments, settings);
  Dataset dataset = entry->load(options, request);
  const bool is_in_form = !arguments.data.empty() || takes_form_as_options(arguments, settings);
  return is_in_form ? std::move(dataset) : reformed(std::move(dataset), arguments);
}

Json data_json(const DataArguments& arguments, const Settings& settings, const Dataset& dataset) {
  const bool is_file = !arguments.data.empty();
  const Covariance& covariance = *dataset.covariance;
  const bool is_data = covariance.samples() > 0;
  const bool has_own_scale = !is_file && arguments.scale.empty() && !arguments.standardize;
  const Json scale = !is_data || has_own_scale ? Json(nullptr)
                     : arguments.scale.empty() ? Json("n")
                                               : Json(arguments.scale);
  return {{"file", is_file ? Json(arguments.data) : Json(nullptr)},
          {"dataset", is_file ? Json(nullptr) : Json(arguments.dataset)},
          {"options", is_file ? file_options(arguments, settings) : settings.dataset},
          {"kind", is_data ? "data" : "covariance"},
          {"centered", is_data ? Json(covariance.is_centered()) : Json(nullptr)},
          {"scale", scale},
          {"standardized", arguments.standardize},
          {"notes", dataset.notes}};
}

}  // namespace spca::cli
