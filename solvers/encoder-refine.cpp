/// Sparse linear encoder refined by exchange of single rows until no exchange lowers the loss.
///
/// Problem  minimise ||X - XH(XH)^+X||_F^2  s.t. ||h_j|| = 1, ||h_j||_0 <= k_j; with `rows` common:
///          s.t. H'H = I, H has at most k nonzero rows
/// Step     common rows: each row in turn is exchanged for the one that lowers the loss most; every
///          exchange is scored exactly (encoder_search.h). Separate rows: the same for each
///          component in turn, on the residual of S after the others. The loadings of all are
///          refitted in between (encoder_refit.h). If all components together end on at most k
///          rows, the best encoder on these rows is taken
/// Start    each of `starts`, of which the best result is kept:
///          batch, leverage, pivoted-qr  columns chosen in this way (column_choice.h; batch is
///                     dual-set), exchanged on common rows
///          greedy     columns added one by one, each the best, exchanged on common rows
///          iterative  component after component, each by greedy columns and exchange on the
///                     residual of those before
///          dual-set   the answer of encoder-iterative
///          On common rows the last two do not apply and are skipped. With one component they start
///          at the columns of greedy and batch
/// Stops    common rows: if no exchange raises the captured variance by more than 1e-9 of it.
///          Separate rows: if a round over the components raises it by a share of at most
///          `tolerance`, or if three rounds in a row exchange nothing
/// Cost     a sweep over all rows for one exchange takes O(p k^2) and no product with S. A row that
///          enters takes one column of S and one product. The squared lengths of all columns of S
///          are computed once, or only those that a bound does not exclude
/// Source   this project's; the loss and the encoder on given columns are from Magdon-Ismail,
///          Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include <algorithm>
#include <limits>
#include <set>

#include "spca/covariance/residual_covariance.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/encoder_refit.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::solver_encoder_refine {
namespace {

const Choices kRefineStarts = {"batch",      "greedy",    "leverage",
                               "pivoted-qr", "iterative", "dual-set"};

struct EncoderRefineOptions {
  std::string rows = "own";
  std::vector<std::string> starts = kRefineStarts;
  double tolerance = 1e-8;  // far below the digits of a table of losses

  void describe(OptionVisitor& visit) {
    visit("rows", rows, "own: each component has k rows; common: all have the same k",
          {"own", "common"});
    visit("starts", starts, "where the exchange begins; the best result is kept", kRefineStarts);
    visit("tolerance", tolerance,
          "share of what is captured below which a round over the components ends", at_least(0));
  }
};

// A start ends after this number of rounds that change only the loadings, without an exchange.
// Chosen by trial, not measured.
constexpr int kRoundsInVain = 3;

struct Encoder {
  std::vector<std::vector<Index>> columns = {};  // of each component, in the order of their choice
  std::vector<Component> components = {};
  double captured = -std::numeric_limits<double>::infinity();
};

class Refinement {
 public:
  Refinement(const Problem& problem, const EncoderRefineOptions& options, const Eigenpairs& leading,
             Budget& budget)
      : problem_(problem),
        options_(options),
        leading_(leading),
        budget_(budget),
        store_(problem.covariance, leading) {}

  void try_start(std::string start) {
    // With one component iterative has the same columns as greedy, and dual-set as batch.
    if (problem_.components == 1) {
      start = start == "iterative" ? "greedy" : start == "dual-set" ? "batch" : start;
    }
    if (!tried_.insert(start).second) {
      return;
    }
    budget_.begin_loop();
    Encoder encoder;
    if (start != "iterative" && start != "dual-set") {
      encoder = common_rows(start);
      if (options_.rows == "own" && problem_.components > 1 && !encoder.components.empty()) {
        polish(encoder);
      }
    } else if (options_.rows == "own") {
      encoder = start == "iterative" ? one_after_the_other() : dual_set_start();
      polish(encoder);
    }
    consider(encoder);
    store_.forget_others({});
  }

  /// If all components together use at most as many rows as one may have, the encoder on common
  /// rows is the best on them. This holds for any result of the search, and Theorem 5 with it. It
  /// is recomputed from S: for nearly dependent columns the sums of the search are too inaccurate.
  void join_rows() {
    const Support rows = join_supports(best_.components).support;
    if (std::ssize(rows) >= problem_.components && std::ssize(rows) <= smallest_cardinality()) {
      best_.components = linear_encoder(problem_.covariance, rows, problem_.components).components;
    }
  }

  Encoder& best() { return best_; }

 private:
  /// Keeps the encoder if it is the best so far. Its captured variance is recomputed, because the
  /// sums of the search are inaccurate for nearly dependent columns.
  void consider(const Encoder& encoder) {
    if (encoder.components.empty()) {
      return;
    }
    const double captured = captured_by_encoder(problem_.covariance, encoder.components);
    if (best_.components.empty() || captured > best_.captured) {
      best_ = encoder;
      best_.captured = captured;
    }
  }

  Index smallest_cardinality() const {
    return *std::min_element(problem_.cardinality.begin(), problem_.cardinality.end());
  }

  /// Returns the encoder from this start on common rows. Empty if there are fewer rows than the r
  /// components need.
  Encoder common_rows(const std::string& start) {
    const Index r = problem_.components;
    const Index k = smallest_cardinality();
    if (k < r) {
      return {};
    }
    EncoderSearch search(store_, r, problem_.threads);
    std::vector<Index> columns;
    if (start == "greedy") {
      columns = search.grow({}, k, budget_);
    }
    if (std::ssize(columns) < r) {  // another start than greedy, or time ran out
      const bool is_method = start == "leverage" || start == "pivoted-qr";
      const ColumnChoice choice{.method = is_method ? start : "dual-set", .components = r, .k = k};
      columns = choose_columns(problem_.covariance, leading_, choice, budget_);
    }
    // The start itself is also considered: if time runs out in the exchange, it is the answer.
    consider(on_common_rows(search, columns));
    return on_common_rows(search, search.exchange(std::move(columns), budget_));
  }

