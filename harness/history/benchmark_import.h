#pragma once

/// Imports results of Google Benchmark (--benchmark_format=json) as a run of a history, so that
/// kernels and cells are series in one file. Format: github.com/google/benchmark,
/// docs/user_guide.md.
///
/// A benchmark is a question, and its repetitions are the repeats. `real_seconds` and `cpu_seconds`
/// are its times in seconds for one iteration; a counter keeps its name. If the file has only
/// aggregates, the median is used, or the mean if there is no median. Aggregates beside
/// repetitions, and complexities (BigO, RMS), are ignored. A repetition that reports an error, or
/// was skipped, has no numbers; its benchmark is listed in HistoryEntry::left_out.

#include <filesystem>
#include <string>

#include "harness/history/history_entry.h"

namespace spca {

/// Reads a text; `name` is the file's name in messages. The experiment is the name of the program
/// that ran. Throws InputError "name:line:column: pointer: found ...; accepted: ..." for a text in
/// another format, for a time that is negative or not finite, and for a repetition or an aggregate
/// that occurs twice. `words.commit` is required, because the file does not name the commit.
HistoryEntry entry_of_benchmark(const std::string& text, const std::string& name,
                                const EntryWords& words);
/// Reads a file as entry_of_benchmark reads a text.
HistoryEntry read_benchmark(const std::filesystem::path& path, const EntryWords& words);

}  // namespace spca
