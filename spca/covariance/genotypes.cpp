/// Genotypes, which are stored by variants: X has p columns of n codes. A product unpacks a piece
/// of a column into doubles, works on it, and discards it.

#include "spca/covariance/genotypes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "spca/base/parallel.h"
#include "spca/covariance/covariance_data.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/data_view.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

constexpr int kCodes = 4;
constexpr std::array<int, kCodes> kCopies = {2, 0, 1, 0};  // of A1, by code
/// Number of samples in a piece: its doubles and the vector they are multiplied by fit the L1
/// cache.
constexpr Index kPiece = 1024;
/// At least this number of unpacked or multiplied numbers make a thread worthwhile: half a
/// millisecond.
constexpr double kLeastUnpacked = 1e6;
/// Number of samples in a piece of several columns.
constexpr Index kRows = 256;
static_assert(kPiece % kCodes == 0 && kRows % kCodes == 0, "pieces begin with a byte");

using Values = std::array<double, kCodes>;

/// Returns the x of each code.
Values standardised(const GenotypeCounts& counts) {
  const double frequency = frequency_of_a1(counts);
  const double variance = 2 * frequency * (1 - frequency);
  Values values{};
  for (std::size_t code = 0; code < kCodes && variance > 0; ++code) {
    values[code] =
        code == kMissingGenotype ? 0 : (kCopies[code] - 2 * frequency) / std::sqrt(variance);
  }
  return values;
}

/// Writes the codes of some samples of one variant. The bytes of `out` must be zero on entry.
void copy_codes(const std::uint8_t* variant, const std::vector<Index>& samples, std::uint8_t* out) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const unsigned code = genotype_code(variant, samples[i]);
    out[i / kCodes] = static_cast<std::uint8_t>(out[i / kCodes] | code << (2 * (i % kCodes)));
  }
}

/// out[0 .. count) = the x of the samples from `begin` on; `begin` is the first of a byte.
void unpack(const std::uint8_t* variant, const Values& values, Index begin, Index count,
            double* out) {
  const std::uint8_t* bytes = variant + begin / kCodes;
  Index i = 0;
  for (; i + kCodes <= count; i += kCodes) {
    const unsigned byte = *bytes++;
    out[i] = values[byte & 3U];
    out[i + 1] = values[(byte >> 2) & 3U];
    out[i + 2] = values[(byte >> 4) & 3U];
    out[i + 3] = values[byte >> 6];
  }
  for (; i < count; ++i) {
    out[i] = values[genotype_code(variant, begin + i)];
  }
}

/// out += factor * x over `count` entries.
void add_scaled(double factor, const double* __restrict x, Index count, double* __restrict out) {
  for (Index i = 0; i < count; ++i) {
    out[i] += factor * x[i];
  }
}

