#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "spca/base/error.h"
#include "spca/data/zipf_corpus.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// A file that gets its name when it is complete. Gzipped or not by its name.
class TextFile {
 public:
  explicit TextFile(fs::path path) : path_(std::move(path)), part_(path_.string() + ".part") {
    constexpr const char* kFast = "wb1";
    constexpr const char* kPlain = "wbT";
    errno = 0;
    file_ = gzopen(part_.c_str(), path_.extension() == ".gz" ? kFast : kPlain);
    if (file_ == nullptr) {
      fail();
    }
  }
  ~TextFile() {
    if (file_ != nullptr) {
      gzclose(file_);
      std::error_code error;
      fs::remove(part_, error);
    }
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void append(std::string_view text) {
    buffer_ += text;
    constexpr std::size_t kBlock = 1 << 20;
    if (buffer_.size() >= kBlock) {
      flush();
    }
  }
  /// Digits, without what a format string costs: a corpus has hundreds of millions of numbers.
  void append(std::int64_t number, char separator) {
    const fmt::format_int digits(number);
    buffer_.append(digits.data(), digits.size());
    buffer_ += separator;
    append("");
  }
  void finish() {
    flush();
    errno = 0;
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) {
      fail();
    }
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) {
      throw InputError(fmt::format("{}: {}", path_.string(), error.message()));
    }
  }

 private:
  void flush() {
    errno = 0;
    if (!buffer_.empty() &&
        gzwrite(file_, buffer_.data(), static_cast<unsigned>(buffer_.size())) <= 0) {
      fail();
    }
    buffer_.clear();
  }
  [[noreturn]] void fail() const {
    const int reason = errno;
    std::error_code error;
    fs::remove(part_, error);
    throw InputError(fmt::format("{}: cannot be written: {}", path_.string(),
                                 reason != 0 ? std::strerror(reason) : "zlib failed"));
  }

  fs::path path_, part_;
  gzFile file_ = nullptr;
  std::string buffer_;
};

/// NAME of docword.NAME.txt or docword.NAME.txt.gz.
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
  TextFile words(path.parent_path() / ("vocab." + name + ".txt"));
  for (const std::string& word : vocabulary) {
    words.append(word + "\n");
  }
  TextFile topics(path.parent_path() / ("topics." + name + ".txt"));
  for (const Component& topic : corpus.topics()) {
    for (const Index word : topic.support) {
      topics.append(vocabulary[static_cast<std::size_t>(word)]);
      topics.append(word == topic.support.back() ? "\n" : " ");
    }
  }
  TextFile counts(path);
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
  words.finish();
  topics.finish();
  counts.finish();
}

}  // namespace spca
