#pragma once

/// The part that searches for several components on a core have in common: starts, hops and growth
/// of the core. The caller defines the state and its ascent.
///
/// State   has total(), the value, and is_empty(), true if it is not an answer. Its variables are
///         positions in the core: moved(state, before, after) returns it for a larger core
/// Hops    a hop changes a state at random and lets it ascend. Hops run in batches of
///         kStatesAtOnce, each hop with its own seed, and results are compared in their order, so
///         that the answer does not depend on the number of threads
/// Growth  variables join the core, and hops follow from the best state

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/methods/ascent/core.h"
#include "spca/methods/ascent/gain.h"
#include "spca/solving/solver.h"

namespace spca {

/// Number of starts or hops between two checks of the clock. Chosen by trial, not measured.
inline constexpr Index kStatesAtOnce = 8;

/// Returns the random numbers of one start or hop. They depend on its number, so it does not
/// matter which thread draws them.
inline Random numbered_random(const Problem& problem, std::string_view name, Index number) {
  return Random(hash64(fmt::format("{}/{} {}", problem.seed, name, number)));
}

template <class State>
class CoreSearch {
 public:
  using States = std::vector<State>;
  /// Lets a state ascend on S of the core. Called from several threads.
  using Ascent = std::function<void(const Matrix& matrix, State& state)>;

  /// `problem` and `budget` must outlive the search. The core is empty at first.
  CoreSearch(const Problem& problem, Ascent ascent, Budget& budget)
      : problem_(problem), ascent_(std::move(ascent)), budget_(budget), core_(problem.covariance) {}

  const Core& core() const { return core_; }
  const State& best() const { return best_; }
  bool has_answer() const { return !best_.is_empty(); }
  /// The value that the budget's trace receives.
  double value() const { return std::max(known_value_, has_answer() ? best_.total() : 0.0); }
  /// The best of the states of the last improve() that were worse than the best so far when they
  /// were compared; empty if there were none. A state that was the best for a while does not count.
  const State& runner_up() const { return runner_up_; }
  Index hops() const { return hops_; }

  /// Sets the value of answers that the caller has from elsewhere.
  void set_known_value(double value) { known_value_ = value; }
  /// Adds variables to the core. Returns whether any was new.
  bool extend(const Support& variables);
  /// Sets the best state and returns the one before.
  State exchange_best(State state) { return std::exchange(best_, std::move(state)); }
  /// Keeps a state as it is if its value exceeds the best, even if by rounding.
  void consider(State state);
  /// Lets all states ascend and keeps the best of them if it gains. Returns whether it does.
  bool improve(States states);
  /// Improves `count` starts. `start(i)` is called from several threads, and `use(starts)` then
  /// improves them.
  template <class Start, class Use>
  void draw(Index count, const Start& start, const Use& use);
  /// Improves the states of batches of hops until `patience` hops in a row have gained nothing.
  /// `batch(first)` returns kStatesAtOnce changed states, by the numbers from `first` on.
  template <class Batch>
  void hop(Index patience, const Batch& batch);
  /// Adds variables to the core, improves the best state there, and runs `hops`. Returns whether
  /// that gains.
  template <class Hops>
  bool grow(const Support& variables, const Hops& hops);

 private:
  const Problem& problem_;
  Ascent ascent_;
  Budget& budget_;
  Core core_;
  State best_;
  State runner_up_;
  double known_value_ = -std::numeric_limits<double>::infinity();
  Index hops_ = 0;
};

template <class State>
bool CoreSearch<State>::extend(const Support& variables) {
  const Support before = core_.variables();
  if (!core_.add(variables)) {
    return false;
  }
  runner_up_ = {};
  if (has_answer()) {
    best_ = moved(best_, before, core_.variables());
  }
  return true;
}

template <class State>
void CoreSearch<State>::consider(State state) {
  if (!has_answer() || state.total() > best_.total()) {
    best_ = std::move(state);
  }
}

template <class State>
bool CoreSearch<State>::improve(States states) {
  parallel_for(states.size(), problem_.threads,
               [&](std::size_t i) { ascent_(core_.matrix(), states[i]); });
  runner_up_ = {};
  bool has_gained = false;
  for (State& state : states) {
    if (state.is_empty()) {
      continue;
    }
    if (!has_answer() || is_gain(best_.total(), state.total())) {
      best_ = std::move(state);
      has_gained = true;
    } else if (is_gain(state.total(), best_.total()) &&
               (runner_up_.is_empty() || state.total() > runner_up_.total())) {
      runner_up_ = std::move(state);
    }
  }
  return has_gained;
}

template <class State>
template <class Start, class Use>
void CoreSearch<State>::draw(Index count, const Start& start, const Use& use) {
  for (Index first = 0; first < count && budget_.next(value()); first += kStatesAtOnce) {
    std::vector<decltype(start(first))> starts(
        static_cast<std::size_t>(std::min(kStatesAtOnce, count - first)));
    parallel_for(starts.size(), problem_.threads,
                 [&](std::size_t i) { starts[i] = start(first + static_cast<Index>(i)); });
    use(std::move(starts));
  }
}

template <class State>
template <class Batch>
void CoreSearch<State>::hop(Index patience, const Batch& batch) {
  for (Index idle = 0; idle < patience && budget_.next(value());) {
    const double before = best_.total();
    States states = batch(hops_);
    hops_ += kStatesAtOnce;
    improve(std::move(states));
    idle = is_gain(before, best_.total()) ? 0 : idle + kStatesAtOnce;
  }
}

template <class State>
template <class Hops>
bool CoreSearch<State>::grow(const Support& variables, const Hops& hops) {
  const double before = best_.total();
  if (!extend(variables)) {
    return false;
  }
  improve({best_});
  hops();
  return is_gain(before, best_.total());
}

}  // namespace spca