/// Returns a'b. Four sums are kept, because one would wait for each addition to finish.
double dot(const double* a, const double* b, Index count) {
  double sums[4] = {};
  Index i = 0;
  for (; i + 4 <= count; i += 4) {
    for (Index c = 0; c < 4; ++c) {
      sums[c] += a[i + c] * b[i + c];
    }
  }
  for (; i < count; ++i) {
    sums[0] += a[i] * b[i];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

class GenotypeCovariance final : public Covariance, public HoldsData {
 public:
  GenotypeCovariance(Genotypes genotypes, Scale scale)
      : form_{.centered = true, .scale = scale},
        scale_(checked_scale(genotypes.samples, genotypes.variants, form_)),
        genotypes_(std::move(genotypes)) {
    values_.reserve(static_cast<std::size_t>(variables()));
    diagonal_ = Vector::Zero(variables());
    for (Index j = 0; j < variables(); ++j) {
      const GenotypeCounts& counts = genotypes_.counts[static_cast<std::size_t>(j)];
      values_.push_back(standardised(counts));
      for (std::size_t code = 0; code < kCodes; ++code) {
        const double value = values_.back()[code];
        diagonal_[j] += scale_ * static_cast<double>(counts[code]) * value * value;
      }
    }
  }

  Index variables() const override { return genotypes_.variants; }
  Index samples() const override { return genotypes_.samples; }
  const Vector& diagonal() const override { return diagonal_; }
  DataView data() const override { return {.genotypes = &genotypes_, .form = form_}; }
  bool has_data_form() const override { return true; }
  bool is_centered() const override { return true; }

  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  // v'Sv = ||Bv||^2: never negative.
  double quadratic_form(const Component& v) const override { return data_product(v).squaredNorm(); }
  std::optional<Matrix> gram() const override {
    return gram_.get(samples(), variables(), [this] { return compute_gram(); });
  }
  Vector transpose_product(const Vector& u) const override;
  Vector data_product(const Component& v) const override;
  Vector squared_sample_norms() const override;
  std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const override;

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  Matrix compute_gram() const;
  void transpose_block(const Matrix& scores, Matrix& out) const;

  /// Calls work(begin, end) for consecutive ranges that together contain all variants. In a mapped
  /// file, the next window is prefetched while the current one is worked on, and the current one is
  /// then released.
  template <class Work>
  void pass(const Work& work) const {
    const Index window = std::max<Index>(
        static_cast<Index>(kMappedWindow) / std::max<Index>(genotypes_.variant_bytes(), 1), 1);
    for (Index begin = 0, end = 0; begin < variables(); begin = end) {
      end = std::min(begin + window, variables());
      if (genotypes_.file != nullptr) {
        genotypes_.file->will_need(genotypes_.variant(end),
                                   genotypes_.variant(std::min(end + window, variables())));
      }
      work(begin, end);
      if (genotypes_.file != nullptr) {
        genotypes_.file->release(genotypes_.variant(begin), genotypes_.variant(end));
      }
    }
  }
  /// A pass in which each thread works on all samples of some variants: work(j) for every variant.
  template <class Work>
  void pass_by_variants(double columns, const Work& work) const {
    const int threads = threads_for_pass(columns);
    pass([&](Index first, Index last) {
      parallel_ranges(last - first, 1, threads, [&](Index begin, Index end) {
        for (Index j = first + begin; j < first + end; ++j) {
          work(j);
        }
      });
    });
  }
  /// A pass in which each thread works on some samples of all variants: piece(j, begin, count, x)
  /// for the pieces of every column of X. So the sums of a sample are computed by one thread, in
  /// the order of the variants.
  template <class Piece>
  void pass_by_samples(double columns, const Piece& piece) const {
    const int threads = threads_for_pass(columns);
    pass([&](Index first, Index last) {
      parallel_ranges(samples(), kCodes, threads, [&](Index begin, Index end) {
        for (Index j = first; j < last; ++j) {
          pieces(j, begin, end,
                 [&](Index at, Index count, const double* x) { piece(j, at, count, x); });
        }
      });
    });
  }
  /// Returns the number of threads for a pass over X with `columns` vectors.
  int threads_for_pass(double columns) const {
    return threads_for(
        static_cast<double>(samples()) * static_cast<double>(variables()) * (1 + columns),
        kLeastUnpacked);
  }
  /// Calls piece(begin, count, x) for the pieces of the samples `from` to `to` of column j of X;
  /// `from` is the first of a byte.
  template <class Piece>
  void pieces(Index j, Index from, Index to, const Piece& piece) const {
    std::array<double, kPiece> x;
    for (Index begin = from; begin < to; begin += kPiece) {
      const Index count = std::min(kPiece, to - begin);
      unpack(genotypes_.variant(j), values_[static_cast<std::size_t>(j)], begin, count, x.data());
      piece(begin, count, x.data());
    }
  }
  void touched(std::size_t variants) const {
    if (genotypes_.file != nullptr) {
      genotypes_.file->touched(variants, static_cast<std::size_t>(genotypes_.variant_bytes()));
    }
  }

  DataForm form_;
  double scale_;
  Genotypes genotypes_;
  std::vector<Values> values_;  // p
  Vector diagonal_;             // p
  GramCache gram_;
};

/// B'(Bv) with B = sqrt(scale) X.
void GenotypeCovariance::do_multiply(const Component& v, Vector& out) const {
  out = transpose_product(data_product(v));
}

void GenotypeCovariance::do_multiply(const Vector& v, Vector& out) const {
  Matrix block;
  do_multiply_block(v, block);
  out = block.col(0);
}

/// Two passes over the genotypes for any number of columns: the scores of all samples are needed
/// before the first entry of the result.
void GenotypeCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  Matrix scores = Matrix::Zero(samples(), v.cols());
  const auto columns = static_cast<double>(v.cols());
  pass_by_samples(columns, [&](Index j, Index begin, Index count, const double* x) {
    for (Index c = 0; c < v.cols(); ++c) {
      add_scaled(v(j, c), x, count, scores.col(c).data() + begin);
    }
  });
  transpose_block(scores, out);
  out *= scale_;
}

/// out = X' scores.
void GenotypeCovariance::transpose_block(const Matrix& scores, Matrix& out) const {
  out = Matrix::Zero(variables(), scores.cols());
  pass_by_variants(static_cast<double>(scores.cols()), [&](Index j) {
    pieces(j, 0, samples(), [&](Index begin, Index count, const double* x) {
      for (Index c = 0; c < scores.cols(); ++c) {
        out(j, c) += dot(x, scores.col(c).data() + begin, count);
      }
    });
  });
}

Vector GenotypeCovariance::transpose_product(const Vector& u) const {
  Matrix result;
  transpose_block(u, result);
  return std::sqrt(scale_) * result.col(0);
}

Vector GenotypeCovariance::data_product(const Component& v) const {
  Vector scores = Vector::Zero(samples());
  for (Index k = 0; k < v.cardinality(); ++k) {
    pieces(v.support[static_cast<std::size_t>(k)], 0, samples(),
           [&](Index begin, Index count, const double* x) {
             add_scaled(v.values[k], x, count, scores.data() + begin);
           });
  }
  touched(v.support.size());
  return std::sqrt(scale_) * scores;
}

/// Unpacks a few samples of all chosen columns at a time, so that the memory does not grow with n.
Matrix GenotypeCovariance::submatrix(const Support& support) const {
  const Index k = std::ssize(support);
  Matrix result = Matrix::Zero(k, k);
  Matrix part;
  for (Index begin = 0; begin < samples() && k > 0; begin += kRows) {
    part.resize(std::min(kRows, samples() - begin), k);
    for (Index a = 0; a < k; ++a) {
      const Index j = support[static_cast<std::size_t>(a)];
      unpack(genotypes_.variant(j), values_[static_cast<std::size_t>(j)], begin, part.rows(),
             part.col(a).data());
    }
    result.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose(), scale_);
  }
  touched(support.size());
  result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
  return result;
}

