#include "engine/http_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "documents/page_text.h"
#include "engine/http_fetcher.h"
#include "engine/pipe_client.h"
#include "net/page_links.h"
#include "net/url.h"

namespace twinset {

namespace {

constexpr uint32_t kMostPages = 100;

Status CheckStatus(int status, const std::string& url) {
  if (status >= 200 && status < 300) return {};
  const ErrorCode code = status == 404 || status == 410 ? ErrorCode::kNotFound
                         : status == 429 || status >= 500
                             ? ErrorCode::kUnavailable
                             : ErrorCode::kUnsupported;
  return Fail(code, "the server answered with status " + std::to_string(status),
              url);
}

// Asks twinset-http for values of a page.
class Extractor {
 public:
  explicit Extractor(PipeClient client) : client_(std::move(client)) {}

  // One list of texts for each expression.
  Result<std::vector<std::vector<std::string>>> Find(
      const FetchResponse& page, const std::string& format,
      const std::vector<std::string>& expressions) {
    TWINSET_ASSIGN(const Json reply, client_.Ask([&](uint64_t id) {
      Json request;
      request["id"] = id;
      request["op"] = "extract";
      request["format"] = format;
      request["content_type"] = page.content_type;
      request["expressions"] = expressions;
      request["body_bytes"] = page.body.size();
      return request.dump() + "\n" + page.body;
    }));
    const auto values = reply.find("values");
    std::vector<std::vector<std::string>> lists;
    const auto bad = [] {
      return Fail(ErrorCode::kCorrupt, "the program's reply has no \"values\"",
                  "twinset-http");
    };
    if (values == reply.end() || !values->is_array() ||
        values->size() != expressions.size())
      return bad();
    for (const Json& list : *values) {
      if (!list.is_array()) return bad();
      lists.emplace_back();
      for (const Json& text : list) {
        if (!text.is_string()) return bad();
        lists.back().push_back(text.get<std::string>());
      }
    }
    return lists;
  }

 private:
  PipeClient client_;
};

class HttpEngine : public Engine {
 public:
  HttpEngine(const HttpEngineOptions& options, std::unique_ptr<Fetcher> fetcher,
             Extractor extractor, TextReader reader)
      : options_(options),
        fetcher_(std::move(fetcher)),
        extractor_(std::move(extractor)),
        reader_(std::move(reader)) {}

  EngineInfo Info() const override {
    EngineInfo info;
    info.name = options_.name;
    info.type = "http";
    info.max_results = options_.max_results;
    info.max_terms = options_.max_terms;
    return info;
  }

  Result<EngineAnswer> Query(const EngineQuery& query) override {
    EngineAnswer answer;
    answer.hits_known = false;
    const uint32_t limit = options_.max_results == 0
                               ? query.limit
                               : std::min(query.limit, options_.max_results);
    for (uint32_t page = 0; page < kMostPages; ++page) {
      const size_t before = answer.urls.size();
      TWINSET_TRY(AddPage(query, page * options_.page_size, &answer));
      const size_t found = answer.urls.size() - before;
      if (options_.page_size == 0 || found < options_.page_size ||
          answer.urls.size() >= limit)
        break;
    }
    if (answer.urls.size() > limit) answer.urls.resize(limit);
    return answer;
  }

  Result<EnginePage> Fetch(const std::string& url) override {
    TWINSET_ASSIGN(FetchResponse response, fetcher_->Get(url));
    TWINSET_TRY(CheckStatus(response.status, url));
    TextDetails details;
    details.language = details.facts = true;
    TWINSET_ASSIGN(DocumentText text,
                   reader_.Read({response.url, response.content_type,
                                 std::move(response.body), response.date},
                                details));
    return EnginePage{response.url,
                      text.text,
                      text.title,
                      text.date,
                      text.language,
                      {},
                      OtherAddressesOf(text, response.url)};
  }

