/// PLINK 1 binary genotypes: FILE.bed, with the variants in FILE.bim and the samples in FILE.fam.
/// Source  C. C. Chang et al., Second-generation PLINK, GigaScience 4:7, 2015; the format is at
///         https://www.cog-genomics.org/plink/1.9/formats#bed

#include "spca/data/readers/plink.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/sparse_entries.h"
#include "spca/data/readers/read_rows.h"

namespace spca {
namespace {

constexpr std::size_t kFields = 6;  // of a line of .bim and of .fam
constexpr std::size_t kMagicBytes = 3;

/// Returns the file with this extension beside a .bed file.
std::filesystem::path beside(std::filesystem::path bed, const char* extension) {
  return bed.replace_extension(extension);
}

/// Calls on_fields for each line that is not blank. Returns the number of these lines.
template <class OnFields>
Index read_table(const std::filesystem::path& path, const char* what, const OnFields& on_fields) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(
        fmt::format("{}: is missing; accepted: FILE.bed, FILE.bim and FILE.fam in one "
                    "folder, one line of {} for each of the {}",
                    path.string(), path.extension().string(), what));
  }
  Lines lines(path);
  Index count = 0;
  for (std::string_view line; lines.next(line);) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.empty()) {
      continue;
    }
    if (fields.size() != kFields || count == kLargestInt) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}, at most {} lines",
                                   path.string(), lines.number(), fields.size(), kFields,
                                   kLargestInt));
    }
    ++count;
    on_fields(fields);
  }
  if (count == 0) {
    throw InputError(
        fmt::format("{}: has no line; accepted: one for each of the {}", path.string(), what));
  }
  return count;
}

/// Returns the names "person", or "family:person" if two samples have the same name of a person.
std::vector<std::string> sample_names(std::vector<std::pair<std::string, std::string>> samples) {
  std::unordered_set<std::string_view> persons;
  const bool are_different = std::all_of(samples.begin(), samples.end(), [&](const auto& sample) {
    return persons.insert(sample.second).second;
  });
  std::vector<std::string> names;
  for (auto& [family, person] : samples) {
    names.push_back(are_different ? std::move(person) : family + ":" + person);
  }
  return names;
}

/// Opens the files and sets the names of `content`. Genotypes are not counted.
std::shared_ptr<Genotypes> open_plink(const std::filesystem::path& path, FileContent& content) {
  auto genotypes = std::make_shared<Genotypes>();
  std::vector<std::string> alleles;
  // Chromosome, name, centimorgans, base pair, A1, A2.
  genotypes->variants = read_table(
      beside(path, ".bim"), "variants", [&](const std::vector<std::string_view>& fields) {
        content.variable_names.push_back(
            fields[1] == "." ? fmt::format("{}:{}", fields[0], fields[3]) : std::string(fields[1]));
        alleles.push_back(fmt::format("{}/{}", fields[4], fields[5]));
      });
  genotypes->alleles = std::make_shared<const std::vector<std::string>>(std::move(alleles));
  // Family, person, father, mother, sex, phenotype.
  std::vector<std::pair<std::string, std::string>> samples;
  genotypes->samples =
      read_table(beside(path, ".fam"), "samples", [&](const std::vector<std::string_view>& fields) {
        samples.emplace_back(fields[0], fields[1]);
      });
  content.sample_names = sample_names(std::move(samples));
  const auto file = std::make_shared<const MappedFile>(path);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(file->data());
  if (file->size() < kMagicBytes || bytes[0] != 0x6c || bytes[1] != 0x1b) {
    throw InputError(fmt::format(
        "{}: does not begin with 6c 1b; accepted: PLINK 1 binary genotypes", path.string()));
  }
  if (bytes[2] != 1) {
    throw InputError(
        fmt::format("{}: found the layout {}; accepted: 1, variant by variant (plink "
                    "--make-bed writes it)",
                    path.string(), bytes[2]));
  }
  const std::uint64_t expected =
      kMagicBytes + static_cast<std::uint64_t>(genotypes->variants) *
                        static_cast<std::uint64_t>(genotypes->variant_bytes());
  if (file->size() != expected) {
    throw InputError(fmt::format(
        "{}: has {} bytes; accepted: {}, for the {} variants of .bim and "
        "the {} samples of .fam",
        path.string(), file->size(), expected, genotypes->variants, genotypes->samples));
  }
  genotypes->bytes = bytes + kMagicBytes;
  genotypes->file = file;
  genotypes->memory = file;
  return genotypes;
}

