#pragma once

/// Keeps the answers of a run whose data files cannot be read now. The checksum of the files is
/// part of a key, so that a file that was moved away would make every answer another cell's.

#include "harness/runs/run_writer.h"
#include "harness/runs/runner.h"

namespace spca {

/// Gives the variants of `context` whose data files cannot be read the identities that they have in
/// the folder of the run, if these differ in nothing but the data. Their finished cells then stay.
/// Prints a line for each such data set on stderr. A variant keeps its own identity if one of its
/// files can be read: then the data may have changed.
void keep_answers_without_data(const RunRequest& request, RunContext& context);

}  // namespace spca
