#include "spca/data/files/write_spca.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/input_file.h"
#include "spca/covariance/column_shifts.h"
#include "spca/data/content/docword_entries.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/naming.h"
#include "spca/data/content/spca_layout.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/read_file.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// Number of entries of the columns that are built from the rows at a time, to within one column:
/// 400 MB. Each time, all rows are searched.
constexpr std::int64_t kColumnEntries = std::int64_t{1} << 25;
/// Number of entries that are added or read before memory is released.
constexpr std::int64_t kEntriesBetween = std::int64_t{1} << 22;

/// A file of its final length, mapped.
class SpcaOutput {
 public:
  SpcaOutput(const FileDescriptor& file, const std::filesystem::path& path, SpcaHeader header,
             const std::vector<std::string>& names)
      : header_(header) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      throw InputError(fmt::format(
          "{}: is a device or a pipe; accepted: a file, because it is written in no order",
          path.string()));
    }
    std::memcpy(header_.magic, kSpcaMagic.data(), kSpcaMagic.size());
    header_.has_names = names.empty() ? 0 : 1;
    for (const std::string& name : names) {
      header_.name_bytes += sizeof(std::uint32_t) + name.size();
    }
    SPCA_CHECK(is_plausible(header_), "an impossible shape of a matrix");
    layout_ = layout_of(header_);
    header_.file_bytes = layout_.end;
    // The disk space is reserved at once: a store into a mapped page of a full disk ends the
    // process.
    if (const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(layout_.end));
        error != 0) {
      throw_file_error(path, "cannot be written", error);
    }
    mapped_.emplace(file.get(), layout_.end, path);
    write_names(names);
  }

  const SpcaLayout& layout() const { return layout_; }
  template <class Item>
  Item* at(std::uint64_t offset) {
    return reinterpret_cast<Item*>(mapped_->writable() + offset);
  }
  void release_all() const { mapped_->release_all(); }
  void release(const void* begin, const void* end) const { mapped_->release(begin, end); }

  /// Writes the checksums and the header.
  void finish() {
    header_.facts_checksum =
        checksum_of(at<std::byte>(layout_.facts), at<std::byte>(layout_.content));
    for (std::uint64_t begin = layout_.content; begin < layout_.end;) {
      const std::uint64_t end = std::min(begin + kMappedWindow, layout_.end);
      header_.content_checksum =
          continued_checksum(header_.content_checksum, at<std::byte>(begin), at<std::byte>(end));
      mapped_->release(at<std::byte>(begin), at<std::byte>(end));
      begin = end;
    }
    std::memcpy(at<std::byte>(0), &header_, sizeof header_);
    const std::uint64_t end = kSpcaHeaderBytes - sizeof(std::uint32_t);
    const std::uint32_t checksum = checksum_of(at<std::byte>(0), at<std::byte>(end));
    std::memcpy(at<std::byte>(end), &checksum, sizeof checksum);
  }

 private:
  void write_names(const std::vector<std::string>& names) {
    std::uint64_t offset = layout_.names;
    for (const std::string& name : names) {
      const auto length = static_cast<std::uint32_t>(name.size());
      std::memcpy(at<std::byte>(offset), &length, sizeof length);
      offset += sizeof length;
      std::copy(name.begin(), name.end(), at<char>(offset));
      offset += length;
    }
  }

  SpcaHeader header_;
  SpcaLayout layout_;
  std::optional<MappedFile> mapped_;
};

class MappedRows final : public SpcaRows {
 public:
  MappedRows(SpcaOutput& out, Index n, Index p, std::int64_t entries)
      : out_(out),
        n_(n),
        p_(p),
        entries_(entries),
        starts_(out.at<std::int64_t>(out.layout().rows.starts)),
        indices_(out.at<int>(out.layout().rows.indices)),
        values_(out.at<double>(out.layout().rows.values)) {}

