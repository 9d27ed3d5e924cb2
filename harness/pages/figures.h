#pragma once

/// Figures of a run. plotting/ draws them, in a process of its own.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

struct FigureRequest {
  const Experiment* experiment = nullptr;  // of the run: experiment_of_run
  std::filesystem::path run;               // holds cells.jsonl
  std::filesystem::path directory;         // receives the files; made if it is not there
  std::string format = "svg";              // svg, png or pdf
  bool small = false;                      // of svg: words in the reader's fonts, short numbers
  std::filesystem::path data_dir;          // names of variables are read there
};

struct FigureFile {
  std::string name, kind, title;
  std::vector<std::string> notes;  // stand below the figure, too
  std::filesystem::path path;      // empty if the records do not fill the figure:
  std::string why_not;
  Json chart;  // a specification of Vega-Lite, or null for a kind that only print shows
};

/// Draws every figure that the experiment declares, in that order (python_program.h). The same
/// records give the same bytes. Throws InputError if the experiment has no figures, the format is
/// unknown, the directory cannot be written, or there is no Python with matplotlib.
std::vector<FigureFile> draw_figures(const FigureRequest& request);

}  // namespace spca
