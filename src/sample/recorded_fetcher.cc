#include "sample/recorded_fetcher.h"

#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "store/result_file.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr const char* kHeader =
    "{\"magic\":\"twinset-page-answers\",\"version\":1}\n";

// Any bytes as characters of the same number, for JSON, and back.
std::string ToText(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
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
    std::string known;
    if (inner_ != nullptr) {
      TWINSET_ASSIGN(file_, OpenToAdd(path_));
    }
    if (FileExists(path_)) {
      TWINSET_ASSIGN(known, ReadWholeFile(path_));
      TWINSET_TRY(Load(&known));
    }
    if (inner_ == nullptr) return {};
    TWINSET_TRY(file_.Truncate(known.size()));
    TWINSET_TRY(file_.Seek(known.size()));
    return known.empty() ? file_.Write(kHeader) : Status();
  }

  Result<FetchResponse> Get(const std::string& url) override {
    const auto found = answers_.find(url);
    if (found != answers_.end()) return found->second;
    if (inner_ == nullptr) {
      return Fail(ErrorCode::kUnavailable, "no recorded answer", url,
                  "record it again with the network");
    }
    TWINSET_ASSIGN(FetchResponse response, inner_->Get(url));
    TWINSET_TRY(file_.Write(FetchRecordLine(url, response)));
    answers_.emplace(url, response);
    return response;
  }

 private:
  // `*text` loses a line at its end that was not finished.
  Status Load(std::string* text) {
    if (!std::string_view(kHeader).starts_with(*text) &&
        !text->starts_with(kHeader)) {
      return Fail(ErrorCode::kCorrupt, "not a file of answers", path_,
                  "name another file");
    }
    text->resize(text->rfind('\n') + 1);  // npos + 1 is 0
    size_t begin = 0;
    for (uint64_t line = 1; begin < text->size(); ++line) {
      const size_t end = text->find('\n', begin) + 1;
      const std::string row = text->substr(begin, end - begin);
      begin = end;
      if (line == 1) continue;  // the header
      auto record = ParseFetchRecord(row);
      if (!record) {
        return Fail(record.error().code, record.error().message,
                    path_ + ":" + std::to_string(line),
                    "remove the line or the file");
      }
      answers_[record->url] = std::move(record->response);
    }
    return {};
  }

  std::unique_ptr<Fetcher> inner_;
  std::string path_;
  File file_;
  std::unordered_map<std::string, FetchResponse> answers_;
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
