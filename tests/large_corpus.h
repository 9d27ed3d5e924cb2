#pragma once

/// A corpus for which is_large() is true and which takes a tenth of a second to draw, for tests of
/// code that only large data reach.

#include <algorithm>
#include <memory>

#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"

namespace spca::trial {

/// Returns S of 30,000 documents, each with about 15 of 9000 words. There are twelve groups of ten
/// words. Every twelfth document has words of the same group, and more of them if the group is a
/// later one. All other words are rare.
inline std::shared_ptr<const Covariance> large_corpus(std::uint64_t seed) {
  constexpr int kDocuments = 30'000, kWords = 9000, kGroups = 12;
  Random random(seed);
  SparseRows data(kDocuments, kWords);
  data.reserve(Eigen::VectorXi::Constant(kDocuments, 32));
  for (int i = 0; i < kDocuments; ++i) {
    const int group = i % kGroups;
    std::vector<int> words;
    for (int e = 0; e < 10; ++e) {
      // Words outside the groups get rarer with their number.
      const double draw = random.uniform();
      words.push_back(120 + static_cast<int>(draw * draw * (kWords - 120)));
    }
    for (int e = 0; e < 3 + group / 2; ++e) {
      words.push_back(group * 10 + static_cast<int>(random.below(10)));
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const int word : words) {
      data.insert(i, word) = 1 + static_cast<double>(random.below(3));
    }
  }
  data.makeCompressed();
  return make_covariance(data.markAsRValue(), {});
}

/// The S of another covariance without its samples, so that is_large() is false.
class WithoutSamples final : public Covariance {
 public:
  explicit WithoutSamples(std::shared_ptr<const Covariance> base) : base_(std::move(base)) {}
  Index variables() const override { return base_->variables(); }
  Index samples() const override { return 0; }
  Matrix submatrix(const Support& support) const override { return base_->submatrix(support); }
  Matrix columns(const Support& support) const override { return base_->columns(support); }
  const Vector& diagonal() const override { return base_->diagonal(); }
  double quadratic_form(const Component& v) const override { return base_->quadratic_form(v); }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    multiply_uncounted(*base_, v, out);
  }
  void do_multiply(const Component& v, Vector& out) const override {
    multiply_uncounted(*base_, v, out);
  }
  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    multiply_uncounted(*base_, v, out);
  }

 private:
  std::shared_ptr<const Covariance> base_;
};

}  // namespace spca::trial
