// The description of an engine over HTTP (docs/methods/engine-programs.md).
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/http_engine.h"
#include "net/url.h"

namespace twinset {

namespace {

tl::unexpected<Error> Bad(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kUsage, "\"" + name + "\" must be " + what, "",
              "see docs/methods/engine-programs.md");
}

// Members of a description by name, with what is wrong with them.
class Members {
 public:
  explicit Members(const Json& json) : json_(json) {}

  Status Text(const char* name, std::string* value) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return {};
    if (!found->is_string()) return Bad(name, "a text");
    *value = found->get<std::string>();
    return {};
  }
  template <typename T>
  Status Number(const char* name, T* value) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return {};
    constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
    if (!found->is_number_unsigned() || found->get<uint64_t>() > kMost)
      return Bad(name, "a whole number up to " + std::to_string(kMost));
    *value = static_cast<T>(found->get<uint64_t>());
    return {};
  }
  Status Flag(const char* name, bool* value) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return {};
    if (!found->is_boolean()) return Bad(name, "true or false");
    *value = found->get<bool>();
    return {};
  }
  Status Texts(const char* name, std::vector<std::string>* values) const {
    const auto found = json_.find(name);
    if (found == json_.end()) return {};
    if (!found->is_array()) return Bad(name, "a list of texts");
    for (const auto& value : *found) {
      if (!value.is_string()) return Bad(name, "a list of texts");
      values->push_back(value.get<std::string>());
    }
    return {};
  }
  Status Pair(const char* name, std::array<std::string, 2>* values) const {
    std::vector<std::string> texts;
    TWINSET_TRY(Texts(name, &texts));
    if (!json_.contains(name)) return {};
    if (texts.size() != 2) return Bad(name, "two texts, for AND and for OR");
    *values = {texts[0], texts[1]};
    return {};
  }

 private:
  const Json& json_;
};

Status CheckNames(const Json& json) {
  // The first row is of every description.
  static const std::vector<std::string> kNames = {"type",
                                                  "name",
                                                  "parameters",
                                                  "biases",
                                                  "documents",
                                                  "checksum",
                                                  "url",
                                                  "format",
                                                  "results",
                                                  "hits",
                                                  "empty",
                                                  "operators",
                                                  "separators",
                                                  "max_results",
                                                  "max_terms",
                                                  "page_size",
                                                  "timeout_ms",
                                                  "connect_timeout_ms",
                                                  "max_body_bytes",
                                                  "user_agent",
                                                  "networks",
                                                  "resolve",
                                                  "delay_ms",
                                                  "retries",
                                                  "backoff_ms",
                                                  "robots"};
  for (const auto& member : json.items()) {
    if (std::find(kNames.begin(), kNames.end(), member.key) == kNames.end())
      return Fail(ErrorCode::kUsage,
                  "an engine of type http has no \"" + member.key + "\"", "",
                  "see docs/methods/engine-programs.md");
  }
  return {};
}

}  // namespace

Result<HttpEngineOptions> ParseHttpEngine(const Json& description) {
  TWINSET_TRY(CheckNames(description));
  const Members members(description);
  HttpEngineOptions options;
  TWINSET_TRY(members.Text("name", &options.name));
  TWINSET_TRY(members.Text("url", &options.url));
  TWINSET_TRY(members.Text("format", &options.format));
  TWINSET_TRY(members.Text("results", &options.results));
  TWINSET_TRY(members.Text("hits", &options.hits));
  TWINSET_TRY(members.Text("empty", &options.empty));
  TWINSET_TRY(members.Pair("operators", &options.operators));
  TWINSET_TRY(members.Pair("separators", &options.separators));
  TWINSET_TRY(members.Number("max_results", &options.max_results));
  TWINSET_TRY(members.Number("max_terms", &options.max_terms));
  TWINSET_TRY(members.Number("page_size", &options.page_size));
  HttpOptions& http = options.http;
  http.max_redirects = 0;  // politeness follows them
  TWINSET_TRY(members.Number("timeout_ms", &http.timeout_ms));
  TWINSET_TRY(members.Number("connect_timeout_ms", &http.connect_timeout_ms));
  TWINSET_TRY(members.Number("max_body_bytes", &http.max_body_bytes));
  TWINSET_TRY(members.Text("user_agent", &http.user_agent));
  TWINSET_TRY(members.Texts("networks", &http.only));
  TWINSET_TRY(members.Texts("resolve", &http.resolve));
  PolitenessOptions& politeness = options.politeness;
  TWINSET_TRY(members.Number("delay_ms", &politeness.delay_ms));
  TWINSET_TRY(members.Number("retries", &politeness.retries));
  TWINSET_TRY(members.Number("backoff_ms", &politeness.backoff_ms));
  TWINSET_TRY(members.Flag("robots", &politeness.robots));
  if (!IsHttpUrl(options.url) ||
      options.url.find("{terms}") == std::string::npos)
    return Bad("url", "an address of http or https with {terms} in it");
  if (options.results.empty())
    return Bad("results", "an XPath or a JSON pointer of the results");
  if (options.format != "html" && options.format != "xml" &&
      options.format != "json")
    return Bad("format", "html, xml or json");
  if (options.page_size > 0 &&
      options.url.find("{start}") == std::string::npos &&
      options.url.find("{page}") == std::string::npos)
    return Bad("page_size", "left out, or \"url\" have {start} or {page}");
  return options;
}

}  // namespace twinset
