#include "tests/properties/shrink.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/properties/elsewhere.h"
#include "tests/properties/guarded_case.h"

namespace spca::properties {
namespace {

Support all_but(Index count, Index first, Index left_out) {
  Support kept;
  for (Index i = 0; i < count; ++i) {
    if (i < first || i >= first + left_out) {
      kept.push_back(i);
    }
  }
  return kept;
}

/// Returns true if the cardinalities and the number of components are valid for p variables.
bool fits(const Question& question) {
  const Index p = question.matrix.variables();
  return p >= 1 && question.components <= p &&
         std::all_of(question.cardinality.begin(), question.cardinality.end(),
                     [&](Index k) { return k >= 1 && k <= p; });
}

Question without_variables(Question question, Index first, Index count) {
  HuntedMatrix& matrix = question.matrix;
  const Support kept = all_but(matrix.variables(), first, count);
  if (matrix.is_data()) {
    matrix.data = Matrix(matrix.data(Eigen::all, kept));
  } else {
    matrix.covariance = Matrix(matrix.covariance(kept, kept));
  }
  for (Index& k : question.cardinality) {
    k = std::min(k, matrix.variables());
  }
  return question;
}

/// Removes whole blocks of a large S, so that its optimum stays known.
Question without_blocks(Question question, std::size_t first, std::size_t count) {
  HuntedMatrix& matrix = question.matrix;
  std::vector<Support> blocks = matrix.blocks;
  const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(first);
  blocks.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  Support kept;
  for (const Support& block : blocks) {
    kept.insert(kept.end(), block.begin(), block.end());
  }
  if (matrix.is_data()) {
    matrix.data = Matrix(matrix.data(Eigen::all, kept));
  } else {
    matrix.covariance = Matrix(matrix.covariance(kept, kept));
  }
  Index at = 0;
  for (Support& block : blocks) {
    std::iota(block.begin(), block.end(), at);
    at += static_cast<Index>(block.size());
  }
  matrix.blocks = std::move(blocks);
  return question;
}

double rounded(double value, int digits) {
  if (value == 0) {
    return 0;
  }
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - digits + 1);
  return std::round(value / unit) * unit;
}

class Shrinker {
 public:
  Shrinker(HuntCase hunted, Contradiction shown)
      : best_{.hunted = std::move(hunted), .shown = std::move(shown)}, cost_(cost()) {}

  Shrunk run() {
    bool is_smaller = true;
    while (is_smaller && tries_ < kMostTries) {
      is_smaller = shrink_size();
      is_smaller = shrink_request() || is_smaller;
      is_smaller = shrink_numbers() || is_smaller;
    }
    return best_;
  }

 private:
  const Question& question() const { return best_.hunted.question; }

  /// Keeps the smaller question if it still contradicts the same claim; returns true if so.
  bool try_smaller(Question smaller) {
    HuntCase hunted{.question = std::move(smaller), .check = best_.hunted.check};
    return try_smaller(std::move(hunted));
  }
  bool try_smaller(HuntCase hunted) {
    if (tries_ >= kMostTries || !fits(hunted.question)) {
      return false;
    }
    tries_ += cost_;
    for (const Contradiction& found : run_guarded(hunted).contradictions) {
      if (found.claim == best_.shown.claim) {
        best_ = {.hunted = std::move(hunted), .shown = found};
        return true;
      }
    }
    return false;
  }

  bool shrink_size() {
    bool is_smaller = false;
    const HuntedMatrix& matrix = question().matrix;
    if (matrix.correlation) {
      return false;
    }
    const bool is_large = !matrix.blocks.empty();
    const auto count = [&] {
      return is_large ? std::ssize(question().matrix.blocks) : question().matrix.variables();
    };
    for (Index step = is_large ? count() / 2 : 1; step >= 1; step /= 2) {
      for (Index first = count() - step; first >= 0; first -= step) {
        is_smaller =
            try_smaller(is_large ? without_blocks(question(), static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(step))
                                 : without_variables(question(), first, step)) ||
            is_smaller;
      }
    }
    for (Index first = question().matrix.data.rows() - 1; first >= 0; --first) {
      Question smaller = question();
      const Support kept = all_but(smaller.matrix.data.rows(), first, 1);
      smaller.matrix.data = Matrix(question().matrix.data(kept, Eigen::all));
      is_smaller = try_smaller(std::move(smaller)) || is_smaller;
    }
    return is_smaller;
  }

