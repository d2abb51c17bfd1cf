#include "change/page_lives.h"

#include <utility>

#include "change/page_names.h"

namespace twinset {
namespace {

constexpr size_t kMostGroups = 200;  // of top-level domains; others: "(other)"
constexpr size_t kDeepest = 9;       // deeper pages are of its group

ChangeCurve CurveOf(const Lifetimes& lifetimes) {
  const auto days = [](int64_t seconds) {
    return static_cast<double>(seconds) / kSecondsADay;
  };
  ChangeCurve curve;
  curve.watched = lifetimes.size();
  curve.ends = lifetimes.ends();
  const std::vector<SurvivalStep> steps = SurvivalCurve(lifetimes);
  for (const SurvivalStep& step : steps)
    curve.steps.push_back({days(step.length), step.at_risk, step.ends,
                           step.survival, step.low, step.high});
  const HalfLife half = HalfLifeOf(steps);
  if (half.median) curve.half_life = days(*half.median);
  if (half.low) curve.half_life_low = days(*half.low);
  if (half.high) curve.half_life_high = days(*half.high);
  return curve;
}

}  // namespace

void PageLives::See(const PageHistory& page, std::string_view address) {
  SeeAddress(page, address);
  SeeText(page);
  SeeFragments(page);
}

std::vector<ChangeCurve> PageLives::Curves() const {
  std::vector<ChangeCurve> curves;
  for (const auto& [name, lifetimes] : lifetimes_) {
    curves.push_back(CurveOf(lifetimes));
    curves.back().what = name.first;
    curves.back().group = name.second;
  }
  return curves;
}

void PageLives::Add(const std::string& what, const std::string& group,
                    bool ends, int64_t seconds, uint64_t count) {
  Lifetimes& lifetimes = lifetimes_[{what, group}];
  if (ends)
    lifetimes.AddEnd(seconds, count);
  else
    lifetimes.AddCensored(seconds, count);
}

void PageLives::SeeAddress(const PageHistory& page, std::string_view address) {
  const uint32_t first = page.captures.front().snapshot;
  const uint32_t last = page.captures.back().snapshot;
  const bool gone = last + 1 < dates_.size();
  const int64_t life = dates_[gone ? last + 1 : last] - dates_[first];
  std::string top = "tld:" + std::string(TopLevelOfAddress(address));
  if (!tops_.contains(top)) {
    if (tops_.size() < kMostGroups)
      tops_.insert(top);
    else
      top = "tld:(other)";
  }
  const size_t depth = DepthOf(address);
  const std::string deep =
      "depth:" + (depth < kDeepest ? std::to_string(depth)
                                   : std::to_string(kDeepest) + "+");
  const std::string age =
      first == 0 ? "age:there from the beginning" : "age:came later";
  for (const std::string& group : {std::string("all"), top, deep, age})
    Add("address", group, gone, life);
}

void PageLives::SeeText(const PageHistory& page) {
  const std::vector<PageCapture>& captures = page.captures;
  size_t at = 1;
  while (at < captures.size() && page.jaccard(at) == 1) ++at;
  const bool ends = at < captures.size();
  Add("unchanged", "all", ends,
      dates_[captures[ends ? at : at - 1].snapshot] -
          dates_[captures[0].snapshot]);
}

void PageLives::SeeFragments(const PageHistory& page) {
  const std::vector<PageCapture>& captures = page.captures;
  for (size_t born = 1; born < captures.size(); ++born)
    for (size_t last = born; last < captures.size(); ++last) {
      const uint64_t count = page.lives_of(born, last);
      if (count == 0) continue;
      const bool ends = last + 1 < captures.size();
      Add("fragment", "all", ends,
          dates_[captures[ends ? last + 1 : last].snapshot] -
              dates_[captures[born].snapshot],
          count);
    }
}

}  // namespace twinset