/// Computes X'X_J, times the scale, with a few columns of X_J as dense vectors at a time.
Matrix GenotypeCovariance::columns(const Support& support) const {
  constexpr std::size_t kColumnsTogether = 32;
  Matrix result(variables(), std::ssize(support));
  for (std::size_t begin = 0; begin < support.size(); begin += kColumnsTogether) {
    const std::size_t count = std::min(kColumnsTogether, support.size() - begin);
    Matrix scores(samples(), static_cast<Index>(count));
    for (std::size_t c = 0; c < count; ++c) {
      const Index j = support[begin + c];
      unpack(genotypes_.variant(j), values_[static_cast<std::size_t>(j)], 0, samples(),
             scores.col(static_cast<Index>(c)).data());
    }
    Matrix products;
    transpose_block(scores, products);
    result.middleCols(static_cast<Index>(begin), static_cast<Index>(count)) = scale_ * products;
  }
  touched(support.size());
  return result;
}

Matrix GenotypeCovariance::compute_gram() const {
  constexpr Index kVariantsTogether = 64;
  Matrix gram = Matrix::Zero(samples(), samples());
  Matrix part(samples(), kVariantsTogether);
  pass([&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const Index column = j % kVariantsTogether;
      unpack(genotypes_.variant(j), values_[static_cast<std::size_t>(j)], 0, samples(),
             part.col(column).data());
      if (column == kVariantsTogether - 1 || j == variables() - 1) {
        gram.selfadjointView<Eigen::Lower>().rankUpdate(part.leftCols(column + 1), scale_);
      }
    }
  });
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

