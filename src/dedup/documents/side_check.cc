#include "documents/side_check.h"

#include <utility>

#include "read/reader.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::string Several(const std::string& noun) {
  return noun.ends_with('s') ? noun + "es" : noun + "s";
}

std::string Counted(uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + (count == 1 ? noun : Several(noun));
}

bool IsUsable(const SideRead& side) { return side.used > side.wordless; }

// The sides, where those of one name that are too many for a line are one.
std::vector<SideRead> InFewRows(const std::vector<SideRead>& sides) {
  constexpr size_t kMost = 20;
  std::vector<SideRead> rows;
  for (size_t i = 0, end = 0; i < sides.size(); i = end) {
    while (end < sides.size() && sides[end].side == sides[i].side &&
           sides[end].unit == sides[i].unit)
      ++end;
    if (end - i <= kMost || sides[i].side.empty()) {
      rows.insert(rows.end(), sides.begin() + static_cast<ptrdiff_t>(i),
                  sides.begin() + static_cast<ptrdiff_t>(end));
      continue;
    }
    SideRead& sum = rows.emplace_back();
    sum.side = sides[i].side + " (" + std::to_string(end - i) + " inputs)";
    sum.unit = sides[i].unit;
    for (size_t k = i; k < end; ++k) {
      sum.records += sides[k].records;
      sum.used += sides[k].used;
      sum.quarantined += sides[k].quarantined;
    }
  }
  return rows;
}

}  // namespace

void CountRejected(const RejectedRecord& record, SideRead* side) {
  ++side->records;
  if (!record.quarantined) return;
  if (side->quarantined++ > 0) return;
  side->problem = record.reason;
  if (!record.detail.empty()) side->problem += " (" + record.detail + ")";
}

std::string SideRead::name() const {
  if (input.empty() || input == side) return side;
  return side.empty() ? NameText(input) : side + " " + NameText(input);
}

std::string v1::SidesText(const std::vector<SideRead>& sides) {
  std::string text;
  for (const SideRead& side : InFewRows(sides)) {
    if (!text.empty()) text += "; ";
    text += side.name() + ": " + Counted(side.used, side.unit) + " of " +
            Counted(side.records, "record");
    if (side.quarantined > 0)
      text += ", " + std::to_string(side.quarantined) + " quarantined";
  }
  return text;
}

Json v1::SidesJson(const std::vector<SideRead>& sides) {
  Json rows = Json::array();
  for (const SideRead& side : sides) {
    Json row = {{"side", side.side},
                {"input", NameText(side.input)},
                {"records", side.records}};
    row[Several(side.unit)] = side.used;
    row["quarantined"] = side.quarantined;
    rows.push_back(std::move(row));
  }
  return rows;
}

Status CheckSide(const SideRead& side, const std::string& remedy) {
  if (IsUsable(side)) return {};
  return Fail(ErrorCode::kCorrupt, NothingUsableText(side), {},
              side.records == 0 ? std::string() : remedy);
}

Status CheckSideAfter(Status read, const SideRead& side,
                      const std::string& remedy) {
  if (!read && (read.error().code != ErrorCode::kUsage || side.records == 0))
    return read;
  TWINSET_TRY(CheckSide(side, remedy));
  return read;
}

void UnusableInputs::Add(const SideRead& input) {
  constexpr size_t kMost = 10;
  if (IsUsable(input)) return;
  if (sentences_.size() < kMost)
    sentences_.push_back(NothingUsableText(input));
  else
    ++left_out_;
}

std::vector<std::string> UnusableInputs::sentences() const {
  std::vector<std::string> all = sentences_;
  if (left_out_ > 0)
    all.push_back(CountText(left_out_, "more input has", "more inputs have") +
                  " nothing to compare");
  return all;
}

std::vector<std::string> TellUnusable(std::span<const SideRead> inputs) {
  UnusableInputs unusable;
  for (const SideRead& input : inputs) unusable.Add(input);
  return unusable.sentences();
}