 private:
  Status AddPage(const EngineQuery& query, uint32_t start,
                 EngineAnswer* answer) {
    const std::string url = QueryUrl(options_, query, start);
    auto got = fetcher_->Get(url);
    // No question to this engine will ever be answered.
    if (!got && IsOutsideNetworks(got.error()))
      got.error().code = ErrorCode::kUsage;
    TWINSET_ASSIGN(const FetchResponse response, std::move(got));
    TWINSET_TRY(CheckStatus(response.status, url));
    std::vector<std::string> expressions = {options_.results};
    if (!options_.hits.empty()) expressions.push_back(options_.hits);
    if (!options_.empty.empty()) expressions.push_back(options_.empty);
    auto found = extractor_.Find(response, options_.format, expressions);
    if (!found) {
      if (found.error().where.empty()) found.error().where = url;
      return tl::unexpected(found.error());
    }
    for (const std::string& result : (*found)[0]) {
      // As spelt there, if it leads somewhere by itself.
      auto resolved = IsHttpUrl(result) ? Result<std::string>(result)
                                        : ResolveUrl(response.url, result);
      answer->urls.push_back(resolved ? *std::move(resolved) : result);
    }
    bool said = false;
    if (!options_.hits.empty()) {
      const auto& texts = (*found)[1];
      const auto number =
          texts.empty() ? std::nullopt : FirstNumber(texts.front());
      said = number.has_value();
      if (start == 0 && said) {
        answer->hits_known = true;
        answer->hits = *number;
      }
    }
    const bool marked = !options_.empty.empty() && IsMarked(found->back());
    const bool checked = !options_.hits.empty() || !options_.empty.empty();
    if ((*found)[0].empty() && checked && !said && !marked) {
      return Fail(ErrorCode::kCorrupt,
                  "neither results nor their number stand in the answer", url);
    }
    return {};
  }

  // An XPath of a truth value or a JSON flag is there and may say no.
  static bool IsMarked(const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(), [](const auto& text) {
      return !text.empty() && text != "false";
    });
  }

  HttpEngineOptions options_;
  std::unique_ptr<Fetcher> fetcher_;
  Extractor extractor_;
  TextReader reader_;
};

void Replace(const std::string& name, const std::string& value,
             std::string* text) {
  for (size_t at = text->find(name); at != std::string::npos;
       at = text->find(name, at + value.size()))
    text->replace(at, name.size(), value);
}

}  // namespace

std::optional<uint64_t> FirstNumber(std::string_view text) {
  const auto digit = [&](size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  size_t i = 0;
  while (i < text.size() && !digit(i)) ++i;
  if (i == text.size()) return std::nullopt;
  uint64_t number = 0;
  const auto take = [&] {
    for (; digit(i); ++i) {
      const auto value = static_cast<uint64_t>(text[i] - '0');
      if (number > (uint64_t{1} << 62) / 10) return false;
      number = number * 10 + value;
    }
    return true;
  };
  if (!take()) return std::nullopt;
  while (true) {
    // One separator: a byte, or a no-break space.
    size_t next = i;
    if (next < text.size() &&
        std::string_view(",.' ").find(text[next]) != std::string_view::npos) {
      next += 1;
    } else if (text.substr(next).starts_with("\xC2\xA0")) {
      next += 2;
    } else if (text.substr(next).starts_with("\xE2\x80\xAF")) {
      next += 3;
    } else {
      break;
    }
    if (!digit(next) || !digit(next + 1) || !digit(next + 2) || digit(next + 3))
      break;
    i = next;
    if (!take()) return std::nullopt;
  }
  return number;
}

std::string QueryUrl(const HttpEngineOptions& options, const EngineQuery& query,
                     uint32_t start) {
  const size_t kind = query.conjunctive ? 0 : 1;
  std::string terms;
  for (size_t i = 0; i < query.terms.size(); ++i) {
    if (i > 0) terms += EscapeValue(options.separators[kind]);
    terms += EscapeValue(query.terms[i]);
  }
  const uint32_t page =
      options.page_size == 0 ? 1 : start / options.page_size + 1;
  std::string url = options.url;
  // Terms last: what they hold is escaped and no name any more.
  Replace(
      "{limit}",
      std::to_string(options.page_size == 0 ? query.limit : options.page_size),
      &url);
  Replace("{operator}", EscapeValue(options.operators[kind]), &url);
  Replace("{start}", std::to_string(start), &url);
  Replace("{page}", std::to_string(page), &url);
  Replace("{terms}", terms, &url);
  return url;
}

Result<std::unique_ptr<Engine>> OpenHttpEngine(
    const HttpEngineOptions& options) {
  TWINSET_ASSIGN(auto fetcher, OpenHttpFetcher(options.http));
  PipeEngineOptions pipe;
  pipe.program = "twinset-http";
  TWINSET_ASSIGN(PipeClient client, PipeClient::Open(pipe));
  TWINSET_ASSIGN(TextReader reader, TextReader::Make(options.features));
  return std::make_unique<HttpEngine>(
      options,
      MakePolite(std::move(fetcher), options.politeness, SystemClock()),
      Extractor(std::move(client)), std::move(reader));
}

}  // namespace twinset
