#pragma once

/// Genotypes of two bits each, as in PLINK's files, and their covariance.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spca/base/mapped_file.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The number of samples with each of the four codes.
using GenotypeCounts = std::array<std::uint32_t, 4>;

/// n samples by p variants. Variant j has variant_bytes() bytes, one after the other; sample i has
/// the bits 2 (i mod 4) and 2 (i mod 4) + 1 of byte i / 4. Bits behind the last sample mean
/// nothing.
///
///   0  two copies of allele A1    2  one copy
///   1  missing                    3  none
struct Genotypes {
  Index samples = 0;                    // n
  Index variants = 0;                   // p
  const std::uint8_t* bytes = nullptr;  // p * variant_bytes()
  /// p: the number of samples with each code.
  std::vector<GenotypeCounts> counts;
  /// "A1/A2" of each variant; null if they are not known.
  std::shared_ptr<const std::vector<std::string>> alleles;
  /// The owner of `bytes`. Products release the pages that they have read of `file`, if there is
  /// one.
  std::shared_ptr<const void> memory;
  std::shared_ptr<const MappedFile> file;  // null if `bytes` lie in memory

  /// ceil(n / 4).
  Index variant_bytes() const { return (samples + 3) / 4; }
  /// The bytes of variant j, 0 <= j < p.
  const std::uint8_t* variant(Index j) const { return bytes + j * variant_bytes(); }
};

/// The code of a genotype that is missing.
inline constexpr unsigned kMissingGenotype = 1;

/// Returns the code of a sample, given the bytes of a variant.
inline unsigned genotype_code(const std::uint8_t* variant, Index sample) {
  return (unsigned{variant[sample / 4]} >> (2 * (sample % 4))) & 3U;
}

/// Counts the codes of all variants, in one pass.
std::vector<GenotypeCounts> count_genotypes(const Genotypes& genotypes);

/// Returns the copies of A1 of variant j, one number for each sample, NaN for a missing genotype.
Vector copies_of_a1(const Genotypes& genotypes, Index j);
/// The frequency of A1 among the samples whose genotype is known; 0 if there are none.
double frequency_of_a1(const GenotypeCounts& counts);

/// Returns a copy of these samples and variants, in memory.
Genotypes chosen_genotypes(const Genotypes& genotypes, const std::vector<Index>& samples,
                           const std::vector<Index>& variants);

/// Returns S of genotypes that are standardised as usual in genetics. With g copies of A1 and its
/// frequency f among the samples,
///
///   x_ij = (g_ij - 2 f_j) / sqrt(2 f_j (1 - f_j)),   0 if g_ij is missing: the mean
///
/// A variant without variation is a column of zeros. The columns of X have the mean zero, and so X
/// is always centred. X is never unpacked: products read the two bits. of_samples() standardises
/// again. Throws InputError unless n and p fit the scale.
///
/// Source  N. Patterson, A. L. Price, D. Reich, Population structure and eigenanalysis, PLoS
///         Genetics 2(12), 2006, eq. 1-3; as in EIGENSOFT and `plink --pca`.
std::shared_ptr<const Covariance> make_covariance(Genotypes genotypes, Scale scale);

}  // namespace spca
