#pragma once

/// The child process of a block, and its messages to the parent.

#include "harness/cells/known_spectra.h"
#include "harness/cells/measuring_stage.h"
#include "harness/cells/runner_cell.h"
#include "harness/runs/run_writer.h"

namespace spca {

/// Frames on the pipe from a child to its parent.
enum class FrameKind : std::uint32_t {
  kLoad,   // loading the data of the job with this index in the block begins, without a time limit
  kBegin,  // that job begins
  kFound,  // followed by the answer of a cell so far, which the child now judges and measures
  kSpectrum,   // followed by eigenvalues of a cell's data, as doubles
  kAnswer,     // followed by the answer of a cell (answer_text)
  kUnmeasured  // followed by the reason why the stored answer of a cell could not be measured
};
struct FrameHeader {
  FrameKind kind = FrameKind::kBegin;
  std::uint64_t index = 0;   // of the job in its block; of the cell, if a text or numbers follow
  std::uint64_t length = 0;  // number of bytes that follow
};

/// Runs a block in a child. Never returns and never throws, because the stack below it is the
/// parent's. Exits with 0 when the block is done, or with kExitOutOfMemory if the rest of the block
/// should run in a new process. `store` has the lines of answers to be measured, `spectra` the
/// eigenvalues that earlier children reported. `stage` receives the metric being measured.
[[noreturn]] void run_child(const RunContext& context, const RunStore& store,
                            const KnownSpectra& spectra, const Block& block, MeasuringStage& stage,
                            int pipe) noexcept;

inline constexpr int kExitOutOfMemory = 99;

/// Sanitizers reserve terabytes of address space, which RLIMIT_AS counts.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kCanLimitMemory = false;
#else
inline constexpr bool kCanLimitMemory = true;
#endif

}  // namespace spca
