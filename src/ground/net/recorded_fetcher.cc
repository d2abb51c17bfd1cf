#include "net/recorded_fetcher.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "base/utf8.h"
#include "store/result_file.h"
#include "store/stored_lines.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr char kHeader[] =
    "{\"magic\":\"twinset-page-answers\",\"version\":1}\n";

constexpr uint64_t kMostLineBytes = uint64_t{1} << 30;

// Any bytes as characters of the same number, for JSON, and back.
std::string ToText(const std::string& bytes) {
  std::string text;
  for (const char c : bytes)
    AppendCodePoint(static_cast<unsigned char>(c), &text);
  return text;
}
bool FromText(const std::string& text, std::string* bytes) {
  bytes->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      *bytes += text[i];
    } else if ((byte & 0xFE) == 0xC2 && i + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[++i]);
      *bytes += static_cast<char>((byte & 0x03) << 6 | (next & 0x3F));
    } else {
      return false;  // a character above U+00FF
    }
  }
  return true;
}

bool TakeText(const Json& row, const char* key, std::string* to) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() &&
         FromText(found->get<std::string>(), to);
}
bool TakeNumber(const Json& row, const char* key, int low, int high, int* to) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number_integer()) return false;
  const auto value = found->get<int64_t>();
  if (value < low || value > high) return false;
  *to = static_cast<int>(value);
  return true;
}

class RecordedFetcher : public Fetcher {
 public:
  RecordedFetcher(std::unique_ptr<Fetcher> inner, std::string path)
      : inner_(std::move(inner)), path_(std::move(path)) {}

  Status Open() {
    if (inner_ != nullptr) {
      TWINSET_ASSIGN(file_, OpenToAdd(path_));
    } else if (FileExists(path_)) {
      TWINSET_ASSIGN(file_, File::OpenRead(path_));
    } else {
      return {};
    }
    TWINSET_TRY(CheckHeader());
    TWINSET_ASSIGN(
        end_, ForEachStoredLine(file_, kMostLineBytes,
                                [this](std::string_view line, uint64_t offset) {
                                  return Load(line, offset);
                                }));
    if (inner_ == nullptr) return {};
    TWINSET_TRY(file_.Unshare(/*lock=*/true));
    TWINSET_TRY(file_.Truncate(end_));
    return end_ == 0 ? Add(kHeader) : Status();
  }

  Result<FetchResponse> Get(const std::string& url) override {
    const auto found = answers_.find(url);
    if (found != answers_.end()) return Read(found->second);
    if (inner_ == nullptr) {
      return Fail(ErrorCode::kUnavailable, "no recorded answer", url,
                  "record it again with the network");
    }
    TWINSET_ASSIGN(FetchResponse response, inner_->Get(url));
    const std::string line = FetchRecordLine(url, response);
    const Place place = {end_, line.size()};
    TWINSET_TRY(Add(line));
    answers_.emplace(url, place);
    return response;
  }

 private:
  struct Place {
    uint64_t offset = 0, bytes = 0;
  };

  // An empty file is ours, and one that ends inside our first line behind its
  // name: fewer bytes may be anybody's.
  Status CheckHeader() {
    constexpr std::string_view kAll = kHeader;
    TWINSET_ASSIGN(const uint64_t size, file_.Size());
    std::string begin(std::min<uint64_t>(size, kAll.size()), '\0');
    TWINSET_TRY(file_.ReadAt(0, begin.data(), begin.size()));
    const bool named = begin.size() >= kAll.find(',');
    if (begin.empty() || (named && kAll.starts_with(begin))) return {};
    return Fail(ErrorCode::kCorrupt, "not a file of answers", path_,
                "name another file");
  }

  Status Load(std::string_view line, uint64_t offset) {
    ++lines_;
    if (offset == 0) return {};  // the header
    const auto record = ParseFetchRecord(std::string(line));
    if (!record) {
      return Fail(record.error().code, record.error().message,
                  path_ + ":" + std::to_string(lines_),
                  "remove the line or the file");
    }
    answers_[record->url] = {offset, line.size()};
    return {};
  }

  Result<FetchResponse> Read(const Place& place) const {
    std::string line(place.bytes, '\0');
    TWINSET_TRY(file_.ReadAt(place.offset, line.data(), line.size()));
    TWINSET_ASSIGN(FetchRecord record, ParseFetchRecord(line));
    return std::move(record.response);
  }

  Status Add(const std::string& line) {
    TWINSET_TRY(file_.WriteAt(end_, line));
    end_ += line.size();
    return {};
  }

  std::unique_ptr<Fetcher> inner_;
  std::string path_;
  File file_;
  uint64_t end_ = 0, lines_ = 0;
  std::unordered_map<std::string, Place> answers_;
};

}  // namespace

std::string FetchRecordLine(const std::string& url,
                            const FetchResponse& response) {
  Json redirects = Json::array();
  for (const std::string& from : response.redirects)
    redirects.push_back(ToText(from));
  Json row = {{"asked", ToText(url)},
              {"status", response.status},
              {"url", ToText(response.url)},
              {"redirects", redirects},
              {"content_type", ToText(response.content_type)},
              {"date", ToText(response.date)},
              {"retry_after_s", response.retry_after_s},
              {"body", ToText(response.body)}};
  if (!response.location.empty()) row["location"] = ToText(response.location);
  return row.dump() + "\n";
}

Result<FetchRecord> ParseFetchRecord(const std::string& line) {
  const Json row = Json::Parse(line);
  FetchRecord record;
  FetchResponse& response = record.response;
  bool good = row.is_object() && TakeText(row, "asked", &record.url) &&
              TakeNumber(row, "status", 0, 999, &response.status) &&
              TakeText(row, "url", &response.url) &&
              TakeText(row, "content_type", &response.content_type) &&
              TakeText(row, "date", &response.date) &&
              TakeNumber(row, "retry_after_s", -1, INT32_MAX,
                         &response.retry_after_s) &&
              TakeText(row, "body", &response.body) &&
              (!row.contains("location") ||
               TakeText(row, "location", &response.location));
  const auto redirects = good ? row.find("redirects") : row.end();
  good = good && redirects != row.end() && redirects->is_array();
  if (good) {
    for (const Json& from : *redirects) {
      std::string address;
      good = good && from.is_string() &&
             FromText(from.get<std::string>(), &address);
      response.redirects.push_back(std::move(address));
    }
  }
  if (!good) return Fail(ErrorCode::kCorrupt, "not an answer");
  return record;
}

Result<std::unique_ptr<Fetcher>> OpenRecordedFetcher(
    std::unique_ptr<Fetcher> inner, const std::string& path) {
  auto fetcher = std::make_unique<RecordedFetcher>(std::move(inner), path);
  TWINSET_TRY(fetcher->Open());
  return fetcher;
}

}  // namespace twinset
