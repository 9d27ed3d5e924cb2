#pragma once

/// Draws the figures of a run by the programs in plotting/, in a separate process.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

struct FigureRequest {
  const Experiment* experiment = nullptr;  // experiment_of_run of the run
  std::filesystem::path run;               // folder that contains cells.jsonl
  std::filesystem::path directory;         // receives the files; created if missing
  std::string format = "svg";              // svg, png or pdf
  bool small = false;                      // svg only: few bytes, without the notes
  std::filesystem::path data_dir;          // source of the names of variables
};

struct FigureFile {
  std::string name, kind, title;
  std::vector<std::string> notes;  // also in the figure, if it is not small
  std::filesystem::path path;      // empty if the records do not suffice for the figure
  std::string why_not;             // the reason if `path` is empty; otherwise ""
  Json chart;  // a Vega-Lite specification, or null for a kind that exists only in print
};

/// Draws every figure that the experiment declares, in the declared order (python_program.h). Equal
/// records give equal bytes. Throws InputError if the experiment has no figures, the format is
/// unknown, the directory cannot be written, or there is no Python with matplotlib.
std::vector<FigureFile> draw_figures(const FigureRequest& request);

}  // namespace spca
