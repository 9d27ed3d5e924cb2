#include "spca/data/files/missing_genotypes.h"

#include <fmt/format.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/data/readers/table_choice.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

[[noreturn]] void refuse_missing(const FileContent& content, const std::string& found) {
  const Genotypes& genotypes = *content.genotypes;
  Index variant = 0;
  while (genotypes.counts[static_cast<std::size_t>(variant)][kMissingGenotype] == 0) {
    ++variant;
  }
  const Vector copies = copies_of_a1(genotypes, variant);
  Index sample = 0;
  while (!std::isnan(copies[sample])) {
    ++sample;
  }
  const auto name = [](const std::vector<std::string>& names, Index at) {
    return names.empty() ? "" : fmt::format(" ({})", names[static_cast<std::size_t>(at)]);
  };
  throw InputError(fmt::format(
      "sample {}{}, variant {}{}: found a missing genotype, the first of {}; accepted: `missing` "
      "as mean, drop-rows or drop-columns",
      sample + 1, name(content.sample_names, sample), variant + 1,
      name(content.variable_names, variant), found));
}

/// Returns the samples without missing genotypes.
std::vector<Index> complete_samples(const Genotypes& genotypes) {
  std::vector<bool> is_complete(static_cast<std::size_t>(genotypes.samples), true);
  for (Index j = 0; j < genotypes.variants; ++j) {
    if (genotypes.counts[static_cast<std::size_t>(j)][kMissingGenotype] == 0) {
      continue;
    }
    const Vector copies = copies_of_a1(genotypes, j);
    for (Index i = 0; i < genotypes.samples; ++i) {
      is_complete[static_cast<std::size_t>(i)] =
          is_complete[static_cast<std::size_t>(i)] && !std::isnan(copies[i]);
    }
  }
  std::vector<Index> complete = all_variables(genotypes.samples);
  std::erase_if(complete, [&](Index i) { return !is_complete[static_cast<std::size_t>(i)]; });
  return complete;
}

void leave_out(FileContent& content, const std::vector<Index>& samples,
               const std::vector<Index>& variants, const std::string& found) {
  const Genotypes& all = *content.genotypes;
  const bool is_of_rows = std::ssize(samples) < all.samples;
  if (samples.empty() || variants.empty()) {
    throw InputError(
        fmt::format("every {} has a missing genotype, and so none would be left; accepted: "
                    "`missing` as mean or {}",
                    is_of_rows ? "sample" : "variant", is_of_rows ? "drop-columns" : "drop-rows"));
  }
  content.notes.push_back(
      is_of_rows ? fmt::format("{} of {} samples left out, which had {}",
                               all.samples - std::ssize(samples), all.samples, found)
                 : fmt::format("{} of {} variants left out, which had {}",
                               all.variants - std::ssize(variants), all.variants, found));
  select_names(samples, content.sample_names);
  select_names(variants, content.variable_names);
  content.genotypes = std::make_shared<const Genotypes>(chosen_genotypes(all, samples, variants));
}

}  // namespace

void settle_missing_genotypes(Missing missing, FileContent& content) {
  const Genotypes& genotypes = *content.genotypes;
  std::uint64_t count = 0;
  for (const GenotypeCounts& of_variant : genotypes.counts) {
    count += of_variant[kMissingGenotype];
  }
  if (count == 0) {
    return;
  }
  const std::string found = fmt::format("{} missing genotype{}", count, count == 1 ? "" : "s");
  switch (missing) {
    case Missing::kError:
      refuse_missing(content, found);
    case Missing::kLowRank:
      throw InputError(
          "`missing` low-rank: not with genotypes; accepted: error, mean, drop-rows, drop-columns");
    case Missing::kDropRows:
      leave_out(content, complete_samples(genotypes), all_variables(genotypes.variants), found);
      return;
    case Missing::kDropColumns: {
      std::vector<Index> complete = all_variables(genotypes.variants);
      std::erase_if(complete, [&](Index j) {
        return genotypes.counts[static_cast<std::size_t>(j)][kMissingGenotype] > 0;
      });
      leave_out(content, all_variables(genotypes.samples), complete, found);
      return;
    }
    default:
      content.notes.push_back(fmt::format("{} took the mean of {}", found,
                                          count == 1 ? "its variant" : "their variants"));
  }
}

}  // namespace spca
