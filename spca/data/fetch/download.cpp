#include "spca/data/fetch/download.h"

#ifdef SPCA_HAVE_CURL

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr long kMostRedirects = 10;
/// Slower than this for the whole timeout is a server that has stopped to answer.
constexpr long kLeastBytesASecond = 100;
constexpr long kLongestWait = 60;  // seconds between two attempts, whatever the server asks for
constexpr long kPartialContent = 206;
constexpr long kRangeNotSatisfiable = 416;

enum class Outcome { kDone, kBrokenOff, kOtherFile, kFailed };

struct CloseCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// A weak one promises no equal bytes, and may not be asked with (RFC 9110, section 13.1.5).
bool is_strong(const std::string& etag) { return !etag.empty() && !etag.starts_with("W/"); }

/// One request and its answer.
class Transfer {
 public:
  Transfer(const DownloadRequest& request, PartFile& part) : request_(request), part_(part) {}

  Outcome run();
  const std::string& message() const { return message_; }
  /// Seconds that the server asks to be left alone for; 0 where it does not.
  long retry_after() const { return retry_after_; }

 private:
  void set_options();
  void ask_for_the_rest();
  Outcome outcome_of(CURLcode code);
  bool end(Outcome outcome, const std::string& message);
  bool accept_answer();
  bool accept_status(long status);
  bool accept_range();
  bool write(std::string_view bytes);
  void read_header(std::string_view line);

  const DownloadRequest& request_;
  PartFile& part_;
  std::unique_ptr<CURL, CloseCurl> curl_{curl_easy_init()};
  std::unique_ptr<curl_slist, FreeList> headers_;
  char error_[CURL_ERROR_SIZE] = "";
  std::uint64_t offset_ = 0;  // of the first byte that was asked for
  std::string etag_, last_modified_, content_range_;
  bool is_accepted_ = false;
  Outcome outcome_ = Outcome::kDone;  // as our own checks have it
  std::exception_ptr disk_error_;
  std::string message_;
  long retry_after_ = 0;
};

Outcome Transfer::run() {
  SPCA_CHECK(curl_ != nullptr, "libcurl can be started");
  set_options();
  ask_for_the_rest();
  const CURLcode code = curl_easy_perform(curl_.get());
  if (disk_error_) {
    std::rethrow_exception(disk_error_);
  }
  curl_off_t wait = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RETRY_AFTER, &wait);
  retry_after_ = static_cast<long>(wait);
  return outcome_of(code);
}

void Transfer::set_options() {
  CURL* curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMostRedirects);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, request_.timeout);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kLeastBytesASecond);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, request_.timeout);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "spca-bench");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_);
  const curl_write_callback on_body = [](char* bytes, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->write({bytes, size}) ? size : 0;
  };
  const curl_write_callback on_header = [](char* line, std::size_t, std::size_t size, void* self) {
    static_cast<Transfer*>(self)->read_header({line, size});
    return size;
  };
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
}

void Transfer::ask_for_the_rest() {
  const PartOrigin& origin = part_.origin();
  if (part_.size() == 0 || part_.size() >= request_.bytes || origin.url != request_.url ||
      origin.sha256 != request_.sha256 || !origin.has_validator()) {
    part_.start_again();
    return;
  }
  offset_ = part_.size();
  curl_easy_setopt(curl_.get(), CURLOPT_RANGE, fmt::format("{}-", offset_).c_str());
  const std::string& validator = is_strong(origin.etag) ? origin.etag : origin.last_modified;
  if (!validator.empty()) {
    headers_.reset(curl_slist_append(nullptr, ("If-Range: " + validator).c_str()));
    curl_easy_setopt(curl_.get(), CURLOPT_HTTPHEADER, headers_.get());
  }
}

void Transfer::read_header(std::string_view line) {
  const auto value_of = [line](std::string_view name) -> std::optional<std::string> {
    const bool is_it = line.size() > name.size() && line[name.size()] == ':' &&
                       std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
                         return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
                       });
    if (!is_it) {
      return std::nullopt;
    }
    const std::string_view rest = line.substr(name.size() + 1);
    const std::size_t begin = rest.find_first_not_of(" \t");
    const std::size_t end = rest.find_last_not_of(" \t\r\n");
    return begin == std::string_view::npos ? "" : std::string(rest.substr(begin, end + 1 - begin));
  };
  if (line.starts_with("HTTP/")) {  // the answer after a redirect has headers of its own
    etag_.clear();
    last_modified_.clear();
    content_range_.clear();
  }
  etag_ = value_of("etag").value_or(etag_);
  last_modified_ = value_of("last-modified").value_or(last_modified_);
  content_range_ = value_of("content-range").value_or(content_range_);
}

/// Notes how the transfer ends; false, for the caller to return.
bool Transfer::end(Outcome outcome, const std::string& message) {
  outcome_ = outcome;
  message_ = fmt::format("{}: {}", request_.url, message);
  return false;
}