/// Throws InputError if there are genotypes behind the last sample. Four samples share a byte, and
/// so the length of the file does not reveal a missing line of .fam. The bits of the missing sample
/// do: unused bits are 0.
void refuse_bits_behind_samples(const std::filesystem::path& path, const Genotypes& genotypes) {
  const Index used = genotypes.samples % 4;
  for (Index j = 0; j < genotypes.variants && used > 0; ++j) {
    const unsigned last = genotypes.variant(j)[genotypes.variant_bytes() - 1];
    if (last >> (2 * used) != 0) {
      throw InputError(
          fmt::format("{}: variant {} has a genotype behind the {} samples of .fam, which lacks a "
                      "line; accepted: one line of .fam for each sample",
                      path.string(), j + 1, genotypes.samples));
    }
    genotypes.file->touched(1, 1);
  }
}

/// Returns true if this sample has the bits 0, two copies of A1, at every variant.
bool has_only_a1(const Genotypes& genotypes, Index sample) {
  for (Index j = 0; j < genotypes.variants; ++j) {
    genotypes.file->touched(1, 1);
    if (genotype_code(genotypes.variant(j), sample) != 0) {
      return false;
    }
  }
  return true;
}

/// Throws InputError if .fam has a line too many: unused bits then look like a sample with two
/// copies of A1 everywhere. With few variants such a sample may exist, so only a note is added.
void refuse_phantom_samples(const std::filesystem::path& path, const Genotypes& genotypes,
                            FileContent& content) {
  constexpr Index kFewVariants = 8;
  // A sample that begins a byte has a byte of its own in the file, and so exists.
  Index first = genotypes.samples;
  while ((first - 1) % 4 != 0 && has_only_a1(genotypes, first - 1)) {
    --first;
  }
  if (first == genotypes.samples) {
    return;
  }
  // If A1 is the common allele of rare variants, other samples have such genotypes, too.
  for (Index i = 0; i < first; ++i) {
    if (has_only_a1(genotypes, i)) {
      return;
    }
  }
  const std::string found = fmt::format(
      "the last sample of .fam, {}, has two copies of A1 at all {} variants, as no "
      "sample above has",
      in_quotes(content.sample_names.back()), genotypes.variants);
  if (genotypes.variants < kFewVariants) {
    content.notes.push_back(found + ": .fam may have a line too many");
    return;
  }
  throw InputError(
      fmt::format("{}: {}: .fam has a line too many; accepted: one line for each sample (if the "
                  "genotypes are right: the samples in another order, plink --indiv-sort natural)",
                  path.string(), found));
}

}  // namespace

FileContent read_plink(const std::filesystem::path& path) {
  FileContent content;
  const std::shared_ptr<Genotypes> genotypes = open_plink(path, content);
  refuse_bits_behind_samples(path, *genotypes);
  refuse_phantom_samples(path, *genotypes, content);
  genotypes->counts = count_genotypes(*genotypes);
  content.genotypes = genotypes;
  return content;
}

RowsOfFile read_plink_rows(const std::filesystem::path& path, const RowShare& share) {
  RowsOfFile rows;
  rows.content.genotypes = open_plink(path, rows.content);
  rows.samples = rows.content.genotypes->samples;
  rows.held = share.of(rows.samples);
  if (rows.held.last == rows.samples) {
    refuse_bits_behind_samples(path, *rows.content.genotypes);
    refuse_phantom_samples(path, *rows.content.genotypes, rows.content);
  }
  return rows;
}

}  // namespace spca
