#pragma once

/// The status of a solve, and its consequences. The functions of this file return:
///
///                      is_usable  is_final  is_repeatable  is_failure
///   converged          yes        yes       yes            no
///   iteration_limit    yes        yes       yes            no
///   incomplete         yes        yes       yes            no
///   time_limit         yes        yes       no             if there are no loadings
///   numerical_failure  no         yes       yes            yes
///   skipped            no         no        no             no
///   failed             no         no        no             yes
///   invalid            no         yes       yes            yes

#include <string>

namespace spca {

/// How a solve ended.
enum class Status {
  kConverged,       // the solver's own stopping rule was met; the answer is usable
  kIterationLimit,  // the budget's iterations ran out; the answer is usable
  kIncomplete,      // a component had nothing left to explain, or no variable that is worth its
                    // penalty, or the solver cannot solve the remaining problem; the answer is the
                    // other components, and the message says why
  kTimeLimit,  // the budget's seconds ran out (usable if there are loadings), or the process ran
               // beyond them and was killed
  kNumericalFailure,  // valid input on which the method broke down; no answer
  kSkipped,           // the solver does not take this problem; the message says why
  kFailed,            // crash, exception or memory limit; also the initial status of a Solution
  kInvalid,           // the harness found the answer infeasible; the message says how
};

/// Returns "converged", "iteration_limit", "incomplete", "time_limit", "numerical_failure",
/// "skipped", "failed" or "invalid".
const char* status_name(Status status);
/// Returns the status of this name. Throws InputError for another word.
Status status_from_name(const std::string& name);

/// Returns true if the loadings of a solution with this status may be used, if there are any.
bool is_usable(Status status);

/// Returns true if an answer with this status may have fewer components than requested.
bool may_lack_components(Status status);

/// Returns true if a solution is an answer: it has loadings, and they may be used.
bool is_answer(Status status, bool has_loadings);

/// Returns true if the cell is done. A cell that failed (a crash, memory) or was skipped (missing
/// data) is tried again by the next run.
bool is_final(Status status);

/// Returns true if every run of this program ends with this status, on any machine and under any
/// load. Only such records are taken from the cache, and only on such records must two runs agree.
bool is_repeatable(Status status);

/// Returns true if a complete answer is required. It is not if the solver skips the problem, or if
/// a component has nothing left to explain: an answer without components is then no failure.
bool owes_answer(Status status);

/// Returns true if a run with this record ends with exit code 3.
bool is_failure(Status status, bool has_loadings);

}  // namespace spca
