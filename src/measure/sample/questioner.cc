#include "sample/questioner.h"

#include <algorithm>
#include <unordered_set>

#include "base/json_text.h"
#include "net/url.h"

namespace twinset {

namespace {

Status Stopped(const std::atomic<bool>* stop) {
  if (stop != nullptr && *stop) {
    return Fail(ErrorCode::kInterrupted, "interrupted");
  }
  return {};
}

// Times a question is asked again that failed in recordings of earlier runs.
constexpr int kMaxRecordedFailures = 50;

// Nothing beyond this is kept of an address that an engine names.
constexpr size_t kMaxUrlBytes = 8192;

}  // namespace

Questioner::Questioner(Engine* engine, const TextReader* reader,
                       QuestionerOptions options)
    : engine_(engine), reader_(reader), options_(std::move(options)) {}

template <typename T>
Result<T> Questioner::AskFresh(const std::function<Result<T>()>& ask) const {
  for (int i = 0;; ++i) {
    const uint64_t before =
        options_.recorded_bytes ? options_.recorded_bytes() : 0;
    auto answer = ask();
    if (answer || answer.error().code != ErrorCode::kUnavailable ||
        !options_.recorded_bytes || options_.recorded_bytes() != before ||
        i == kMaxRecordedFailures) {
      return answer;
    }
  }
}

Status Questioner::Failure(const Error& error) {
  if (error.code == ErrorCode::kInterrupted) return tl::unexpected(error);
  // A question that a recording does not hold will never be answered.
  if (error.code != ErrorCode::kUnavailable &&
      error.code != ErrorCode::kNotFound &&
      error.code != ErrorCode::kUnsupported) {
    return tl::unexpected(error);
  }
  if (++failures_ < options_.most_failures) return {};
  return Fail(
      ErrorCode::kUnavailable,
      std::to_string(failures_) +
          " questions in a row failed, the last with: " + error.ToString(),
      engine_->Info().name,
      "see that the engine is up, then run again with --resume");
}

Result<std::optional<Questioner::Answer>> Questioner::Ask(
    const std::vector<std::string>& terms, bool conjunctive, uint32_t limit) {
  TWINSET_TRY(Stopped(options_.stop));
  ++counts_.asked;
  if (options_.on_asked) options_.on_asked(counts_);
  EngineQuery query;
  query.terms = terms;
  query.conjunctive = conjunctive;
  query.limit = limit;
  auto answer = AskFresh<EngineAnswer>([&] { return engine_->Query(query); });
  if (!answer) {
    ++counts_.failed;
    TWINSET_TRY(Failure(answer.error()));
    return std::nullopt;
  }
  failures_ = 0;
  Answer clean;
  clean.hits = answer->hits;
  clean.hits_known = answer->hits_known;
  if (answer->urls.size() > limit) {
    counts_.surplus += answer->urls.size() - limit;
    answer->urls.resize(limit);
  }
  const uint64_t length = answer->urls.size();
  if (length > counts_.longest) {
    counts_.longest = length;
    counts_.at_longest = 0;
  }
  if (length == counts_.longest) ++counts_.at_longest;
  std::unordered_set<std::string> seen;
  for (const std::string& url : answer->urls) {
    std::string normal =
        NormaliseUrl(std::string_view(url).substr(0, kMaxUrlBytes));
    if (seen.insert(normal).second) {
      clean.urls.push_back(std::move(normal));
    } else {
      ++counts_.duplicates;
    }
  }
  if (clean.urls.empty()) ++counts_.empty;
  return clean;
}

Result<std::optional<Questioner::Page>> Questioner::Fetch(
    const std::string& url) {
  TWINSET_TRY(Stopped(options_.stop));
  ++counts_.fetched;
  auto fetched = AskFresh<EnginePage>([&] { return engine_->Fetch(url); });
  if (!fetched) {
    ++counts_.fetch_failed;
    // A page that is gone says nothing of the engine.
    if (fetched.error().code == ErrorCode::kNotFound) return std::nullopt;
    TWINSET_TRY(Failure(fetched.error()));
    return std::nullopt;
  }
  failures_ = 0;
  Page page;
  page.page = std::move(*fetched);
  page.page.url = NormaliseUrl(page.page.url);
  page.tokens = reader_->Tokens(page.page.text);
  return page;
}

std::string JsonOf(std::string_view value) {
  std::string json;
  AppendJsonString(&json, value);
  return json;
}

DrawnPageFacts FactsOf(const Questioner::Page& page, const TextReader& reader) {
  DrawnPageFacts facts;
  facts.url = page.page.url;
  facts.title = page.page.title;
  facts.language = page.page.language;
  facts.date = page.page.date;
  facts.words = page.tokens.size();
  facts.fields = page.page.fields;
  if (facts.language.empty()) {
    TextDetails details;
    details.language = true;
    FetchedPage plain;
    plain.content_type = "text/plain; charset=utf-8";
    plain.body = page.page.text;
    const auto read = reader.Read(plain, details);
    facts.language = read ? read->language : "und";
  }
  return facts;
}

SampleRow RowOfPage(const DrawnPageFacts& facts) {
  SampleRow row;
  row.url = facts.url;
  row.fields = {{"host", JsonOf(UrlHost(facts.url))},
                {"depth", std::to_string(UrlDepth(facts.url))},
                {"words", std::to_string(facts.words)},
                {"language", JsonOf(facts.language)},
                {"date", facts.date.empty() ? "null" : JsonOf(facts.date)},
                {"title", JsonOf(facts.title)}};
  static const std::unordered_set<std::string> kTaken = {
      "url",  "weight", "draw",   "host",  "depth",  "words",   "language",
      "date", "title",  "degree", "query", "engine", "engines", "magic"};
  for (const auto& [name, value] : facts.fields) {
    row.fields.emplace_back(kTaken.contains(name) ? "document." + name : name,
                            value);
  }
  return row;
}

std::vector<std::string> SortedDistinct(std::vector<std::string> tokens) {
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

bool Holds(const std::vector<std::string>& sorted,
           const std::vector<std::string>& words, bool conjunctive) {
  for (const std::string& word : words) {
    const bool there = std::binary_search(sorted.begin(), sorted.end(), word);
    if (there != conjunctive) return !conjunctive;
  }
  return conjunctive;
}

}  // namespace twinset
