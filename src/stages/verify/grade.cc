#include "verify/grade.h"

#include <algorithm>
#include <utility>

namespace twinset {
namespace {

constexpr int64_t kOne = 65536;

// kGradeCurve.
#include "verify/grade_model.inc"

constexpr uint32_t kShortText = 50;      // tokens: below, the reason says so
constexpr uint32_t kNotableGap = 10;     // per cent between the containments
constexpr uint32_t kMostPerMille = 999;  // a model never knows

int64_t Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<int64_t>(
                          static_cast<unsigned __int128>(part) * kOne / whole);
}

// Straight lines between the values of the curve. Both sides in 1/65536.
int64_t OnCurve(int64_t jaccard) {
  constexpr int64_t kStep = kOne / (int64_t{kGradeCurve.size()} - 1);
  const auto i = static_cast<size_t>(jaccard / kStep);
  if (i + 1 == kGradeCurve.size()) return kGradeCurve.back();
  return kGradeCurve[i] +
         (kGradeCurve[i + 1] - kGradeCurve[i]) * (jaccard % kStep) / kStep;
}

// Rounded to whole per cent, but 0 and 100 only when it is exactly that.
uint32_t PerCent(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0) return 0;
  if (part >= whole) return 100;
  const auto rounded = static_cast<uint32_t>(
      (static_cast<unsigned __int128>(part) * 200 + whole) /
      (static_cast<unsigned __int128>(whole) * 2));
  return std::clamp(rounded, 1u, 99u);
}

// `before` number `after`.
std::string Text(std::string before, uint64_t number, const char* after) {
  before += std::to_string(number);
  before += after;
  return before;
}

std::string ContentReason(const PairFacts& facts) {
  if (facts.tokens_a == 0 || facts.tokens_b == 0) {
    return facts.tokens_a == facts.tokens_b ? "neither text has words"
                                            : "one text has no words";
  }
  if (facts.same_tokens) return "the same words in the same order";
  const Overlap& content = facts.content;
  if (content.common == 0) return "no run of five words in common";
  const bool a_shorter = std::pair(facts.tokens_a, content.a) <=
                         std::pair(facts.tokens_b, content.b);
  const uint32_t of_shorter =
      PerCent(content.common, a_shorter ? content.a : content.b);
  const uint32_t of_longer =
      PerCent(content.common, a_shorter ? content.b : content.a);
  std::string reason =
      Text("", of_shorter, " % of the shorter text stands in the longer one");
  if (of_longer + kNotableGap <= of_shorter) {
    reason +=
        Text(", but only ", of_longer, " % of the longer one in the shorter");
  }
  return reason;
}

std::string LengthReason(const PairFacts& facts) {
  const auto [shorter, longer] = std::minmax(facts.tokens_a, facts.tokens_b);
  if (shorter == 0 || facts.same_tokens) return "";
  if (shorter == longer) return "; lengths are equal";
  return Text("; lengths differ by ", PerCent(longer - shorter, longer), " %");
}

std::string LayoutReason(const PairFacts& facts) {
  if (facts.layout.a == 0 && facts.layout.b == 0) return "";
  const uint64_t all = facts.layout.a + facts.layout.b - facts.layout.common;
  const uint32_t alike = PerCent(facts.layout.common, all);
  if (alike == 100) return "; the same layout";
  if (alike == 0) return "; layouts have nothing in common";
  return Text("; layouts are ", alike, " % alike");
}

std::string ShortReason(const PairFacts& facts) {
  const uint64_t shorter = std::min(facts.tokens_a, facts.tokens_b);
  if (shorter == 0 || shorter >= kShortText) return "";
  return Text("; the shorter text has only ", shorter,
              shorter == 1 ? " word" : " words");
}

}  // namespace

PairGrade GradePair(const PairFacts& facts) {
  const Overlap& content = facts.content;
  PairGrade grade;
  grade.jaccard = Ratio(content.common, content.a + content.b - content.common);
  grade.reason = ContentReason(facts) + LengthReason(facts) +
                 LayoutReason(facts) + ShortReason(facts);
  if (facts.tokens_a == 0 || facts.tokens_b == 0) return grade;
  grade.per_mille = kMostPerMille;
  if (!facts.same_tokens) {
    grade.per_mille = static_cast<uint32_t>(std::min<int64_t>(
        kMostPerMille, (OnCurve(grade.jaccard) * 2000 + kOne) / (2 * kOne)));
  }
  return grade;
}

}  // namespace twinset