  bool shrink_request() {
    bool is_smaller = false;
    if (best_.hunted.check != kAnswerAlone) {
      is_smaller = try_smaller(HuntCase{.question = question(), .check = kAnswerAlone});
    }
    const auto try_change = [&](const std::function<void(Question&)>& change) {
      Question smaller = question();
      change(smaller);
      const bool is_other =
          smaller.cardinality != question().cardinality ||
          smaller.components != question().components || smaller.seed != question().seed ||
          smaller.threads != question().threads || smaller.storage != question().storage ||
          smaller.deflation != question().deflation || smaller.options != question().options;
      is_smaller = (is_other && try_smaller(std::move(smaller))) || is_smaller;
    };
    try_change([](Question& q) {
      if (q.components > 1) {
        --q.components;
        q.cardinality.resize(
            std::min(q.cardinality.size(), static_cast<std::size_t>(q.components)));
        q.deflation = q.components == 1 ? "" : q.deflation;
      }
    });
    for (std::size_t j = 0; j < question().cardinality.size(); ++j) {
      try_change([&](Question& q) {
        if (j < q.cardinality.size()) {
          q.cardinality[j] = std::max<Index>(1, q.cardinality[j] - 1);
        }
      });
    }
    try_change([](Question& q) { q.seed = 1; });
    try_change([](Question& q) { q.threads = 1; });
    try_change([](Question& q) { q.options = Json::object(); });
    try_change([](Question& q) { q.storage = Storage::kDense; });
    try_change([](Question& q) { q.deflation = q.deflation.empty() ? "" : "remove-support"; });
    return is_smaller;
  }

  bool shrink_numbers() {
    bool is_smaller = false;
    if (!question().matrix.blocks.empty() || question().matrix.correlation) {
      return false;
    }
    for (const int digits : {1, 2, 3, 6}) {
      Question smaller = question();
      for (Matrix* matrix : {&smaller.matrix.covariance, &smaller.matrix.data}) {
        *matrix = matrix->unaryExpr([&](double x) { return rounded(x, digits); });
      }
      const bool is_other = smaller.matrix.covariance != question().matrix.covariance ||
                            smaller.matrix.data != question().matrix.data;
      if (is_other && try_smaller(std::move(smaller))) {
        return true;
      }
    }
    const Index p = question().matrix.covariance.rows();
    for (Index i = 0; i < p; ++i) {
      for (Index j = 0; j < i; ++j) {
        Question smaller = question();
        if (smaller.matrix.covariance(i, j) != 0) {
          smaller.matrix.covariance(i, j) = smaller.matrix.covariance(j, i) = 0;
          is_smaller = try_smaller(std::move(smaller)) || is_smaller;
        }
      }
    }
    return is_smaller;
  }

  /// Returns the cost of one run of this case, in tries: another program takes a second to start,
  /// and a large S some seconds to solve.
  int cost() const {
    const std::vector<std::string> places = elsewhere();
    const bool is_elsewhere =
        std::find(places.begin(), places.end(), best_.hunted.check) != places.end();
    const bool is_large = question().matrix.variables() > 100;
    return is_elsewhere ? 16 : is_large ? 8 : 1;
  }

  Shrunk best_;
  int cost_;
  int tries_ = 0;
};

}  // namespace

Shrunk shrink(HuntCase hunted, const Contradiction& shown) {
  return Shrinker(std::move(hunted), shown).run();
}

}  // namespace spca::properties