Vector GenotypeCovariance::squared_sample_norms() const {
  Vector norms = Vector::Zero(samples());
  pass_by_samples(1, [&](Index, Index begin, Index count, const double* x) {
    for (Index i = 0; i < count; ++i) {
      norms[begin + i] += x[i] * x[i];
    }
  });
  return scale_ * norms;
}

std::shared_ptr<const Covariance> GenotypeCovariance::of_samples(
    const std::vector<Index>& samples) const {
  return make_covariance(chosen_genotypes(genotypes_, samples, all_variables(variables())),
                         form_.scale);
}

}  // namespace

double frequency_of_a1(const GenotypeCounts& counts) {
  double copies = 0;
  double known = 0;
  for (std::size_t code = 0; code < kCodes; ++code) {
    copies += kCopies[code] * static_cast<double>(counts[code]);
    known += code == kMissingGenotype ? 0 : static_cast<double>(counts[code]);
  }
  return known > 0 ? copies / (2 * known) : 0;
}

Vector copies_of_a1(const Genotypes& genotypes, Index j) {
  Vector copies(genotypes.samples);
  const std::uint8_t* const variant = genotypes.variant(j);
  for (Index i = 0; i < genotypes.samples; ++i) {
    const unsigned code = genotype_code(variant, i);
    copies[i] = code == kMissingGenotype ? std::numeric_limits<double>::quiet_NaN() : kCopies[code];
  }
  if (genotypes.file != nullptr) {
    genotypes.file->touched(1, static_cast<std::size_t>(genotypes.variant_bytes()));
  }
  return copies;
}

Genotypes chosen_genotypes(const Genotypes& genotypes, const std::vector<Index>& samples,
                           const std::vector<Index>& variants) {
  Genotypes chosen;
  chosen.samples = std::ssize(samples);
  chosen.variants = std::ssize(variants);
  const Index line = chosen.variant_bytes();
  const auto bytes =
      std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>(line * chosen.variants));
  std::vector<std::string> alleles;
  for (Index j = 0; j < chosen.variants; ++j) {
    const Index variant = variants[static_cast<std::size_t>(j)];
    copy_codes(genotypes.variant(variant), samples, bytes->data() + j * line);
    if (genotypes.alleles != nullptr) {
      alleles.push_back((*genotypes.alleles)[static_cast<std::size_t>(variant)]);
    }
    if (genotypes.file != nullptr) {
      genotypes.file->touched(1, static_cast<std::size_t>(genotypes.variant_bytes()));
    }
  }
  if (genotypes.alleles != nullptr) {
    chosen.alleles = std::make_shared<const std::vector<std::string>>(std::move(alleles));
  }
  chosen.bytes = bytes->data();
  chosen.memory = bytes;
  chosen.counts = count_genotypes(chosen);
  return chosen;
}

std::vector<GenotypeCounts> count_genotypes(const Genotypes& genotypes) {
  std::vector<GenotypeCounts> counts(static_cast<std::size_t>(genotypes.variants));
  for (Index j = 0; j < genotypes.variants; ++j) {
    for (Index i = 0; i < genotypes.samples; ++i) {
      ++counts[static_cast<std::size_t>(j)][genotype_code(genotypes.variant(j), i)];
    }
    if (genotypes.file != nullptr) {
      genotypes.file->touched(1, static_cast<std::size_t>(genotypes.variant_bytes()));
    }
  }
  return counts;
}

std::shared_ptr<const Covariance> make_covariance(Genotypes genotypes, Scale scale) {
  return std::make_shared<GenotypeCovariance>(std::move(genotypes), scale);
}

}  // namespace spca
