#pragma once

/// The options for reading a file of the user, in the words that experiments use.

#include <filesystem>
#include <string>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"

namespace spca {

/// The options of `--data` and of the data set `file`.
struct FileOptions {
  std::string path;
  std::string kind = "auto";
  std::string center = "auto";
  std::string scale = "n";
  bool standardize = false;
  std::string missing = "auto";
  Index missing_rank = kImputationRank;
  std::string missing_words;
  bool transpose = false;
  std::string columns;
  std::string drop;
  std::string triangle = "auto";
  bool nearest = false;
  std::string separator = "auto";
  std::string decimal = "auto";
  std::string header = "auto";
  std::string row_names = "auto";
  std::string names;
  BagOptions bag;

  void describe(OptionVisitor& visit) {
    visit(
        "path", path,
        "the file, absolute or relative to the experiment's folder; FILE:MATRIX in HDF5 and .npz");
    visit("kind", kind,
          "content: rows of samples (data) or S itself (covariance); auto: data, unless a Matrix "
          "Market file declares itself symmetric",
          {"auto", "data", "covariance"});
    visit("center", center, "subtract the means of the columns; auto: yes, except for word counts",
          {"auto", "yes", "no"});
    visit("scale", scale, "S = X'X / n, / (n - 1) or / 1", {"n", "n-1", "none"});
    visit("standardize", standardize,
          "make S the correlation matrix; constant variables keep the variance 0");
    visit("missing", missing,
          "treatment of missing values: an error that counts them, the mean of the column, a "
          "low-rank approximation, or leave out rows or columns; auto: the mean for genotypes, an "
          "error for other data",
          {"auto", "error", "mean", "low-rank", "drop-rows", "drop-columns"});
    visit("missing_rank", missing_rank, "rank of the approximation for missing low-rank",
          at_least(1));
    visit("transpose", transpose, "the file has variables as rows and samples as columns");
    visit("columns", columns,
          "variables to keep: names or positions from 1, such as a,b,7-9; empty: all");
    visit("drop", drop, "variables to leave out, in the form of columns; empty: none");
    visit(
        "triangle", triangle,
        "for kind covariance: the triangle to mirror; auto: the only triangle given, if the other "
        "is empty",
        {"auto", "lower", "upper"});
    visit("nearest", nearest,
          "for kind covariance: set negative eigenvalues to zero and keep the diagonal");
    visit("missing_words", missing_words,
          "further words and numbers that mean missing values in CSV, such as NONE,-999; empty: "
          "none");
    visit("separator", separator, "separator of fields in CSV; auto: from the first lines",
          {"auto", "comma", "semicolon", "tab", "bar", "blank"});
    visit("decimal", decimal, "decimal sign of numbers in CSV; auto: from the numbers",
          {"auto", "point", "comma"});
    visit("header", header, "whether the first line of CSV names the columns; auto: from the line",
          {"auto", "yes", "no"});
    visit("row_names", row_names,
          "whether the first column of CSV names the rows; auto: from the column",
          {"auto", "yes", "no"});
    visit("names", names, "a file with the name of a variable on each line; empty: none");
    bag.describe(visit);
  }
};

/// Returns the request for the readers. A relative path is relative to `base_dir` or, if that is
/// empty, to the current folder. Throws InputError if there is no path, or if options contradict
/// each other.
FileRequest file_request(const FileOptions& options, const std::filesystem::path& base_dir);

/// Sets the names of the variables to the first fields of the lines of the file. Throws InputError
/// unless there is a name for each of the p variables.
void read_variable_names(const std::filesystem::path& path, Dataset& dataset);

}  // namespace spca
