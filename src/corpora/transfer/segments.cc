#include "transfer/segments.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <numeric>

#include "base/keyed_hash.h"
#include "read/input_list.h"
#include "twinset/plain_words.h"

namespace twinset {

// Steps of the matcher for one id; ids and expressions may be anything.
constexpr int32_t kMostSteps = 100;
constexpr int32_t kStackBytes = 1 << 20;

struct Segments::Pattern {
  std::unique_ptr<icu::RegexMatcher> matcher;
};

Segments::Segments() = default;
Segments::Segments(Segments&&) noexcept = default;
Segments& Segments::operator=(Segments&&) noexcept = default;
Segments::~Segments() = default;

Result<Segments> Segments::Make(const StudyPlan& plan, uint64_t most_bytes) {
  Segments segments;
  segments.most_bytes_ = most_bytes;
  if (plan.segment_pattern.empty()) {
    segments.names_ = NamesApart(plan.b.inputs);
    segments.sizes_.assign(segments.names_.size(), 0);
    return segments;
  }
  UErrorCode status = U_ZERO_ERROR;
  auto matcher = std::make_unique<icu::RegexMatcher>(
      icu::UnicodeString::fromUTF8(plan.segment_pattern), 0, status);
  if (U_FAILURE(status) != 0)
    return Fail(ErrorCode::kUsage,
                "'b.segment_pattern' is no regular expression", {},
                u_errorName(status));
  matcher->setTimeLimit(kMostSteps, status);
  matcher->setStackLimit(kStackBytes, status);
  segments.pattern_ = std::make_unique<Pattern>();
  segments.pattern_->matcher = std::move(matcher);
  return segments;
}

Result<std::string> Segments::NameOf(std::string_view id) const {
  const auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(id.data(), static_cast<int32_t>(id.size())));
  icu::RegexMatcher& matcher = *pattern_->matcher;
  matcher.reset(text);
  UErrorCode status = U_ZERO_ERROR;
  const bool found = matcher.find(status) != 0;
  if (U_FAILURE(status) != 0)
    return Fail(ErrorCode::kUsage,
                "'b.segment_pattern' takes too long for the id " + NameText(id),
                {}, "give one with fewer choices");
  if (!found) return std::string(kNoSegment);
  const int32_t group = matcher.groupCount() > 0 ? 1 : 0;
  std::string name;
  matcher.group(group, status).toUTF8String(name);
  return name.empty() ? std::string(kNoSegment) : name;
}

Status Segments::Add(std::string_view id, size_t input) {
  if (pattern_ == nullptr) {
    ++sizes_[input];
    of_ids_.emplace_back(EqualityHash::OfProcess().Short(id),
                         static_cast<uint32_t>(input));
    if (of_ids_.size() * sizeof(of_ids_[0]) <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the ids of B do not fit into a quarter of the memory", {},
                "give [b] segment_pattern, or more --memory");
  }
  TWINSET_ASSIGN(const std::string name, NameOf(id));
  const auto known = std::find(names_.begin(), names_.end(), name);
  const auto place = static_cast<size_t>(known - names_.begin());
  if (known == names_.end()) {
    if (names_.size() == kMostSegments)
      return Fail(ErrorCode::kUsage,
                  "'b.segment_pattern' tells more than " +
                      std::to_string(kMostSegments) + " segments apart",
                  {}, "let its first group match less");
    names_.push_back(name);
    sizes_.push_back(0);
  }
  ++sizes_[place];
  return {};
}

void Segments::Finish() {
  std::sort(of_ids_.begin(), of_ids_.end());
  if (pattern_ == nullptr) return;
  std::vector<size_t> order(names_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [this](size_t x, size_t y) {
    const bool x_none = names_[x] == kNoSegment,
               y_none = names_[y] == kNoSegment;
    return x_none != y_none ? y_none : names_[x] < names_[y];
  });
  std::vector<std::string> names;
  std::vector<uint64_t> sizes;
  for (const size_t i : order) {
    names.push_back(std::move(names_[i]));
    sizes.push_back(sizes_[i]);
  }
  names_ = std::move(names);
  sizes_ = std::move(sizes);
}

Result<uint32_t> Segments::Of(std::string_view id) const {
  if (pattern_ == nullptr) {
    const std::pair<uint64_t, uint32_t> least(
        EqualityHash::OfProcess().Short(id), 0);
    const auto found = std::lower_bound(of_ids_.begin(), of_ids_.end(), least);
    if (found != of_ids_.end() && found->first == least.first)
      return found->second;
  } else {
    TWINSET_ASSIGN(const std::string name, NameOf(id));
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end())
      return static_cast<uint32_t>(found - names_.begin());
  }
  return Fail(ErrorCode::kInternal, "a document of B has no segment",
              NameText(id));
}

}  // namespace twinset
