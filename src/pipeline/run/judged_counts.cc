#include "pipeline/run/judged_counts.h"

#include <string>
#include <utility>
#include <vector>

namespace twinset::inline v1 {

namespace {

Json Object(const std::vector<std::pair<std::string, uint64_t>>& counts) {
  Json object = Json::object();
  for (const auto& [name, count] : counts) object[name] = count;
  return object;
}

}  // namespace

JudgementCounts NamedCounts(const JudgedCounts& counts) {
  JudgementCounts named;
  named.pairs = counts.pairs;
  for (size_t i = 0; i < kDuplicateKinds; ++i) {
    const auto kind = static_cast<DuplicateKind>(i);
    named.duplicate_kinds.emplace_back(DuplicateKindName(kind),
                                       counts.kinds[i]);
  }
  for (size_t i = 0; i < kDifferenceKinds; ++i) {
    const auto kind = static_cast<DifferenceKind>(i);
    named.differences.emplace_back(DifferenceKindName(kind),
                                   counts.differences[i]);
  }
  named.grades = counts.grades;
  return named;
}

Json NamedCountsJson(const JudgedCounts& counts) {
  const JudgementCounts named = NamedCounts(counts);
  Json json;
  json["pairs"] = named.pairs;
  json["duplicate_kind"] = Object(named.duplicate_kinds);
  json["difference"] = Object(named.differences);
  Json grades = Json::array();
  for (const uint64_t count : named.grades) grades.push_back(count);
  json["grade_in_tenths"] = std::move(grades);
  return json;
}

}  // namespace twinset::inline v1
