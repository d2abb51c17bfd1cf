#include "pipeline/run/judged_counts.h"

#include "twinset/choices.h"

namespace twinset {

namespace {

template <ChoiceEnum Enum, size_t kSize>
Json ByName(const std::array<uint64_t, kSize>& counts) {
  Json object = Json::object();
  for (const auto& [value, name] : kChoices<Enum>)
    object[name] = counts[static_cast<size_t>(value)];
  return object;
}

}  // namespace

Json JudgementsJson(const JudgementCounts& counts) {
  Json json;
  json["pairs"] = counts.pairs;
  json["duplicate_kind"] = ByName<DuplicateKind>(counts.kinds);
  json["difference"] = ByName<DifferenceKind>(counts.differences);
  json["grade_in_tenths"] = counts.grades;
  return json;
}

}  // namespace twinset