  void add(int column, double value) override {
    SPCA_CHECK(count_ < entries_ && column >= 0 && column < p_, "an entry outside the matrix");
    if (!std::isfinite(value)) {
      throw InputError(
          fmt::format("the data have {} in row {}, column {}; accepted: finite numbers", value,
                      row_ + 1, column + 1));
    }
    indices_[count_] = column;
    values_[count_++] = value;
  }

  void end_row() override {
    SPCA_CHECK(row_ < n_, "a row outside the matrix");
    sort(starts_[row_], count_);
    starts_[++row_] = count_;
    if (count_ - released_ > kEntriesBetween) {
      released_ = count_;
      out_.release_all();
    }
  }

  void place(const std::function<void(const OnEntry&)>& scan) override {
    // The entries are counted first. Then the next position of each row moves from its begin to its
    // end.
    std::vector<std::int64_t> next(static_cast<std::size_t>(n_) + 1, 0);
    scan([&](int row, int, double) { ++next[static_cast<std::size_t>(row) + 1]; });
    for (std::size_t row = 0; row < static_cast<std::size_t>(n_); ++row) {
      next[row + 1] += next[row];
    }
    std::copy(next.begin(), next.end(), starts_);
    scan([&](int row, int column, double value) {
      const std::int64_t at = next[static_cast<std::size_t>(row)]++;
      SPCA_CHECK(at < entries_, "the second pass over a file gave more entries than the first");
      indices_[at] = column;
      values_[at] = value;
      if (++count_ % kEntriesBetween == 0) {
        out_.release_all();
      }
    });
    for (; row_ < n_; ++row_) {
      sort(starts_[row_], starts_[row_ + 1]);
    }
    out_.release_all();
  }

  void restart() override { row_ = count_ = released_ = 0; }
  std::optional<EntryPosition> repeated() const override { return repeated_; }

  void check_complete() const {
    SPCA_CHECK(row_ == n_ && count_ == entries_, "fewer entries than announced");
  }

 private:
  /// Sorts the entries from `begin` to `end`, which are row `row_`.
  void sort(std::int64_t begin, std::int64_t end) {
    if (!std::is_sorted(indices_ + begin, indices_ + end)) {
      line_.clear();
      for (std::int64_t e = begin; e < end; ++e) {
        line_.emplace_back(indices_[e], values_[e]);
      }
      std::sort(line_.begin(), line_.end());
      for (std::int64_t e = begin; e < end; ++e) {
        std::tie(indices_[e], values_[e]) = line_[static_cast<std::size_t>(e - begin)];
      }
    }
    const int* const twice = std::adjacent_find(indices_ + begin, indices_ + end);
    if (twice != indices_ + end && !repeated_) {
      repeated_ = EntryPosition{row_, *twice};
    }
  }

  SpcaOutput& out_;
  Index n_;
  Index p_;
  std::int64_t entries_;
  std::int64_t* starts_;
  int* indices_;
  double* values_;
  Index row_ = 0;
  std::int64_t count_ = 0;
  std::int64_t released_ = 0;
  std::optional<EntryPosition> repeated_;
  std::vector<std::pair<int, double>> line_;
};

/// Returns the p + 1 starts of the columns.
std::vector<std::int64_t> column_starts(const SpcaOutput& out, const SparseArrays& rows, Index p) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(p) + 1, 0);
  for (std::int64_t e = 0; e < rows.entries(); ++e) {
    ++starts[static_cast<std::size_t>(rows.indices[e]) + 1];
    if (e % kEntriesBetween == 0) {
      out.release_all();
    }
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(p); ++j) {
    starts[j + 1] += starts[j];
  }
  return starts;
}

