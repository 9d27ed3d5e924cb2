#include "spca/data/fetch/fetch.h"

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/data/built_in_files.h"
#include "spca/data/fetch/download.h"
#include "spca/data/fetch/recipe.h"
#include "spca/data/fetch/verified_download.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The check, download and making of one file of a data set.
class FileFetch {
 public:
  FileFetch(const DataSource& source, const SourceFile& file, const FetchRequest& request)
      : file_(file), request_(request) {
    const bool is_known = file.unverified.empty();
    const FileFingerprint* download =
        request.mirror.empty() || !is_known ? file.fetchable() : &file.file;
    wanted_ = download != nullptr ? *download : file.file;
    is_fetchable_ = download != nullptr;
    is_made_ = request.mirror.empty() && !file.recipe.empty();
    result_.dataset = source.name;
    result_.is_optional = file.is_optional;
    result_.is_fetchable = is_fetchable_;
    describe(wanted_);
    result_.url = request.mirror.empty()
                      ? file.url
                      : request.mirror + (request.mirror.ends_with('/') ? "" : "/") + wanted_.name;
  }

  FetchResult run() {
    if (is_present(file_.file) ||
        (!file_.as_published.name.empty() && is_present(file_.as_published))) {
      return end(FetchStatus::kPresent, "");
    }
    if (different_.empty() && built_in_path(file_.file.name)) {
      return end(FetchStatus::kBuiltIn, "");
    }
    if (!different_.empty() && (!request_.replace_different || !is_fetchable_)) {
      return end(FetchStatus::kDifferent, different_);
    }
    if (request_.check_only) {
      return end(FetchStatus::kMissing, fmt::format("{} does not exist", result_.path.string()));
    }
    if (!is_fetchable_) {
      return end(
          FetchStatus::kNotFetchable,
          file_.derived.empty()
              ? fmt::format("from {}, by hand: {}", file_.url, file_.unverified)
              : fmt::format("no address gives it as it is; from {}: {}", file_.url, file_.derived));
    }
    if (request_.dry_run) {
      return end(FetchStatus::kToFetch, plan());
    }
    try {
      return is_made_ ? make() : transfer();
    } catch (const InputError& error) {
      return end(FetchStatus::kFailed, error.what());
    } catch (const DownloadError& error) {
      return end(FetchStatus::kFailed, error.what());
    } catch (const RecipeError& error) {
      return end(FetchStatus::kFailed, error.what());
    }
  }

 private:
  void describe(const FileFingerprint& file) {
    result_.name = file.name;
    result_.path = request_.data_dir / file.name;
    result_.bytes = file.bytes;
    result_.sha256 = file.sha256;
  }

  FetchResult end(FetchStatus status, const std::string& message) {
    result_.status = status;
    result_.message = message;
    return result_;
  }

  /// Returns true if the file exists with the right bytes; notes a file with other bytes.
  bool is_present(const FileFingerprint& file) {
    const fs::path path = request_.data_dir / file.name;
    std::error_code error;
    if (!fs::exists(path, error)) {
      return false;
    }
    std::string found;
    try {
      found = difference(path, file);
    } catch (const InputError& unreadable) {
      found = unreadable.what();
    }
    if (found.empty()) {
      describe(file);
      return true;
    }
    different_ =
        fmt::format("{}: {}{}", path.string(), found, is_fetchable_ ? "; --force replaces it" : "");
    return false;
  }

  std::string plan() const {
    if (!is_made_) {
      return fmt::format("{} bytes from {}", wanted_.bytes, result_.url);
    }
    std::string text =
        fmt::format("{} bytes, made by recipe {} from ", wanted_.bytes, file_.recipe[0]);
    for (const Original& original : file_.originals) {
      text += (text.ends_with("from ") ? "" : " and ") + original.url;
    }
    return text;
  }

