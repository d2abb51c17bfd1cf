#include "documents/priority.h"

#include <fnmatch.h>

#include <bit>
#include <charconv>
#include <map>
#include <optional>

#include "read/codec.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kMissing = ~uint64_t{0};

// Reads exactly `digits` decimal digits; empty if they are not there.
std::optional<int> Digits(std::string_view* text, size_t digits) {
  if (text->size() < digits) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return value;
}

bool BeginsWithDigit(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

bool Skip(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos)
    return false;
  text->remove_prefix(1);
  return true;
}

// Days since 1970-01-01 of a proleptic Gregorian date (Hinnant,
// chrono-compatible date algorithms).
int64_t DaysFromCivil(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year =
      (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

// "Z", "+hh:mm", "-hh:mm" or nothing (UTC): the offset in seconds.
std::optional<int64_t> ZoneOffset(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const int64_t sign = text[0] == '-' ? -1 : 1;
  if (!Skip(&text, "+-")) return std::nullopt;
  const auto hours = Digits(&text, 2);
  Skip(&text, ":");
  const auto minutes = Digits(&text, 2);
  if (!hours || !minutes || !text.empty()) return std::nullopt;
  return sign * (*hours * int64_t{3600} + *minutes * int64_t{60});
}

// Order-preserving map of finite doubles to integers, smallest first.
uint64_t OrderedBits(double value) {
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}

// A path, or a pattern for paths, without "./" in front.
std::string_view WithoutHere(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      value != value) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

int64_t ParseDate(std::string_view text) {
  const auto year = Digits(&text, 4);
  const bool compact = year && !text.empty() && text[0] != '-';
  const auto separator = [&](std::string_view any_of) {
    return compact || Skip(&text, any_of);
  };
  if (!year || !separator("-")) return kNoDate;
  const auto month = Digits(&text, 2);
  if (!month || !separator("-")) return kNoDate;
  const auto day = Digits(&text, 2);
  if (!day || *month < 1 || *month > 12 || *day < 1 || *day > 31)
    return kNoDate;
  const int64_t days = DaysFromCivil(*year, *month, *day);
  if (text.empty()) return days * 86400;
  if (!separator("Tt ")) return kNoDate;
  const auto hour = Digits(&text, 2);
  if (!hour || !separator(":")) return kNoDate;
  const auto minute = Digits(&text, 2);
  if (!minute) return kNoDate;
  int second = 0;
  if (compact ? BeginsWithDigit(text) : Skip(&text, ":")) {
    const auto value = Digits(&text, 2);
    if (!value) return kNoDate;
    second = *value;
  }
  if (*hour > 24 || *minute > 59 || second > 60) return kNoDate;
  if (compact && BeginsWithDigit(text)) {
    if (!Digits(&text, 3)) return kNoDate;
  } else if (Skip(&text, ".,")) {
    while (!text.empty() && text[0] >= '0' && text[0] <= '9')
      text.remove_prefix(1);
  }
  const auto zone = ZoneOffset(text);
  if (!zone) return kNoDate;
  return days * 86400 + *hour * int64_t{3600} + *minute * int64_t{60} + second -
         *zone;
}

Result<PriorityOrder> PriorityOrder::Parse(
    const std::vector<std::string>& keep,
    const std::vector<std::string>& prefer) {
  static const std::map<std::string, Kind, std::less<>> kKinds = {
      {"longest", kLongest},     {"shortest", kShortest},
      {"first", kFirst},         {"newest", kNewest},
      {"oldest", kOldest},       {"https", kHttps},
      {"canonical", kCanonical}, {"shortest-url", kShortestUrl}};
  PriorityOrder order;
  order.prefer_ = prefer;
  if (!prefer.empty()) order.criteria_.push_back({kPrefer, "prefer"});
  for (const std::string& name : keep) {
    if (const auto kind = kKinds.find(name); kind != kKinds.end()) {
      order.criteria_.push_back({kind->second, name});
    } else if ((name.starts_with("max:") || name.starts_with("min:")) &&
               name.size() > 4) {
      order.criteria_.push_back(
          {name[1] == 'a' ? kMax : kMin, name, order.fields_.size()});
      order.fields_.push_back(name.substr(4));
    } else {
      const size_t colon = name.find(':');
      const std::string field =
          colon == std::string::npos ? ":FIELD" : name.substr(colon);
      std::vector<std::string> names = {"max" + field, "min" + field};
      for (const auto& known : kKinds) names.push_back(known.first);
      std::string remedy = DidYouMean(name, names);
      if (!remedy.empty()) remedy += " ";
      return Fail(ErrorCode::kUsage, "--keep does not know '" + name + "'", "",
                  remedy +
                      "use longest, shortest, first, newest, oldest, https, "
                      "canonical, shortest-url, "
                      "max:FIELD or min:FIELD");
    }
  }
  if (order.criteria_.size() > kMaxPriorityKeys) {
    return Fail(ErrorCode::kUsage,
                "--keep and --prefer together name more than " +
                    std::to_string(kMaxPriorityKeys) + " criteria");
  }
  return order;
}

namespace {

bool IsNameOf(const std::string& wanted, const InputFile& file) {
  return wanted == file.source || WithoutHere(wanted) == WithoutHere(file.path);
}

bool IsPatternFor(const std::string& wanted, const InputFile& file) {
  const std::string name = NameBytes(file.source).value_or("");
  const std::string path(WithoutHere(file.path));
  const std::string bare(WithoutCompressionSuffix(path));
  const std::string pattern(WithoutHere(wanted));
  return fnmatch(wanted.c_str(), name.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), path.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), bare.c_str(), 0) == 0;
}

}  // namespace

