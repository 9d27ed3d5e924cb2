#include "spca/data/fetch/download.h"

#include "spca/base/error.h"

#ifdef SPCA_HAVE_CURL

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <thread>

namespace spca {
namespace {

constexpr long kMostRedirects = 10;
/// At least this number of bytes a second must arrive: a server that is slower for the whole
/// timeout has stopped answering.
constexpr long kLeastBytesASecond = 100;
constexpr long kLongestWait = 60;  // at most this number of seconds between two attempts

enum class Outcome {
  kDone,
  kBrokenOff,   // interrupted; a retry may succeed
  kNotResumed,  // the server does not send the missing part
  kFailed,
};

struct Ending {
  Outcome outcome = Outcome::kDone;
  std::string message = {};
  long retry_after = 0;  // seconds, if the server asks for a pause
};

/// The state of one answer: the request it is checked against, and its faults.
struct Body {
  const DownloadRequest& request;
  UnfinishedFile& file;
  std::uint64_t begin;  // the first byte requested
  CURL* curl;
  std::string refusal = {};
  std::exception_ptr disk_error = {};
};

/// Called by libcurl; a return of less than `size` ends the transfer.
std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* data) {
  Body& body = *static_cast<Body*>(data);
  const std::uint64_t wanted = body.request.bytes;
  // The length is checked before the first byte is stored, so that a wrong file of many gigabytes
  // is refused at once.
  curl_off_t length = -1;
  curl_easy_getinfo(body.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length >= 0 && wanted > 0 && body.begin + static_cast<std::uint64_t>(length) != wanted) {
    body.refusal = fmt::format("the server announces {} bytes; expected: {}",
                               body.begin + static_cast<std::uint64_t>(length), wanted);
    return 0;
  }
  // A server that announces no length could otherwise fill the disk.
  const std::uint64_t most = wanted > 0 ? wanted : kLargestUnknownFile;
  if (size > most - body.file.size()) {
    body.refusal = fmt::format("the server sends more than the {} bytes expected", most);
    return 0;
  }
  try {
    body.file.append({bytes, size});
  } catch (const InputError&) {  // libcurl is C: exceptions must not pass through it
    body.disk_error = std::current_exception();
    return 0;
  }
  body.request.on_bytes(body.file.size());
  return size;
}

/// Returns the ending of a transfer that was neither complete nor refused.
Ending ending_of(CURLcode code, const Body& body, const std::string& reason) {
  long status = 0;
  curl_easy_getinfo(body.curl, CURLINFO_RESPONSE_CODE, &status);
  const std::string so_far =
      body.request.bytes > 0 ? fmt::format("{} of {} bytes", body.file.size(), body.request.bytes)
                             : fmt::format("{} bytes", body.file.size());
  switch (code) {
    case CURLE_HTTP_RETURNED_ERROR: {
      constexpr long kTimeout = 408;
      constexpr long kTooMany = 429;
      const std::string said = fmt::format("the server answers with status {}", status);
      return status >= 500 || status == kTimeout || status == kTooMany
                 ? Ending{Outcome::kBrokenOff, said}
                 : Ending{Outcome::kFailed, said + "; accepted: 200"};
    }
    case CURLE_OK:
    case CURLE_PARTIAL_FILE:
      return {Outcome::kBrokenOff, fmt::format("the server ends after {}", so_far)};
    case CURLE_OPERATION_TIMEDOUT:
      return {Outcome::kBrokenOff,
              fmt::format("nothing came for {} s after {}", body.request.timeout, so_far)};
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {Outcome::kBrokenOff, fmt::format("{} ({})", reason, so_far)};
    case CURLE_TOO_MANY_REDIRECTS:
      return {Outcome::kFailed, fmt::format("more than {} redirects", kMostRedirects)};
    default:
      return {Outcome::kFailed, reason};
  }
}

/// Sends one request for the missing bytes of `file`, and stores the answer.
Ending transfer(const DownloadRequest& request, UnfinishedFile& file) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> owner(curl_easy_init(),
                                                                  curl_easy_cleanup);
  CURL* const curl = owner.get();
  SPCA_CHECK(curl != nullptr, "libcurl can be started");
  Body body{.request = request, .file = file, .begin = file.size(), .curl = curl};
  char error[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  // A server must not be able to name a file of this machine: redirects lead to http(s) only.
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMostRedirects);
  // An error page must not become a part of the file.
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  // If-Range is not sent: the SHA-256 of the whole file is known, and is a stronger check than the
  // server's statement that its file has not changed.
  curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(body.begin));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, request.timeout);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kLeastBytesASecond);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, request.timeout);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "spca-bench");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  const CURLcode code = curl_easy_perform(curl);
  if (body.disk_error) {
    std::rethrow_exception(body.disk_error);
  }
  if (!body.refusal.empty()) {
    file.clear();
    return {Outcome::kFailed, body.refusal};
  }
  if (code == CURLE_OK && file.size() > 0 && (request.bytes == 0 || file.size() == request.bytes)) {
    return {};
  }
  // libcurl considers a download complete after status 416, or if the server's file ends where the
  // partial download does. Here it is not complete: the server's file is shorter than expected.
  if (body.begin > 0 && (code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME ||
                         (code == CURLE_OK && file.size() == body.begin))) {
    return {Outcome::kNotResumed,
            fmt::format("the server does not give the bytes from {} on", body.begin)};
  }
  Ending ending = ending_of(code, body, *error != '\0' ? error : curl_easy_strerror(code));
  curl_off_t seconds = 0;
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
  ending.retry_after = static_cast<long>(seconds);
  return ending;
}

}  // namespace

std::string downloader_version() { return curl_version_info(CURLVERSION_NOW)->version; }

bool download(const DownloadRequest& request, UnfinishedFile& file) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const bool is_known = request.bytes > 0;
  if (file.size() > request.bytes) {
    file.clear();
  }
  bool is_pieced = true;
  long wait = 1;
  bool is_done = is_known && file.size() == request.bytes;
  for (int retry = 0; !is_done;) {
    if (!is_known) {
      file.clear();
    }
    is_pieced = file.size() > 0;
    const auto [outcome, reason, retry_after] = transfer(request, file);
    is_done = outcome == Outcome::kDone;
    const std::string message = fmt::format("{}: {}", request.url, reason);
    if (outcome == Outcome::kNotResumed) {  // not twice in a row: the file is then empty
      request.on_message(message + "; starting again");
      file.clear();
    } else if (outcome == Outcome::kFailed ||
               (outcome == Outcome::kBrokenOff && retry == request.retries)) {
      throw DownloadError(message + (retry > 0 ? fmt::format(" (after {} retries)", retry) : ""));
    } else if (outcome == Outcome::kBrokenOff) {
      ++retry;
      const long seconds = std::min(std::max(wait, retry_after), kLongestWait);
      request.on_message(
          fmt::format("{}; retry {} of {} in {} s", message, retry, request.retries, seconds));
      std::this_thread::sleep_for(std::chrono::seconds(seconds));
      wait *= 2;
    }
  }
  return is_pieced;
}

}  // namespace spca

#else

namespace spca {

std::string downloader_version() { return ""; }

bool download(const DownloadRequest&, UnfinishedFile&) {
  throw InternalError("a download was asked for although the program has no libcurl");
}

}  // namespace spca

#endif
