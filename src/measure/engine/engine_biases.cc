#include "engine/engine_biases.h"

#include <set>
#include <utility>

#include "base/hash.h"
#include "net/url.h"
#include "twinset/json.h"

namespace twinset {

namespace {

bool IsShare(double value) { return value >= 0 && value <= 1; }

Status OutOfRange(const char* what, const char* range) {
  return Fail(ErrorCode::kUsage, std::string(what) + " is out of range", {},
              range);
}

// One member of an object, if it is there and of the right type.
template <typename T>
Status Take(const Json& json, const char* name, T* value) {
  const auto found = json.find(name);
  if (found == json.end()) return {};
  if constexpr (std::is_floating_point_v<T>) {
    if (!found->is_number())
      return Fail(ErrorCode::kUsage, std::string(name) + " is no number");
    *value = found->get<double>();
  } else {
    if (!found->is_number_unsigned() ||
        found->get<uint64_t>() > static_cast<uint64_t>(T(-1))) {
      return Fail(ErrorCode::kUsage,
                  std::string(name) + " is no whole number in its range");
    }
    *value = found->get<T>();
  }
  return {};
}

bool IsTrue(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) {
    const auto& text = value.get<std::string>();
    return text == "true" || text == "yes" || text == "1";
  }
  return false;
}

}  // namespace

Status CheckIndexBiases(const IndexBiases& biases) {
  if (!(biases.share > 0 && biases.share <= 1))
    return OutOfRange("the share of documents", "above 0 and at most 1");
  for (const std::string& condition : biases.drop_fields) {
    if (condition.empty() || condition.front() == '=')
      return OutOfRange("the field of dropped documents",
                        "give FIELD or FIELD=VALUE");
  }
  return {};
}

Status CheckAnswerBiases(const AnswerBiases& biases) {
  if (!IsShare(biases.timeouts))
    return OutOfRange("the share of time-outs", "from 0 to 1");
  if (!IsShare(biases.sabotage_share))
    return OutOfRange("the share of results that sabotage leaves",
                      "from 0 to 1");
  if (!IsShare(biases.duplicates))
    return OutOfRange("the share of duplicate results", "from 0 to 1");
  if (!(biases.hit_factor >= 0 && biases.hit_factor <= 1e6))
    return OutOfRange("the factor of hits", "from 0 to 1000000");
  return {};
}

Json IndexBiasesJson(const IndexBiases& biases) {
  // A seed alone decides nothing.
  IndexBiases none;
  none.seed = biases.seed;
  if (biases == none) return Json::object();
  return {{"drop_fields", biases.drop_fields},
          {"max_depth", biases.max_depth},
          {"share", biases.share},
          {"host_cap", biases.host_cap},
          {"first_words", biases.first_words},
          {"anchors", biases.anchors},
          {"seed", biases.seed}};
}

Json AnswerBiasesJson(const AnswerBiases& biases) {
  AnswerBiases none;
  none.seed = biases.seed;
  if (biases == none) return Json::object();
  return {{"max_terms", biases.max_terms},
          {"timeouts", biases.timeouts},
          {"sabotage_terms", biases.sabotage_terms},
          {"sabotage_share", biases.sabotage_share},
          {"duplicates", biases.duplicates},
          {"max_results", biases.max_results},
          {"hit_factor", biases.hit_factor},
          {"seed", biases.seed}};
}

Result<AnswerBiases> ParseAnswerBiases(const Json& json) {
  if (!json.is_object())
    return Fail(ErrorCode::kUsage, "biases of answers are no object");
  const std::set<std::string> known = {
      "max_terms",  "timeouts",    "sabotage_terms", "sabotage_share",
      "duplicates", "max_results", "hit_factor",     "seed"};
  for (const auto& [name, value] : json.items()) {
    if (!known.contains(name))
      return Fail(ErrorCode::kUsage, "no bias is called '" + name + "'");
  }
  AnswerBiases biases;
  TWINSET_TRY(Take(json, "max_terms", &biases.max_terms));
  TWINSET_TRY(Take(json, "timeouts", &biases.timeouts));
  TWINSET_TRY(Take(json, "sabotage_terms", &biases.sabotage_terms));
  TWINSET_TRY(Take(json, "sabotage_share", &biases.sabotage_share));
  TWINSET_TRY(Take(json, "duplicates", &biases.duplicates));
  TWINSET_TRY(Take(json, "max_results", &biases.max_results));
  TWINSET_TRY(Take(json, "hit_factor", &biases.hit_factor));
  TWINSET_TRY(Take(json, "seed", &biases.seed));
  TWINSET_TRY(CheckAnswerBiases(biases));
  return biases;
}

bool InShare(std::string_view thing, double share, uint64_t seed) {
  // Mixed so that seeds which follow one another are as independent as any.
  const uint64_t hash = Hash64(thing, Mix64(seed + 0x9e3779b97f4a7c15ull));
  return static_cast<double>(hash >> 11) * 0x1p-53 < share;
}

bool FieldHolds(const EnginePage& page, std::string_view condition) {
  const size_t equals = condition.find('=');
  const std::string_view name = condition.substr(0, equals);
  for (const auto& [field, text] : page.fields) {
    if (field != name) continue;
    const Json value = Json::Parse(text);
    if (value.is_discarded()) return false;
    if (equals == std::string_view::npos) return IsTrue(value);
    const std::string_view wanted = condition.substr(equals + 1);
    return (value.is_string() ? value.get<std::string>() : text) == wanted;
  }
  return false;
}

IndexFilter::IndexFilter(IndexBiases biases) : biases_(std::move(biases)) {}

IndexFilter::Verdict IndexFilter::Judge(EngineDocument* document) const {
  for (const std::string& condition : biases_.drop_fields) {
    if (FieldHolds(document->page, condition)) return kDropped;
  }
  const std::string& url = document->page.url;
  if (biases_.max_depth >= 0 && UrlDepth(url) > biases_.max_depth)
    return kTooDeep;
  if (biases_.share < 1 && !InShare(url, biases_.share, biases_.seed))
    return kBeyondShare;
  return JudgeHost(document);
}

IndexFilter::Verdict IndexFilter::JudgeUnfetched(
    EngineDocument* document) const {
  if (biases_.max_depth >= 0 &&
      UrlDepth(document->page.url) > biases_.max_depth) {
    return kTooDeep;
  }
  return JudgeHost(document);
}

IndexFilter::Verdict IndexFilter::JudgeHost(EngineDocument* document) const {
  if (biases_.host_cap > 0) {
    const auto found = by_host_.find(UrlHost(document->page.url));
    if (found != by_host_.end() && found->second >= biases_.host_cap)
      return kBeyondHostCap;
  }
  if (biases_.first_words > 0 &&
      document->tokens.size() > biases_.first_words) {
    document->tokens.resize(biases_.first_words);
  }
  return kTaken;
}

void IndexFilter::Count(const std::string& url) {
  if (biases_.host_cap > 0) ++by_host_[UrlHost(url)];
}

}  // namespace twinset