  VerifiedDownload download_of(const std::string& url, const FileFingerprint& wanted) const {
    return {.url = url, .wanted = wanted, .timeout = request_.timeout, .retries = request_.retries};
  }

  FetchResult transfer() {
    UnfinishedFile unfinished = open_unfinished(result_.path, result_.name);
    // Another process may have fetched the file meanwhile.
    if (is_present(wanted_)) {
      unfinished.remove();
      return end(FetchStatus::kPresent, "");
    }
    finish_after(unfinished,
                 [&] { download_verified(download_of(result_.url, wanted_), unfinished); });
    return end(FetchStatus::kFetched, "");
  }

  /// Downloads the original, unless it is in the data folder.
  void get_original(const Original& original) const {
    const fs::path path = request_.data_dir / original.file.name;
    std::error_code error;
    const auto is_in_place = [&] {
      return fs::exists(path, error) && difference(path, original.file).empty();
    };
    if (is_in_place()) {
      return;
    }
    UnfinishedFile unfinished = open_unfinished(path, original.file.name);
    if (is_in_place()) {
      unfinished.remove();
      return;
    }
    finish_after(unfinished,
                 [&] { download_verified(download_of(original.url, original.file), unfinished); });
  }

  FetchResult make() {
    UnfinishedFile unfinished = open_unfinished(result_.path, result_.name);
    if (is_present(wanted_)) {
      unfinished.remove();
      return end(FetchStatus::kPresent, "");
    }
    unfinished.clear();  // part of a download is not part of what the recipe makes
    finish_after(unfinished, [&] {
      for (const Original& original : file_.originals) {
        get_original(original);
      }
      unfinished.append(run_recipe(file_, request_.data_dir, request_.recipe_limit));
      const std::string wrong = difference(unfinished.path(), wanted_);
      if (!wrong.empty()) {
        unfinished.clear();
        forget_unknown_originals();
        throw RecipeError(
            fmt::format("recipe {}: {}; what it made was deleted", file_.recipe[0], wrong));
      }
    });
    return end(FetchStatus::kMade, "");
  }

  /// Deletes the originals that no checksum vouches for, so that the next command downloads them
  /// again.
  void forget_unknown_originals() const {
    for (const Original& original : file_.originals) {
      if (original.file.sha256.empty()) {
        std::error_code ignored;
        fs::remove(request_.data_dir / original.file.name, ignored);
      }
    }
  }

  const SourceFile& file_;
  const FetchRequest& request_;
  FileFingerprint wanted_;
  bool is_fetchable_ = false;
  bool is_made_ = false;  // by a recipe
  std::string different_;
  FetchResult result_;
};

}  // namespace

const char* fetch_status_name(FetchStatus status) {
  switch (status) {
    case FetchStatus::kPresent:
      return "present";
    case FetchStatus::kFetched:
      return "fetched";
    case FetchStatus::kMade:
      return "made";
    case FetchStatus::kBuiltIn:
      return "built in";
    case FetchStatus::kToFetch:
      return "to fetch";
    case FetchStatus::kMissing:
      return "missing";
    case FetchStatus::kNotFetchable:
      return "not fetchable";
    case FetchStatus::kDifferent:
      return "different";
    case FetchStatus::kFailed:
      return "failed";
  }
  throw InternalError("a fetch status without a name");
}

bool FetchResult::is_lacking() const {
  const bool is_in_place = status == FetchStatus::kPresent || status == FetchStatus::kFetched ||
                           status == FetchStatus::kMade || status == FetchStatus::kBuiltIn ||
                           status == FetchStatus::kToFetch;
  const bool may_be_absent =
      is_optional && (status == FetchStatus::kMissing || status == FetchStatus::kNotFetchable);
  return !is_in_place && !may_be_absent;
}

std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request) {
  std::vector<FetchResult> results;
  for (const SourceFile& file : source.files) {
    results.push_back(FileFetch(source, file, request).run());
  }
  return results;
}

}  // namespace spca