Preferences::Preferences(const PriorityOrder& order, const InputList& files)
    : prefer_(order.prefer()),
      is_name_(prefer_.size()),
      is_used_(prefer_.size()) {
  if (prefer_.empty()) return;
  for (const InputFile& file : files) {
    for (size_t i = 0; i < prefer_.size(); ++i) {
      if (!is_name_[i] && IsNameOf(prefer_[i], file)) is_name_[i] = true;
      if (!is_used_[i] && Names(i, file)) is_used_[i] = true;
    }
  }
}

bool Preferences::Names(size_t i, const InputFile& file) const {
  return is_name_[i] ? IsNameOf(prefer_[i], file)
                     : IsPatternFor(prefer_[i], file);
}

uint64_t Preferences::Of(const InputFile& file) const {
  size_t i = 0;
  while (i < prefer_.size() && !Names(i, file)) ++i;
  return i;
}

std::vector<std::string> Preferences::Idle() const {
  std::vector<std::string> idle;
  for (size_t i = 0; i < prefer_.size(); ++i)
    if (!is_used_[i]) idle.push_back(prefer_[i]);
  return idle;
}

uint64_t PriorityOrder::KeyOf(const Criterion& criterion,
                              const DocumentInfo& info, uint64_t preference,
                              std::span<const size_t> places) const {
  const std::string& url = info.provenance.url;
  const auto date = [&] { return ParseDate(info.provenance.date); };
  const auto number = [&] {
    const size_t index = places[criterion.field];
    return index < info.fields.size() ? ParseNumber(info.fields[index])
                                      : std::nullopt;
  };
  constexpr uint64_t kSign = uint64_t{1} << 63;
  switch (criterion.kind) {
    case kPrefer:
      return preference;
    case kLongest:
      return kMissing - 1 - info.code_points;
    case kShortest:
      return info.code_points;
    case kFirst:  // input order decides: source first, then place in it
      return uint64_t{info.provenance.source} << 40 | info.provenance.ordinal;
    case kNewest:
      return date() == kNoDate ? kMissing
                               : ~(static_cast<uint64_t>(date()) ^ kSign) - 1;
    case kOldest:
      return date() == kNoDate ? kMissing
                               : static_cast<uint64_t>(date()) ^ kSign;
    case kHttps:
      return url.empty() ? kMissing : url.starts_with("https:") ? 0 : 1;
    case kCanonical:
      return info.canonical == Canonical::kNone   ? kMissing
             : info.canonical == Canonical::kSelf ? 0
                                                  : 1;
    case kShortestUrl:
      return url.empty() ? kMissing : url.size();
    case kMax:
      return number() ? ~OrderedBits(*number()) : kMissing;
    case kMin:
      return number() ? OrderedBits(*number()) : kMissing;
  }
  return kMissing;
}

PriorityKeys PriorityOrder::Keys(const DocumentInfo& info, uint64_t preference,
                                 std::span<const size_t> places,
                                 uint32_t* missing) const {
  PriorityKeys keys{};
  *missing = 0;
  for (size_t i = 0; i < criteria_.size(); ++i) {
    keys[i] = KeyOf(criteria_[i], info, preference, places);
    if (keys[i] == kMissing) *missing |= 1u << i;
  }
  return keys;
}

std::vector<std::string> PriorityOrder::Names() const {
  std::vector<std::string> names;
  for (const Criterion& criterion : criteria_) names.push_back(criterion.name);
  return names;
}

}  // namespace twinset
