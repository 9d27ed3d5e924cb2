#include "spca/data/readers/read_rows.h"

#include "spca/data/content/file_content.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/docword.h"
#include "spca/data/readers/hdf5.h"
#include "spca/data/readers/matrix_market.h"
#include "spca/data/readers/npy.h"
#include "spca/data/readers/npz.h"
#include "spca/data/readers/plink.h"
#include "spca/data/readers/read_file.h"
#include "spca/data/readers/read_spca.h"

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/base/input_file.h"

namespace spca {
namespace {

RowsOfFile spca_rows(const std::filesystem::path& path, const RowShare& share) {
  RowsOfFile rows;
  rows.content = read_spca(path);
  rows.samples = rows.content.mapped != nullptr ? rows.content.mapped->rows.lines
                                                : rows.content.genotypes->samples;
  rows.held = share.of(rows.samples);
  return rows;
}

}  // namespace

std::optional<RowsOfFile> read_rows(const std::filesystem::path& whole, const RowShare& share,
                                    const CsvForm& form) {
  const auto& [path, matrix] = select_in_file(whole);
  const InputFile input(path);
  const FileFormat format = format_of(path);
  if ((!matrix.empty() && !holds_several(format)) ||
      (form.is_set() && format != FileFormat::kCsv)) {
    return std::nullopt;  // read_file() reports the error
  }
  switch (format) {
    case FileFormat::kCsv:
      return read_csv_rows_of(path, share, form);
    case FileFormat::kNpy:
      return read_npy_rows(path, share);
    case FileFormat::kMatrixMarket:
      return read_matrix_market_rows(path, share);
    case FileFormat::kDocword:
      return read_docword_rows(path, share);
    case FileFormat::kScipyNpz:
      return read_npz_rows(path, matrix, share);
    case FileFormat::kHdf5:
      return read_hdf5_rows(path, matrix, share);
    case FileFormat::kPlink:
      return read_plink_rows(path, share);
    case FileFormat::kSpca:
      return spca_rows(path, share);
    case FileFormat::kSvmlight:
    case FileFormat::kGct:
      return std::nullopt;  // one process reads them
  }
  SPCA_CHECK(false, "a format without a reader");
}

}  // namespace spca
