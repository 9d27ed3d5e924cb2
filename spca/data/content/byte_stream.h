#pragma once

/// Reads files that may be gzipped: as bytes, as blocks of lines, or line by line.

#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spca/base/input_file.h"
#include "spca/data/content/byte_source.h"

namespace spca {

/// The bytes of a file, or of a file built into the program (built_in_files.h), from its beginning.
/// A file that begins with the bytes 1f 8b is gunzipped, regardless of its name.
class ByteStream final : public ByteSource {
 public:
  /// Throws InputError for a file that is missing, is a folder or cannot be opened.
  explicit ByteStream(const std::filesystem::path& path);
  ~ByteStream() override;

  /// Throws InputError if the file cannot be read, or if gzip data end early or are corrupted.
  std::size_t read(char* out, std::size_t size) override;
  /// Seeks in a plain file.
  std::uint64_t skip(std::uint64_t size) override;
  const std::string& name() const override { return name_; }
  std::uint64_t largest_content() const override;
  std::uint64_t file_bytes() const override { return file_bytes_; }
  bool is_compressed() const { return is_compressed_; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t read_plain(char* out, std::size_t size);
  std::size_t read_compressed(char* out, std::size_t size);
  /// Reads the next bytes of the file into input_. Returns false at its end.
  bool fill_input();

  std::string name_;
  InputFile input_file_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t file_bytes_ = 0;
  bool is_compressed_ = false;
  bool at_end_ = false;
  std::vector<char> input_;
  z_stream inflate_{};
};

/// A text file as successive blocks of whole lines. Its memory does not depend on the size of the
/// file, only on the longest line.
class LineBlocks {
 public:
  explicit LineBlocks(const std::filesystem::path& path);

  /// The next block: one or more lines, each with '\n' at its end, also the last of the file. Empty
  /// at the end. Valid until the next call.
  std::string_view next();

  ByteStream& stream() { return stream_; }

 private:
  std::string_view next_bytes();

  ByteStream stream_;
  bool is_first_ = true;  // the next block may begin with a byte order mark
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of the bytes that were read but not returned yet
  std::size_t end_ = 0;
  bool at_end_ = false;
};

/// The lines of a text file, one after the other, without the '\n' or "\r\n" at their ends.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : blocks_(path) {}

  /// Reads the next line. Returns false at the end. `line` is valid until the next call.
  bool next(std::string_view& line);
  /// The number of the last line returned, from 1.
  std::size_t number() const { return number_; }
  const std::string& name() { return blocks_.stream().name(); }
  ByteStream& stream() { return blocks_.stream(); }

 private:
  LineBlocks blocks_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

}  // namespace spca