/// Writes the columns and their facts from the rows, a few columns at a time: scattered writes then
/// stay within a window.
void write_columns(SpcaOutput& out, Index n, Index p) {
  const SpcaLayout& layout = out.layout();
  const SparseArrays rows = {.lines = n,
                             .starts = out.at<std::int64_t>(layout.rows.starts),
                             .indices = out.at<int>(layout.rows.indices),
                             .values = out.at<double>(layout.rows.values)};
  const std::vector<std::int64_t> starts = column_starts(out, rows, p);
  std::copy(starts.begin(), starts.end(), out.at<std::int64_t>(layout.columns.starts));
  int* const indices = out.at<int>(layout.columns.indices);
  double* const values = out.at<double>(layout.columns.values);
  double* const facts = out.at<double>(layout.facts);
  for (Index first = 0, last = 0; first < p; first = last) {
    const auto begin = starts.begin() + first;
    last = std::upper_bound(begin + 1, starts.end() - 1, *begin + kColumnEntries) - starts.begin();
    std::vector<std::int64_t> next(begin, starts.begin() + last);
    std::int64_t released = 0;
    for (Index row = 0; row < n; ++row) {
      const int* const line_begin = rows.indices + rows.starts[row];
      const int* const line_end = rows.indices + rows.starts[row + 1];
      for (const int* index = std::lower_bound(line_begin, line_end, first);
           index != line_end && *index < last; ++index) {
        const std::int64_t offset = next[static_cast<std::size_t>(*index - first)]++;
        indices[offset] = static_cast<int>(row);
        values[offset] = rows.values[index - rows.indices];
      }
      // Releases only the rows: the current columns would be touched again at once.
      if (rows.starts[row + 1] - released > kEntriesBetween || row == n - 1) {
        out.release(rows.indices + released, line_end);
        out.release(rows.values + released, rows.values + rows.starts[row + 1]);
        released = rows.starts[row + 1];
      }
    }
    const ColumnFacts part = column_facts(
        {.lines = last - first, .starts = &*begin, .indices = indices, .values = values}, n);
    std::copy(part.sums.begin(), part.sums.end(), facts + first);
    std::copy(part.squares.begin(), part.squares.end(), facts + p + first);
    std::copy(part.centered_squares.begin(), part.centered_squares.end(), facts + 2 * p + first);
    out.release_all();
  }
}

/// Converts a docword file: in one pass if it is sorted by document, otherwise in three, the first
/// of which ends at the first document out of order.
void convert_docword(const std::filesystem::path& from, const std::filesystem::path& to) {
  const DocwordSizes sizes = docword_sizes(from);
  const SpcaShape shape = {.n = sizes.documents,
                           .p = sizes.words,
                           .entries = sizes.entries,
                           .is_bag_of_words = true,
                           .variable_names = read_vocabulary(from, sizes.words)};
  write_spca(to, shape, [&](SpcaRows& rows) {
    int current = 0;
    bool is_sorted = true;
    scan_docword(from, [&](int document, int word, double count) {
      is_sorted = document >= current;
      for (; is_sorted && current < document; ++current) {
        rows.end_row();
      }
      if (is_sorted) {
        rows.add(word, count);
      }
      return is_sorted;
    });
    if (is_sorted) {
      for (; current < sizes.documents; ++current) {
        rows.end_row();
      }
    } else {
      rows.restart();
      rows.place([&from](const SpcaRows::OnEntry& on_entry) {
        scan_docword(from, [&on_entry](int document, int word, double count) {
          on_entry(document, word, count);
          return true;
        });
      });
    }
    if (const auto twice = rows.repeated()) {
      reject_repeated_word(from, *twice);
    }
  });
}

/// Subtracts shifts from entries before they are written to a file.
class ShiftedRows {
 public:
  ShiftedRows(const Vector& shifts, SpcaRows& out)
      : shifts_(shifts), shifted_(shifted_columns(shifts)), out_(out) {}

  void add_row(const int* indices, const double* values, int count) const {
    each_shifted(indices, values, count, shifts_, shifted_,
                 [this](int column, double value) { out_.add(column, value); });
    out_.end_row();
  }

 private:
  const Vector& shifts_;
  std::vector<int> shifted_;
  SpcaRows& out_;
};

