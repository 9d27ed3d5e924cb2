#pragma once

/// Results of Google Benchmark (--benchmark_format=json) as a run of a history, so that kernels and
/// cells are one series each in one file. Format: github.com/google/benchmark, docs/user_guide.md.
///
/// A benchmark is a question. Its repetitions are the repeats. `real_seconds` and `cpu_seconds` are
/// its times in seconds for one iteration; a counter keeps its name. If the file has aggregates
/// alone, the median counts, else the mean. Aggregates beside repetitions, and complexities (BigO,
/// RMS), are passed over. A benchmark that reports an error, or was skipped, has no numbers and
/// stands in HistoryEntry::left_out.

#include <filesystem>
#include <string>

#include "harness/history/history_entry.h"

namespace spca {

/// `name` is the file's, for messages. The experiment is the name of the program that ran. Throws
/// InputError "name:line:column: pointer: found ...; accepted: ..." for a text that is not such a
/// file, for a time that is negative or not finite, and for a benchmark that stands there twice.
/// `words.commit` must be given: the file does not say what was measured.
HistoryEntry entry_of_benchmark(const std::string& text, const std::string& name,
                                const EntryWords& words);
/// The same of a file.
HistoryEntry read_benchmark(const std::filesystem::path& path, const EntryWords& words);

}  // namespace spca