  Encoder on_common_rows(EncoderSearch& search, const std::vector<Index>& columns) const {
    const Index r = problem_.components;
    const Support support = sorted(columns);
    const ColumnSpan span = search.span(support);
    return {.columns = std::vector<std::vector<Index>>(static_cast<std::size_t>(r), columns),
            .components = components_on(support, encoder_loadings(span, r)),
            .captured = span.captured_by(r)};
  }

  Encoder one_after_the_other() {
    EncoderSearch search(store_, 1, problem_.threads);
    Encoder encoder;
    for (const Index k : problem_.cardinality) {
      search.project_out(encoder.components);
      std::vector<Index> columns = search.grow({}, k, budget_);
      if (columns.empty()) {
        columns = by_variance(search.diagonal());  // time ran out
      }
      encoder.columns.push_back(search.exchange(std::move(columns), budget_));
      encoder.components.push_back(best_on(search, encoder.columns.back()));
    }
    return encoder;
  }

  /// Returns the answer of encoder-iterative.
  Encoder dual_set_start() {
    ResidualCovariance residual(problem_.covariance);
    Encoder encoder;
    for (const Index k : problem_.cardinality) {
      const Covariance& left = encoder.columns.empty() ? problem_.covariance : residual;
      const ColumnChoice choice{.method = "dual-set", .components = 1, .k = k};
      std::vector<Index> columns = choose_columns(
          left, leading_eigenpairs(left, 1, Exact::kPairs, Copies::kAny), choice, budget_);
      if (columns.empty()) {  // the loss of the components so far is rounding
        columns = by_variance(problem_.covariance.diagonal());
      }
      encoder.columns.push_back(std::move(columns));
      encoder.components.push_back(
          linear_encoder(left, sorted(encoder.columns.back()), 1, problem_.covariance.diagonal())
              .components[0]);
      residual.remove(encoder.components.back());
    }
    return encoder;
  }

  static std::vector<Index> by_variance(const Vector& variances) {
    Index largest = 0;
    variances.maxCoeff(&largest);
    return {largest};
  }

  static Component best_on(EncoderSearch& search, const std::vector<Index>& columns) {
    const Support support = sorted(columns);
    return components_on(support, encoder_loadings(search.span(support), 1))[0];
  }

  void refit(Encoder& encoder) {
    RefitEncoder better =
        refit_encoder(store_, std::move(encoder.components), options_.tolerance, budget_);
    encoder.components = std::move(better.components);
    encoder.captured = better.captured;
  }

  // Alternates exchanges of rows and refits of all loadings. Each result goes to consider(): after
  // an exchange the search's own sums may be off by rounding.
  void polish(Encoder& encoder) {
    EncoderSearch search(store_, 1, problem_.threads);
    consider(encoder);
    refit(encoder);
    for (int in_vain = 0; in_vain < kRoundsInVain && budget_.next(encoder.captured);) {
      const double before = encoder.captured;
      bool exchanged = false;
      for (std::size_t j = 0; j < encoder.columns.size(); ++j) {
        exchanged = exchange_rows(encoder, j, search) || exchanged;
      }
      refit(encoder);
      consider(encoder);
      if (encoder.captured - before <= options_.tolerance * encoder.captured) {
        break;
      }
      in_vain = exchanged ? 0 : in_vain + 1;
    }
  }

  bool exchange_rows(Encoder& encoder, std::size_t j, EncoderSearch& search) {
    std::vector<Component> others = encoder.components;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
    search.project_out(others);
    std::vector<Index>& columns = encoder.columns[j];
    const Support before = sorted(columns);
    // A start may have fewer columns than the cardinality.
    columns = search.grow(std::move(columns), problem_.cardinality[j], budget_);
    columns = search.exchange(std::move(columns), budget_);
    encoder.components[j] = best_on(search, columns);
    return sorted(columns) != before;
  }

  const Problem& problem_;
  const EncoderRefineOptions& options_;
  const Eigenpairs& leading_;
  Budget& budget_;
  ColumnStore store_;
  std::set<std::string> tried_;
  Encoder best_;
};

Solution solve_refine(const Problem& problem, const EncoderRefineOptions& options, Budget& budget) {
  if (options.rows == "common") {
    if (std::optional<Solution> refusal = refuse_common_rows(problem)) {
      return *std::move(refusal);
    }
  }
  const Eigenpairs leading = encoder_eigenpairs(problem, budget);
  if (std::optional<Solution> refusal = refuse_rank(leading)) {
    return *std::move(refusal);
  }
  Refinement refinement(problem, options, leading, budget);
  for (const std::string& start : options.starts) {
    if (!budget.out_of_time()) {
      refinement.try_start(start);
    }
  }
  refinement.join_rows();
  if (refinement.best().components.empty() && !budget.out_of_time()) {
    return skipped(
        "no start of the list applies; accepted: with common rows one such as batch or greedy, "
        "with fewer rows than components iterative or dual-set");
  }
  return make_solution(std::move(refinement.best().components), budget);
}

SPCA_SOLVER("encoder-refine", solve_refine,
            (Traits{.summary = "sparse linear encoder refined until no exchange of rows helps",
                    .problem = "min ||X - XH(XH)^+X||_F^2  s.t. ||h_j|| = 1, ||h_j||_0 <= k_j",
                    .source = "this project",
                    .multiple_components = true,
                    .laws = {"theorem5_slack_common_rows", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData}));

}  // namespace
}  // namespace spca::solver_encoder_refine