bool Transfer::accept_status(long status) {
  constexpr long kTimeout = 408;
  constexpr long kTooMany = 429;
  if (status == kRangeNotSatisfiable && offset_ > 0) {
    return end(Outcome::kOtherFile, "the file there has become shorter");
  }
  if (status >= 500 || status == kTimeout || status == kTooMany) {
    return end(Outcome::kBrokenOff, fmt::format("the server answers with status {}", status));
  }
  // 0: file://
  if (status != 0 && status != 200 && status != kPartialContent) {
    return end(Outcome::kFailed,
               fmt::format("the server answers with status {}; accepted: 200", status));
  }
  return true;
}

bool Transfer::accept_range() {
  if (offset_ == 0) {
    return end(Outcome::kFailed, "the server sends a part although the whole was asked for");
  }
  const PartOrigin& origin = part_.origin();
  const std::string wanted = fmt::format("bytes {}-{}/", offset_, request_.bytes - 1);
  // A part need not repeat what the whole was described with (RFC 9110, section 15.3.7).
  const bool is_same_file = (etag_.empty() || etag_ == origin.etag) &&
                            (last_modified_.empty() || last_modified_ == origin.last_modified);
  const bool is_rest =
      content_range_ == wanted + std::to_string(request_.bytes) || content_range_ == wanted + "*";
  return is_same_file && is_rest
             ? true
             : end(Outcome::kOtherFile, "the file there is not the one whose part is here");
}

/// What the headers say, before the first byte is kept.
bool Transfer::accept_answer() {
  is_accepted_ = true;
  long status = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (!accept_status(status) || (status == kPartialContent && !accept_range())) {
    return false;
  }
  if (status == 200 && offset_ > 0) {  // no ranges, or another file by now: all of it comes
    part_.start_again();
    offset_ = 0;
  }
  curl_off_t length = -1;
  curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length >= 0 && static_cast<std::uint64_t>(length) + offset_ != request_.bytes) {
    part_.start_again();
    return end(Outcome::kFailed,
               fmt::format("the server announces {} bytes; expected: {}",
                           static_cast<std::uint64_t>(length) + offset_, request_.bytes));
  }
  if (offset_ == 0) {
    part_.set_origin({.url = request_.url,
                      .sha256 = request_.sha256,
                      .etag = etag_,
                      .last_modified = last_modified_});
  }
  return true;
}

bool Transfer::write(std::string_view bytes) {
  try {
    if (!is_accepted_ && !accept_answer()) {
      return false;
    }
    if (bytes.size() > request_.bytes - part_.size()) {
      part_.start_again();
      return end(Outcome::kFailed,
                 fmt::format("the server sends more than the {} bytes expected", request_.bytes));
    }
    part_.append(bytes);
  } catch (const InputError&) {  // libcurl is C: nothing may be thrown through it
    disk_error_ = std::current_exception();
    return false;
  }
  request_.on_bytes(part_.size());
  return true;
}

Outcome Transfer::outcome_of(CURLcode code) {
  if (code == CURLE_OK && !is_accepted_) {
    accept_answer();  // an answer without a body
  }
  if (outcome_ != Outcome::kDone) {
    return outcome_;
  }
  if (code == CURLE_OK && part_.size() == request_.bytes) {
    return Outcome::kDone;
  }
  const std::string so_far = fmt::format("{} of {} bytes", part_.size(), request_.bytes);
  const std::string reason = *error_ != '\0' ? error_ : curl_easy_strerror(code);
  switch (code) {
    case CURLE_OK:
    case CURLE_PARTIAL_FILE:
      end(Outcome::kBrokenOff, fmt::format("the server ends after {}", so_far));
      break;
    case CURLE_OPERATION_TIMEDOUT:
      end(Outcome::kBrokenOff,
          fmt::format("nothing came for {} s after {}", request_.timeout, so_far));
      break;
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      end(Outcome::kBrokenOff, fmt::format("{} ({})", reason, so_far));
      break;
    case CURLE_TOO_MANY_REDIRECTS:
      end(Outcome::kFailed, fmt::format("more than {} redirects", kMostRedirects));
      break;
    default:
      end(Outcome::kFailed, reason);
  }
  return outcome_;
}

}  // namespace

std::string downloader_version() { return curl_version_info(CURLVERSION_NOW)->version; }

void download(const DownloadRequest& request, PartFile& part) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  bool has_started_again = false;
  long wait = 1;
  for (int retry = 0;;) {
    Transfer transfer(request, part);
    const Outcome outcome = transfer.run();
    if (outcome == Outcome::kDone) {
      return;
    }
    if (outcome == Outcome::kOtherFile && !has_started_again) {
      has_started_again = true;
      request.on_message(transfer.message() + "; starting again");
      part.start_again();
      continue;
    }
    if (outcome != Outcome::kBrokenOff || retry == request.retries) {
      throw DownloadError(transfer.message() +
                          (retry > 0 ? fmt::format(" (after {} retries)", retry) : ""));
    }
    ++retry;
    const long seconds = std::min(std::max(wait, transfer.retry_after()), kLongestWait);
    request.on_message(fmt::format("{}; retry {} of {} in {} s", transfer.message(), retry,
                                   request.retries, seconds));
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    wait *= 2;
  }
}

}  // namespace spca

#else

#include "spca/base/error.h"

namespace spca {

std::string downloader_version() { return ""; }

void download(const DownloadRequest&, PartFile&) {
  throw InternalError("a download was asked for although the program has no libcurl");
}

}  // namespace spca

#endif
