#include "transfer/segments.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <numeric>

#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "read/input_list.h"
#include "read/utf8.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Items of the expression that are tried for one id, and KiB of what is to be
// tried yet; ids and expressions may be anything.
constexpr uint32_t kMostSteps = 1000000;
constexpr uint32_t kMostKib = 1024;

// Called before each item. A limit of PCRE2's own counts anew at each place of
// the id where a match could begin.
int CountStep(pcre2_callout_block*, void* steps) {
  return ++*static_cast<uint32_t*>(steps) > kMostSteps ? PCRE2_ERROR_CALLOUT
                                                       : 0;
}

std::string WhyNone(int error) {
  PCRE2_UCHAR text[256] = {};
  pcre2_get_error_message(error, text, std::size(text));
  return reinterpret_cast<const char*>(text);
}

template <auto kFree>
struct Freed {
  void operator()(auto* it) const { kFree(it); }
};

}  // namespace

struct Segments::Pattern {
  std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>>
      rules{pcre2_compile_context_create(nullptr)};
  std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> limits{
      pcre2_match_context_create(nullptr)};
  std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;
  std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>> groups;
  uint32_t steps = 0;  // for the present id

  Status Compile(std::string_view text);
  // Where the first group matches in `id`, which is UTF-8, or else all of it;
  // empty where nothing does. A negative number of PCRE2 for an id that takes
  // too many steps.
  int Find(std::string_view id, std::string_view* name);
};

Status Segments::Pattern::Compile(std::string_view text) {
  const auto no_memory = [] {
    return Fail(ErrorCode::kMemory,
                "there is no memory for 'b.segment_pattern'");
  };
  if (rules == nullptr || limits == nullptr) return no_memory();
  pcre2_set_newline(rules.get(), PCRE2_NEWLINE_ANY);
  pcre2_set_callout(limits.get(), CountStep, &steps);
  pcre2_set_match_limit(limits.get(), kMostSteps);
  pcre2_set_heap_limit(limits.get(), kMostKib);
  int error = 0;
  size_t at = 0;
  code.reset(pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
      PCRE2_UTF | PCRE2_UCP | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_BACKSLASH_C,
      &error, &at, rules.get()));
  if (code == nullptr) {
    const std::string_view before = text.substr(0, at);
    const auto characters =
        before.size() - static_cast<size_t>(std::count_if(
                            before.begin(), before.end(), IsContinuation));
    return Fail(
        ErrorCode::kUsage,
        "'b.segment_pattern' is no regular expression: " + WhyNone(error) +
            ", behind character " + std::to_string(characters));
  }
  groups.reset(pcre2_match_data_create_from_pattern(code.get(), nullptr));
  return groups == nullptr ? Status(no_memory()) : Status();
}

int Segments::Pattern::Find(std::string_view id, std::string_view* name) {
  steps = 0;
  *name = {};
  const int found =
      pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(id.data()),
                  id.size(), 0, PCRE2_NO_UTF_CHECK, groups.get(), limits.get());
  if (found == PCRE2_ERROR_NOMATCH) return 0;
  if (found < 0) return found;
  uint32_t count = 0;
  pcre2_pattern_info(code.get(), PCRE2_INFO_CAPTURECOUNT, &count);
  const size_t* const places =
      pcre2_get_ovector_pointer(groups.get()) + (count > 0 ? 2 : 0);
  if (places[0] < places[1] && places[1] <= id.size())
    *name = id.substr(places[0], places[1] - places[0]);
  return 0;
}

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
  segments.pattern_ = std::make_unique<Pattern>();
  TWINSET_TRY(segments.pattern_->Compile(plan.segment_pattern));
  return segments;
}

Result<std::string> Segments::NameOf(std::string_view id) const {
  std::string text(id);
  MakeUtf8(&text);
  std::string_view name;
  if (pattern_->Find(text, &name) != 0)
    return Fail(ErrorCode::kUsage,
                "'b.segment_pattern' takes too long for the id " + NameText(id),
                {}, "give one with fewer choices");
  return std::string(name.empty() ? kNoSegment : name);
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
