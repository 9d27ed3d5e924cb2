#pragma once

/// The project's own file, which is mapped and not read: sparse data by rows and by columns, or
/// genotypes at two bits. Numbers are little-endian. The parts follow each other; each begins at a
/// multiple of 64 bytes:
///
///   header    128 bytes: SpcaHeader, then zeros, then the CRC-32 of all before it
///   facts     of each column: 3 x p doubles (ColumnFacts), in version 2 also p shifts; or p x 4
///             counts of 32 bits (GenotypeCounts); then the names, each as its length in 32 bits
///             and its bytes
///   content   rows: starts (n + 1, 64 bits), indices (32 bits), values (doubles), each from a
///             multiple of 64; then columns in the same way. Or p x ceil(n / 4) bytes of genotypes
///
/// A file of version 1 holds X. One of version 2 holds X - 1c' with the shifts c, so that columns
/// whose mean is large relative to their deviation lose no digits (column_shifts.h); its facts
/// describe X - 1c'.
///
/// Opening verifies the header, the length of the file, and the checksum of the facts. The content
/// is verified in files up to kCheckedAtOpen bytes, and in any file by check_spca.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spca/data/content/sparse_entries.h"
#include "spca/data/files/read_dataset.h"

namespace spca {

/// The properties of a sparse file other than its entries.
struct SpcaShape {
  Index n = 0;
  Index p = 0;
  std::int64_t entries = 0;
  bool is_bag_of_words = false;
  std::vector<std::string> variable_names;  // p, or none
  Vector shifts = Vector();                 // c, if the entries are of X - 1c'; else empty
};

/// Receives the entries of a matrix, row after row.
class SpcaRows {
 public:
  virtual ~SpcaRows() = default;
  /// Adds the next entry of the row. Throws InputError unless it is finite. There must not be more
  /// entries than announced.
  virtual void add(int column, double value) = 0;
  /// Ends the row and sorts it. Also called for empty rows.
  virtual void end_row() = 0;
  /// Adds all entries at once, in any order, and ends all rows: `scan` calls its argument for each
  /// entry (row, column, value), and is called twice. Values are not checked.
  using OnEntry = std::function<void(int row, int column, double value)>;
  virtual void place(const std::function<void(const OnEntry&)>& scan) = 0;
  /// Removes all entries.
  virtual void restart() = 0;
  /// Returns the first position found twice in a row that has ended, or nothing.
  virtual std::optional<EntryPosition> repeated() const = 0;
};

/// Writes a file with the entries that `fill` adds. The memory does not depend on their number. The
/// file gets its name only when it is complete. Throws InputError if it cannot be written, and then
/// leaves no file.
void write_spca(const std::filesystem::path& path, const SpcaShape& shape,
                const std::function<void(SpcaRows&)>& fill);
/// The same as write_spca() above, for genotypes.
void write_spca(const std::filesystem::path& path, const Genotypes& genotypes,
                const std::vector<std::string>& variable_names);

/// Converts any file that read_file() reads. Of `from`, only these count: the path, the form of a
/// table, the choice of columns and the treatment of missing values. A docword file of which all
/// columns are taken is streamed from file to file. Other data are read first. Columns with large
/// means are shifted, unless they are word counts. Of dense data the nonzeros are written. Returns
/// notes on how the file was read and on properties that the new file lacks, one line each; none
/// for a docword file.
std::vector<std::string> convert_to_spca(const FileRequest& from, const std::filesystem::path& to);

}  // namespace spca
