#include "spca/data/files/write_docword.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <utility>

#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Text output to `file`, gzipped if the ending of `path` is .gz.
class TextOutput {
 public:
  TextOutput(const FileDescriptor& file, const fs::path& path) : path_(path) {
    constexpr const char* kFast = "wb1";
    constexpr const char* kPlain = "wbT";
    // zlib closes its descriptor; `file` stays open for its owner.
    const int copy = ::dup(file.get());
    errno = 0;
    stream_ = gzdopen(copy, path_.extension() == ".gz" ? kFast : kPlain);
    if (stream_ == nullptr) {
      ::close(copy);
      fail();
    }
  }
  ~TextOutput() {
    if (stream_ != nullptr) {
      gzclose(stream_);
    }
  }
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  void append(std::string_view text) {
    buffer_ += text;
    constexpr std::size_t kBlock = 1 << 20;
    if (buffer_.size() >= kBlock) {
      flush();
    }
  }
  /// Appends a number and a separator without the cost of a format string: a large corpus has
  /// hundreds of millions of numbers.
  void append(std::int64_t number, char separator) {
    const fmt::format_int digits(number);
    buffer_.append(digits.data(), digits.size());
    buffer_ += separator;
    append("");
  }
  void finish() {
    flush();
    errno = 0;
    if (gzclose(std::exchange(stream_, nullptr)) != Z_OK) {
      fail();
    }
  }

 private:
  void flush() {
    errno = 0;
    if (!buffer_.empty() &&
        gzwrite(stream_, buffer_.data(), static_cast<unsigned>(buffer_.size())) <= 0) {
      fail();
    }
    buffer_.clear();
  }
  [[noreturn]] void fail() const {
    // zlib has errors of its own (no memory), which do not set errno.
    throw_file_error(path_, "cannot be written", errno != 0 ? errno : ENOMEM);
  }

  fs::path path_;
  gzFile stream_ = nullptr;
  std::string buffer_;
};

/// Replaces the file `path` by the text that `write` writes to a TextOutput.
template <class Write>
void write_text(const fs::path& path, Write write) {
  replace_file(path, [&](const FileDescriptor& file, const fs::path& name) {
    TextOutput out(file, name);
    write(out);
    out.finish();
  });
}

/// Returns NAME of docword.NAME.txt or docword.NAME.txt.gz.
std::string corpus_name(const fs::path& path) {
  constexpr std::string_view kPrefix = "docword.";
  constexpr std::string_view kEnding = ".txt";
  fs::path plain = path.filename();
  if (plain.extension() == ".gz") {
    plain = plain.stem();
  }
  const std::string name = plain.string();
  if (!name.starts_with(kPrefix) || !name.ends_with(kEnding) ||
      name.size() <= kPrefix.size() + kEnding.size()) {
    throw InputError(
        fmt::format("{}: accepted: docword.NAME.txt or docword.NAME.txt.gz, so that the words in "
                    "vocab.NAME.txt "
                    "are found",
                    path.string()));
  }
  return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kEnding.size());
}

}  // namespace

void write_docword(ZipfCorpus& corpus, const fs::path& path) {
  const std::string name = corpus_name(path);
  const std::vector<std::string> vocabulary = corpus.vocabulary();
  write_text(path, [&](TextOutput& counts) {
    const ZipfCorpusOptions& options = corpus.options();
    counts.append(fmt::format("{}\n{}\n{}\n", options.documents, options.words, options.nonzeros));
    std::vector<ZipfCorpus::Word> document;
    for (Index d = 1; d <= options.documents; ++d) {
      corpus.next(document);
      for (const auto& [word, count] : document) {
        counts.append(d, ' ');
        counts.append(word + 1, ' ');
        counts.append(count, '\n');
      }
    }
    // These files are written before the file of counts gets its name, so that it never has that
    // name without its words: a reader would then use the words of an older corpus.
    write_text(path.parent_path() / ("vocab." + name + ".txt"), [&](TextOutput& words) {
      for (const std::string& word : vocabulary) {
        words.append(word + "\n");
      }
    });
    write_text(path.parent_path() / ("topics." + name + ".txt"), [&](TextOutput& topics) {
      for (const Component& topic : corpus.topics()) {
        for (const Index word : topic.support) {
          topics.append(vocabulary[static_cast<std::size_t>(word)]);
          topics.append(word == topic.support.back() ? "\n" : " ");
        }
      }
    });
  });
}

}  // namespace spca
