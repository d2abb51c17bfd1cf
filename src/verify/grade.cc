#include "verify/grade.h"

#include <algorithm>
#include <utility>

namespace twinset {
namespace {

constexpr int64_t kOne = 65536;

// kGradeBias, kGradeWeights (both in 1/4096) and kLogistic.
#include "verify/grade_model.inc"

constexpr int64_t kLogisticSteps = 8;    // entries for each unit of the logit
constexpr uint32_t kShortText = 50;      // tokens: below, the reason says so
constexpr uint32_t kNotableGap = 10;     // per cent between the containments
constexpr uint32_t kMostPerMille = 999;  // a model never knows

int64_t Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<int64_t>(
                          static_cast<unsigned __int128>(part) * kOne / whole);
}

// 1 / (1 + exp(-z)) in 1/65536, z in 1/4096: straight lines between the entries
// of the table, within 0.0002 of the curve.
int64_t Logistic(int64_t z) {
  constexpr int64_t kStep = 4096 / kLogisticSteps;
  const int64_t distance = z < 0 ? -z : z;
  const auto last = static_cast<int64_t>(kLogistic.size()) - 1;
  const int64_t entry = distance / kStep;
  int64_t value = kLogistic.back();
  if (entry < last) {
    const auto i = static_cast<size_t>(entry);
    value = kLogistic[i] +
            (kLogistic[i + 1] - kLogistic[i]) * (distance % kStep) / kStep;
  }
  return z < 0 ? kOne - value : value;
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

const char* GradeFeatureName(GradeFeature feature) {
  switch (feature) {
    case kGradeJaccard:
      return "jaccard";
    case kGradeSmaller:
      return "smaller_containment";
    case kGradeLarger:
      return "larger_containment";
    case kGradeS3:
      return "s3";
    case kGradeLength:
      return "length_ratio";
    case kGradeCloseLength:
      return "close_length";
    case kGradeLayout:
      return "layout";
    case kGradeFeatures:
      break;
  }
  return "";
}

std::array<int64_t, kGradeFeatures> GradeFeaturesOf(const PairFacts& facts) {
  const Overlap& content = facts.content;
  const int64_t in_a = Ratio(content.common, content.a);
  const int64_t in_b = Ratio(content.common, content.b);
  const int64_t length = Ratio(std::min(facts.tokens_a, facts.tokens_b),
                               std::max(facts.tokens_a, facts.tokens_b));
  const Overlap& layout = facts.layout;
  std::array<int64_t, kGradeFeatures> features{};
  features[kGradeJaccard] =
      Ratio(content.common, content.a + content.b - content.common);
  features[kGradeSmaller] = std::min(in_a, in_b);
  features[kGradeLarger] = std::max(in_a, in_b);
  features[kGradeS3] =
      Ratio(2 * facts.passages.common, facts.passages.a + facts.passages.b);
  features[kGradeLength] = length;
  features[kGradeCloseLength] = std::max<int64_t>(0, 5 * length - 4 * kOne);
  if (layout.a != 0 || layout.b != 0) {
    features[kGradeLayout] =
        2 * Ratio(layout.common, layout.a + layout.b - layout.common) - kOne;
  }
  return features;
}

PairGrade GradePair(const PairFacts& facts) {
  PairGrade grade;
  grade.reason = ContentReason(facts) + LengthReason(facts) +
                 LayoutReason(facts) + ShortReason(facts);
  if (facts.tokens_a == 0 || facts.tokens_b == 0) return grade;
  if (facts.same_tokens) {
    grade.per_mille = kMostPerMille;
    return grade;
  }
  const auto features = GradeFeaturesOf(facts);
  int64_t weighted = 0;  // in 1/4096 * 1/65536
  for (size_t i = 0; i < features.size(); ++i) {
    weighted += kGradeWeights[i] * features[i];
  }
  const int64_t logit = kGradeBias + weighted / kOne;
  grade.per_mille = static_cast<uint32_t>(std::min<int64_t>(
      kMostPerMille, (Logistic(logit) * 2000 + kOne) / (2 * kOne)));
  return grade;
}

}  // namespace twinset
