// Captures as a CDX server tells them (the Wayback CDX server's form, which
// warcprox --cdxserver-dedup and Heritrix ask for).
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "server/problem.h"
#include "server/routes.h"
#include "twinset/plain_words.h"

namespace twinset::server {
namespace {

// Also the fields of an answer that names none.
constexpr std::string_view kFields[] = {"urlkey",   "timestamp",  "original",
                                        "mimetype", "statuscode", "digest",
                                        "length"};

struct CdxFilter {
  bool is_negative = false;
  std::string field, value;
};

struct CdxAsked {
  IndexCaptureQuery query;
  std::vector<std::string> fields;
  std::vector<CdxFilter> filters;
  std::string closest, from, to;
  int64_t limit = 0;
  bool is_json = false;
};

// "2026-11-28T09:30:00Z" -> "20261128093000".
std::string TimestampOf(std::string_view seen) {
  std::string digits;
  for (const char c : seen)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

// The blanks of a field would make two of it.
std::string Shown(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return text.empty() ? "-" : text;
}

// What is not known of a capture is "-". Only what was added whole is there, so
// that no capture is a revisit.
std::string FieldOf(const IndexCapture& capture, std::string_view field) {
  if (field == "urlkey" || field == "original" || field == "url")
    return Shown(capture.url);
  if (field == "timestamp") return TimestampOf(capture.seen);
  if (field == "digest") return Shown(capture.digest);
  return "-";
}

bool Passes(const IndexCapture& capture, const CdxAsked& asked) {
  const std::string time = TimestampOf(capture.seen);
  if (time.compare(0, asked.from.size(), asked.from) < 0) return false;
  if (!asked.to.empty() && time.compare(0, asked.to.size(), asked.to) > 0)
    return false;
  return std::all_of(
      asked.filters.begin(), asked.filters.end(), [&](const CdxFilter& filter) {
        return (FieldOf(capture, filter.field) == filter.value) !=
               filter.is_negative;
      });
}

std::vector<std::string> Parts(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Result<CdxFilter> FilterOf(std::string_view text) {
  CdxFilter filter;
  if (!text.empty() && text[0] == '!') {
    filter.is_negative = true;
    text.remove_prefix(1);
  }
  if (!text.empty() && text[0] == '=') text.remove_prefix(1);
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return Fail(ErrorCode::kUsage, "a filter is FIELD:VALUE");
  filter.field = text.substr(0, colon);
  filter.value = text.substr(colon + 1);
  if (filter.value.find_first_of("\\^$*+?()[]{}|") != std::string::npos)
    return Fail(ErrorCode::kUsage, "the values of filters are no patterns");
  // Digests are told without the name of the algorithm.
  if (filter.field == "digest" && filter.value.rfind("sha1:", 0) == 0)
    filter.value.erase(0, 5);
  return filter;
}

bool IsTimestamp(const std::string& text) {
  return text.size() <= 14 && std::all_of(text.begin(), text.end(), [](char c) {
           return c >= '0' && c <= '9';
         });
}

Result<CdxAsked> AskedOf(const Parameters& parameters) {
  CdxAsked asked;
  for (const auto& [name, value] : parameters) {
    if (name == "url") asked.query.url = value;
    if (name == "digest") asked.query.digest = value;
    if (name == "fl" || name == "fields") asked.fields = Parts(value);
    if (name == "output") asked.is_json = value == "json";
    if (name == "closest") asked.closest = value;
    if (name == "from") asked.from = value;
    if (name == "to") asked.to = value;
    if (name == "filter") {
      TWINSET_ASSIGN(CdxFilter filter, FilterOf(value));
      asked.filters.push_back(std::move(filter));
    }
    if (name == "matchType" && value != "exact")
      return Fail(ErrorCode::kUsage, "only whole addresses are looked up");
    if (name != "limit") continue;
    const char* const end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, asked.limit);
    if (parsed.ec != std::errc() || parsed.ptr != end)
      return Fail(ErrorCode::kUsage, "limit is a whole number");
  }
  if (asked.query.url.empty() && asked.query.digest.empty())
    return Fail(ErrorCode::kUsage, "the parameter url or digest is missing");
  for (const std::string& time : {asked.closest, asked.from, asked.to})
    if (!IsTimestamp(time))
      return Fail(ErrorCode::kUsage, "a timestamp is at most 14 digits");
  if (asked.fields.empty())
    asked.fields.assign(std::begin(kFields), std::end(kFields));
  return asked;
}

// Seconds since 1970; what is missing at the end is the least there is.
int64_t SecondsOf(std::string digits) {
  constexpr std::string_view kLeast = "00000101000000";
  if (digits.size() < kLeast.size()) digits += kLeast.substr(digits.size());
  const auto number = [&](size_t begin, size_t size) {
    return std::atoi(digits.substr(begin, size).c_str());
  };
  std::tm time = {};
  time.tm_year = number(0, 4) - 1900;
  time.tm_mon = number(4, 2) - 1;
  time.tm_mday = number(6, 2);
  time.tm_hour = number(8, 2);
  time.tm_min = number(10, 2);
  time.tm_sec = number(12, 2);
  return ::timegm(&time);
}

// The oldest first, or the nearest to a time; then the limit.
void Order(const CdxAsked& asked, std::vector<IndexCapture>* captures) {
  std::reverse(captures->begin(), captures->end());
  if (!asked.closest.empty()) {
    const int64_t time = SecondsOf(asked.closest);
    std::stable_sort(
        captures->begin(), captures->end(),
        [&](const IndexCapture& x, const IndexCapture& y) {
          const auto far = [&](const IndexCapture& one) {
            return std::abs(SecondsOf(TimestampOf(one.seen)) - time);
          };
          return far(x) < far(y);
        });
  }
  const auto count = static_cast<int64_t>(captures->size());
  if (asked.limit > 0 && asked.limit < count) {
    captures->resize(static_cast<size_t>(asked.limit));
  } else if (asked.limit < 0 && asked.limit > -count) {
    captures->erase(captures->begin(), captures->end() + asked.limit);
  }
}

}  // namespace

HttpResponse AnswerCdx(Service* service, const Call& call) {
  const auto asked = AskedOf(call.parameters);
  if (!asked) return Problem(400, asked.error().message);
  auto captures = service->index->Captures(asked->query);
  if (!captures) return ProblemOf(captures.error());
  std::erase_if(*captures, [&](const IndexCapture& capture) {
    return !Passes(capture, *asked);
  });
  Order(*asked, &*captures);
  HttpResponse response;
  if (asked->is_json) {
    Json rows = Json::array();
    if (!captures->empty()) rows.push_back(Json(asked->fields));
    for (const IndexCapture& capture : *captures) {
      Json row = Json::array();
      for (const std::string& field : asked->fields)
        row.push_back(FieldOf(capture, field));
      rows.push_back(std::move(row));
    }
    return JsonResponse(rows);
  }
  response.content_type = "text/plain; charset=utf-8";
  for (const IndexCapture& capture : *captures) {
    std::string line;
    for (const std::string& field : asked->fields)
      line += (line.empty() ? "" : " ") + FieldOf(capture, field);
    response.body += line + "\n";
  }
  return response;
}

}  // namespace twinset::server