void add_sparse(const SparseRows& matrix, const ShiftedRows& rows) {
  const int* const starts = matrix.outerIndexPtr();
  for (Index i = 0; i < matrix.rows(); ++i) {
    rows.add_row(matrix.innerIndexPtr() + starts[i], matrix.valuePtr() + starts[i],
                 starts[i + 1] - starts[i]);
  }
}

void add_dense(const Matrix& matrix, const ShiftedRows& rows) {
  std::vector<int> indices;
  std::vector<double> values;
  for (Index i = 0; i < matrix.rows(); ++i) {
    indices.clear();
    values.clear();
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j) != 0) {
        indices.push_back(static_cast<int>(j));
        values.push_back(matrix(i, j));
      }
    }
    rows.add_row(indices.data(), values.data(), static_cast<int>(indices.size()));
  }
}

/// Adds the rows of a mapped source, and releases the pages that were read.
void add_mapped(const MappedSparse& data, const ShiftedRows& rows) {
  std::int64_t released = 0;
  for (Index i = 0; i < data.rows.lines; ++i) {
    const std::int64_t begin = data.rows.starts[i];
    rows.add_row(data.rows.indices + begin, data.rows.values + begin, data.rows.count(i));
    if (data.rows.starts[i + 1] - released > kEntriesBetween) {
      released = data.rows.starts[i + 1];
      data.file->release_all();
    }
  }
}
/// The shape that is written for some content, and the shifts that are subtracted from its columns.
struct Conversion {
  SpcaShape shape;
  Vector subtracted;  // p, or none
};

void plan_mapped(const MappedSparse& data, Conversion& to) {
  SpcaShape& shape = to.shape;
  shape.n = data.rows.lines;
  shape.p = data.columns.lines;
  shape.shifts = data.shifts;
  if (shape.shifts.size() == 0 && !shape.is_bag_of_words) {
    to.subtracted = shape.shifts = column_shifts(data.columns, data.facts, shape.n);
  }
  shape.entries = shifted_entries(data.columns, to.subtracted, shape.n);
}

void plan_sparse(const SparseRows& matrix, Conversion& to) {
  SpcaShape& shape = to.shape;
  shape.n = matrix.rows();
  shape.p = matrix.cols();
  const ColumnsOfRows columns(matrix);
  if (!shape.is_bag_of_words) {
    to.subtracted = shape.shifts = column_shifts(columns.arrays(), columns.facts, shape.n);
  }
  shape.entries = shifted_entries(columns.arrays(), to.subtracted, shape.n);
}

void plan_dense(const Matrix& matrix, Conversion& to) {
  SpcaShape& shape = to.shape;
  shape.n = matrix.rows();
  shape.p = matrix.cols();
  Vector shifts = Vector::Zero(shape.p);
  for (Index j = 0; j < shape.p; ++j) {
    shifts[j] = shift_of_dense(matrix.col(j));
    shape.entries += shifts[j] != 0 ? shape.n : (matrix.col(j).array() != 0).count();
  }
  if (!shifts.isZero(0)) {
    to.subtracted = shape.shifts = shifts;
  }
}

Conversion plan(const FileContent& content) {
  Conversion to;
  to.shape.is_bag_of_words = content.is_bag_of_words;
  to.shape.variable_names = content.variable_names;
  if (content.mapped != nullptr) {
    plan_mapped(*content.mapped, to);
  } else if (content.sparse != nullptr) {
    plan_sparse(*content.sparse, to);
  } else {
    plan_dense(content.dense, to);
  }
  return to;
}

/// Returns the notes of the reader, and notes on properties that a .spca file cannot store.
std::vector<std::string> notes_of(const FileContent& content, const std::filesystem::path& from) {
  std::vector<std::string> notes = content.notes;
  if (content.is_symmetric) {
    notes.emplace_back("is symmetric, but a .spca file holds data and not a covariance matrix");
  }
  if (!content.sample_names.empty()) {
    notes.emplace_back("has names of rows, which a .spca file cannot store");
  }
  for (std::string& note : notes) {
    note = fmt::format("{}: {}", from.string(), note);
  }
  return notes;
}

}  // namespace

