#include "pipeline/read/run_fields.h"

namespace twinset {

namespace {

constexpr char kNoTextField[] = "no-text-field";
constexpr char kStatsFlag[] = "--stats-by";

// Which flag made the reader look for field number `i`.
std::string FlagOfField(const Plan& plan, size_t i) {
  const auto is = [&](const ScopeField& scope) {
    return scope.kind == ScopeField::kField && scope.field == i;
  };
  if (is(plan.scope.within)) return "--within";
  if (is(plan.scope.across)) return "--across";
  if (is(plan.scope.site)) return "--site";
  return i < plan.scope.priority.fields().size() ? "--keep" : kStatsFlag;
}

std::vector<ReadOptions> UsualNamesOf(const Plan& plan, size_t side) {
  std::vector<ReadOptions> usual = UsualNames(plan.options.input.preset);
  if (side == 0) return usual;
  // What nobody said of B alone.
  usual.push_back(plan.inputs.read);
  for (const auto& [preset, name] : kChoices<FieldPreset>)
    usual.push_back(UsualNames(preset).back());
  return usual;
}

// Inputs of one side that this run reads.
std::pair<size_t, size_t> InputsOf(const Plan& plan, size_t side) {
  const size_t all = plan.inputs.files.size();
  if (plan.inputs.first_side == 0) return {0, all};
  return side == 0 ? std::pair{size_t{0}, plan.inputs.first_side}
                   : std::pair{plan.inputs.first_side, all};
}

std::vector<std::string> NamesOf(const Plan& plan, size_t side) {
  const auto [begin, end] = InputsOf(plan, side);
  return FieldNamesOf(plan.inputs.files, begin, end,
                      side == 0 ? plan.inputs.read : plan.inputs.read_against);
}

// A match names the side itself.
Status CheckTextField(const Run& run) {
  const ReadCounts& read = run.counts.read;
  const ReadOutcome& outcome = read.sides[0].outcome;
  const auto lacking = read.quarantine_reasons.find(kNoTextField);
  if (run.plan.inputs.first_side != 0 || outcome.documents > 0 ||
      lacking == read.quarantine_reasons.end() ||
      lacking->second < outcome.quarantined)
    return {};
  return NoTextField(run.plan.inputs.read, NamesOf(run.plan, 0));
}

std::vector<AskedField> FieldsAskedFor(const Plan& plan,
                                       const ReadCounts& counts, size_t side) {
  const ReadOptions& read =
      side == 0 ? plan.inputs.read : plan.inputs.read_against;
  const auto& present = counts.sides[side].present;
  std::vector<AskedField> asked = AskedRowFields(
      read, UsualNamesOf(plan, side), side == 0 ? "--" : "--against-",
      {present[field_bit::kId], present[field_bit::kUrl],
       present[field_bit::kDate]});
  for (size_t i = 0; i < read.fields.size(); ++i) {
    std::string flag = FlagOfField(plan, i);
    // Documents of B are not counted by value.
    if (side == 1 && flag == kStatsFlag) continue;
    if (field_bit::kField + i < field_bit::kCount)
      asked.push_back(
          {std::move(flag), read.fields[i], present[field_bit::kField + i]});
  }
  return asked;
}

std::string WhoseDocument(const Plan& plan, size_t side) {
  if (plan.inputs.first_side == 0) return "document";
  return side == 0 ? "document of A" : "document of B";
}

}  // namespace

std::vector<AskedField> AskedFieldsOf(const Run& run, size_t side) {
  return FieldsAskedFor(run.plan, run.counts.read, side);
}

std::string FieldNotice(const Plan& plan, const ReadCounts& counts, size_t side,
                        bool lacks_text) {
  if (!plan.inputs.sources.empty()) return "";
  const uint64_t documents = counts.sides[side].outcome.documents;
  const auto asked = FieldsAskedFor(plan, counts, side);
  const Status fields =
      lacks_text
          ? Status(NoTextField(
                side == 0 ? plan.inputs.read : plan.inputs.read_against,
                NamesOf(plan, side)))
          : CheckAskedFields(asked, documents, WhoseDocument(plan, side), {});
  if (fields) return "";
  Error error = fields.error();
  if (!lacks_text)
    error = CheckAskedFields(asked, documents, WhoseDocument(plan, side),
                             NamesOf(plan, side))
                .error();
  return "of the first " + std::to_string(kRowsForNotice) + " records" +
         (plan.inputs.first_side == 0 ? ""
          : side == 0                 ? " of A"
                                      : " of B") +
         ": " + error.ToString() + "; reading goes on";
}

Status CheckRunFields(const Run& run) {
  const Plan& plan = run.plan;
  if (!plan.inputs.sources.empty()) return {};
  TWINSET_TRY(CheckTextField(run));
  const size_t sides = plan.inputs.first_side == 0 ? 1 : 2;
  for (size_t side = 0; side < sides; ++side) {
    // A saved run was asked when it was made.
    if (InputsOf(plan, side).first >= plan.inputs.files.size() ||
        plan.inputs.IsStored(InputsOf(plan, side).first))
      continue;
    const uint64_t documents = run.counts.read.sides[side].outcome.documents;
    const auto asked = AskedFieldsOf(run, side);
    const std::string whose = WhoseDocument(plan, side);
    if (CheckAskedFields(asked, documents, whose, {})) continue;
    return CheckAskedFields(asked, documents, whose, NamesOf(plan, side));
  }
  return {};
}

}  // namespace twinset
