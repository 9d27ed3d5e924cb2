#pragma once

/// A block's child process, and what it says to its parent.

#include "harness/runs/known_spectra.h"
#include "harness/runs/measuring_stage.h"
#include "harness/runs/run_writer.h"
#include "harness/runs/runner_cell.h"

namespace spca {

/// Frames on the pipe from a child to its parent.
enum class FrameKind : std::uint32_t {
  kLoad,   // the data of the job of this index in the block are loaded from now on, without a limit
  kBegin,  // that job runs from now on
  kFound,  // the answer of a cell follows as far as it is known: it is judged and measured from now
           // on
  kSpectrum,   // eigenvalues of the data of a cell follow, as doubles
  kAnswer,     // the answer of a cell follows (answer_text)
  kUnmeasured  // the stored answer of a cell could not be measured anew: why follows
};
struct FrameHeader {
  FrameKind kind = FrameKind::kBegin;
  std::uint64_t index = 0;   // of the job in its block; of the cell, if something follows
  std::uint64_t length = 0;  // of what follows
};

/// The whole life of a child. Never returns and never throws, for the stack below it is the
/// parent's; exits with 0 when the block is done, with
/// kExitOutOfMemory when the rest of it should go to a clean process. `store` has the lines of
/// answers that are measured, `spectra` what earlier children have told of eigenvalues. `stage` is
/// told what is measured.
[[noreturn]] void run_child(const RunContext& context, const RunStore& store,
                            const KnownSpectra& spectra, const Block& block, MeasuringStage& stage,
                            int pipe) noexcept;

inline constexpr int kExitOutOfMemory = 99;

/// RLIMIT_AS counts address space, of which a sanitizer reserves terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kCanLimitMemory = false;
#else
inline constexpr bool kCanLimitMemory = true;
#endif

}  // namespace spca
