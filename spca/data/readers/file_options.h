#pragma once

/// The options of a file of the user, in the words of experiments.

#include <filesystem>
#include <string>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_dataset.h"

namespace spca {

/// What `--data` and the data set `file` are told.
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
          "what it holds: rows of samples (data) or S itself (covariance); auto: data, unless "
          "Matrix Market says that it is symmetric",
          {"auto", "data", "covariance"});
    visit("center", center, "subtract the means of the columns; auto: yes, but of counts of words",
          {"auto", "yes", "no"});
    visit("scale", scale, "S = X'X / n, / (n - 1) or / 1", {"n", "n-1", "none"});
    visit("standardize", standardize,
          "S is the correlation matrix; constant variables are set aside: their variance is 0");
    visit(
        "missing", missing,
        "what becomes of missing values: an error that counts them, the mean of their column, what "
        "a matrix of low rank has there, or rows or columns are left out; auto: the mean of "
        "genotypes, an error for all else",
        {"auto", "error", "mean", "low-rank", "drop-rows", "drop-columns"});
    visit("missing_rank", missing_rank, "rank of the matrix that missing low-rank takes",
          at_least(0));
    visit("transpose", transpose, "the file has variables as rows and samples as columns");
    visit("columns", columns,
          "the variables that are taken: names or places from 1, as a,b,7-9; empty: all");
    visit("drop", drop, "the variables that are left out, as columns; empty: none");
    visit("triangle", triangle,
          "of kind covariance: the triangle that is mirrored; auto: the one that is there, if the "
          "other is empty",
          {"auto", "lower", "upper"});
    visit("nearest", nearest,
          "of kind covariance: negative eigenvalues become zero, and the diagonal stays");
    visit("missing_words", missing_words,
          "words and numbers of CSV that stand for missing values too, as NONE,-999; empty: none");
    visit("separator", separator, "of fields of CSV; auto: as the first lines show",
          {"auto", "comma", "semicolon", "tab", "bar", "blank"});
    visit("decimal", decimal, "sign of numbers of CSV; auto: as the numbers show",
          {"auto", "point", "comma"});
    visit("header", header, "whether the first line of CSV names the columns; auto: as it shows",
          {"auto", "yes", "no"});
    visit("row_names", row_names,
          "whether the first column of CSV names the rows; auto: as it shows",
          {"auto", "yes", "no"});
    visit("names", names, "a file with the name of a variable on each line; empty: none");
    bag.describe(visit);
  }
};

/// The file as readers take it. A relative path is relative to `base_dir`; if that is empty, to the
/// current folder. Throws InputError for options that contradict each other.
FileRequest file_request(const FileOptions& options, const std::filesystem::path& base_dir);

/// Gives the variables the names that are the first fields of the file's lines. Throws InputError
/// unless there is one for each of the p variables.
void read_variable_names(const std::filesystem::path& path, Dataset& dataset);

}  // namespace spca