void write_spca(const std::filesystem::path& path, const SpcaShape& shape,
                const std::function<void(SpcaRows&)>& fill) {
  replace_file(path, [&](const FileDescriptor& file, const std::filesystem::path& name) {
    SpcaHeader header;
    header.is_bag_of_words = shape.is_bag_of_words ? 1 : 0;
    header.n = static_cast<std::uint64_t>(shape.n);
    header.p = static_cast<std::uint64_t>(shape.p);
    header.entries = static_cast<std::uint64_t>(shape.entries);
    header.version = shape.shifts.size() > 0 ? kSpcaShiftedVersion : kSpcaVersion;
    SpcaOutput out(file, name, header, shape.variable_names);
    std::copy(shape.shifts.begin(), shape.shifts.end(),
              out.at<double>(out.layout().facts) + 3 * shape.p);
    MappedRows rows(out, shape.n, shape.p, shape.entries);
    fill(rows);
    rows.check_complete();
    write_columns(out, shape.n, shape.p);
    out.finish();
  });
}

void write_spca(const std::filesystem::path& path, const Genotypes& genotypes,
                const std::vector<std::string>& variable_names) {
  replace_file(path, [&](const FileDescriptor& file, const std::filesystem::path& name) {
    SpcaHeader header;
    header.kind = SpcaKind::kGenotypes;
    header.n = static_cast<std::uint64_t>(genotypes.samples);
    header.p = static_cast<std::uint64_t>(genotypes.variants);
    SpcaOutput out(file, name, header, variable_names);
    std::copy(genotypes.counts.begin(), genotypes.counts.end(),
              out.at<GenotypeCounts>(out.layout().facts));
    const auto line = static_cast<std::size_t>(genotypes.variant_bytes());
    for (Index j = 0; j < genotypes.variants; ++j) {
      std::uint8_t* const to =
          out.at<std::uint8_t>(out.layout().content + static_cast<std::size_t>(j) * line);
      std::memcpy(to, genotypes.variant(j), line);
      if (static_cast<std::size_t>(j) % (kMappedWindow / line + 1) == 0) {
        out.release_all();
        if (genotypes.file != nullptr) {
          genotypes.file->release_all();
        }
      }
    }
    out.finish();
  });
}

std::vector<std::string> convert_to_spca(const FileRequest& request,
                                         const std::filesystem::path& to) {
  const std::filesystem::path& from = request.path;
  CsvForm form = request.csv;
  std::error_code error;
  if (std::filesystem::equivalent(from, to, error)) {
    throw InputError(fmt::format("{}: is both input and output; accepted: two files", to.string()));
  }
  try {
    const FileSelection file = select_in_file(from);
    const InputFile input(file.path);
    if (format_of(file.path) == FileFormat::kDocword && !form.is_set() &&
        request.choice.is_default()) {
      convert_docword(from, to);
      return {};
    }
    form.keeps_missing = keeps_missing(request.missing);
    FileContent content = read_file(from, form);
    naming(from.string(), [&] {
      choose_table(request.choice, TableKind::kData, content);
      settle_missing(request.missing, content, request.missing_rank);
    });
    if (content.genotypes != nullptr) {
      write_spca(to, *content.genotypes, content.variable_names);
      return notes_of(content, from);
    }
    const Conversion conversion = plan(content);
    write_spca(to, conversion.shape, [&](SpcaRows& out) {
      const ShiftedRows rows(conversion.subtracted, out);
      naming(from.string(), [&] {
        if (content.mapped != nullptr) {
          add_mapped(*content.mapped, rows);
        } else if (content.sparse != nullptr) {
          add_sparse(*content.sparse, rows);
        } else {
          add_dense(content.dense, rows);
        }
      });
    });
    return notes_of(content, from);
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: does not fit into memory", from.string()));
  }
}

}  // namespace spca