tl::unexpected<Error> NothingInCommon(std::string_view x, std::string_view x_id,
                                      std::string_view y,
                                      std::string_view y_id) {
  const auto id_of = [](std::string_view side, std::string_view id) {
    return (id.empty() ? "none" : "'" + NameText(std::string(id)) + "'") +
           " of " + std::string(side);
  };
  return Fail(ErrorCode::kCorrupt,
              std::string(x) + " and " + std::string(y) +
                  " have no id in common: " + id_of(x, x_id) + ", " +
                  id_of(y, y_id),
              {}, "give files whose ids are of the same collection");
}

SideRead SideOf(std::string side, std::string input,
                const ReadOutcome& outcome) {
  SideRead read;
  read.side = std::move(side);
  read.input = std::move(input);
  read.records = outcome.records;
  read.used = outcome.documents;
  read.wordless = outcome.wordless;
  read.quarantined = outcome.quarantined;
  read.problem = outcome.problem;
  return read;
}

Result<SideCounter> SideCounter::Make(
    std::string side, const std::vector<std::string>& arguments,
    const std::vector<std::string>& networks) {
  TWINSET_ASSIGN(InputList files,
                 ListInputs(arguments, {.networks = networks}));
  return Over(side, arguments, std::move(files));
}

SideCounter SideCounter::Over(const std::string& side,
                              const std::vector<std::string>& arguments,
                              InputList files) {
  SideCounter counter;
  counter.files_ = std::move(files);
  for (const std::string& argument : arguments) {
    SideRead& read = counter.sides_.emplace_back();
    read.side = side;
    read.input = argument;
  }
  if (!counter.files_.empty()) counter.source_ = counter.files_[0].source;
  return counter;
}

// Null for a source of no argument.
SideRead* SideCounter::Find(const std::string& source) {
  const std::vector<size_t>& ends = files_.word_ends();
  for (size_t passed = 0; source_ != source; ++passed) {
    if (passed >= files_.size()) return nullptr;
    if (++file_ == files_.size()) file_ = side_ = 0;
    while (side_ + 1 < ends.size() && file_ >= ends[side_]) ++side_;
    source_ = files_[file_].source;
  }
  return side_ < sides_.size() ? &sides_[side_] : nullptr;
}

void SideCounter::Document(const std::string& source, bool is_wordless) {
  SideRead* const side = Find(source);
  if (side == nullptr) return;
  ++side->records;
  ++side->used;
  side->wordless += is_wordless;
}

void SideCounter::Rejected(const RejectedRecord& record) {
  if (record.quarantined) ++reasons_[record.reason];
  if (SideRead* const side = Find(record.source)) CountRejected(record, side);
}

void SideCounter::Add(const std::string& source, const SideRead& counted) {
  SideRead* const side = Find(source);
  if (side == nullptr) return;
  side->records += counted.records;
  side->used += counted.used;
  side->wordless += counted.wordless;
  if (side->quarantined == 0) side->problem = counted.problem;
  side->quarantined += counted.quarantined;
}

std::function<void(const RejectedRecord&)> SideCounter::Counting(
    std::function<void(const RejectedRecord&)> next) {
  return [this, next = std::move(next)](const RejectedRecord& record) {
    Rejected(record);
    if (next) next(record);
  };
}

uint64_t SideCounter::quarantined() const {
  uint64_t all = 0;
  for (const auto& [reason, count] : reasons_) all += count;
  return all;
}

SideRead SideCounter::Whole(std::string side) const {
  SideRead whole;
  whole.side = std::move(side);
  for (const SideRead& part : sides_) {
    whole.records += part.records;
    whole.used += part.used;
    whole.wordless += part.wordless;
    whole.quarantined += part.quarantined;
    if (whole.problem.empty()) whole.problem = part.problem;
  }
  return whole;
}

std::vector<std::string> SideCounter::Warnings() const {
  if (!IsUsable(Whole({}))) return {};
  std::vector<std::string> warnings = TellUnusable(sides_);
  for (std::string& warning : CutOffWarnings(reasons_, ""))
    warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace twinset
