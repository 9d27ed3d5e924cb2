#pragma once

/// A corpus that is large to is_large() and takes a tenth of a second, for tests of what large data
/// alone have.

#include <algorithm>
#include <memory>

#include "spca/algebra/covariance.h"
#include "spca/base/random.h"

namespace spca::trial {

/// 30,000 documents of some 15 of 9000 words. Twelve groups of ten words occur together, each in
/// every twelfth document, the later ones more often; all other words are rare.
inline std::shared_ptr<const Covariance> large_corpus(std::uint64_t seed) {
  constexpr int kDocuments = 30'000, kWords = 9000, kGroups = 12;
  Random random(seed);
  SparseRows data(kDocuments, kWords);
  data.reserve(Eigen::VectorXi::Constant(kDocuments, 32));
  for (int i = 0; i < kDocuments; ++i) {
    const int group = i % kGroups;
    std::vector<int> words;
    for (int e = 0; e < 10; ++e) {
      // Frequent words are rarer than those of groups, and common among the rest.
      const double place = random.uniform();
      words.push_back(120 + static_cast<int>(place * place * (kWords - 120)));
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

/// The same S without its samples, so that nothing takes it for large data.
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
