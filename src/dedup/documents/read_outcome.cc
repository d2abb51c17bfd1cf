#include "documents/read_outcome.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::string Records(uint64_t n, const std::string& what) {
  return std::to_string(n) + (n == 1 ? " record was " : " records were ") +
         what;
}

}  // namespace

void ReadOutcome::CountQuarantined(std::string_view reason,
                                   std::string_view detail) {
  if (quarantined++ > 0 || !problem.empty()) return;
  problem = reason;
  if (!detail.empty()) problem += " (" + std::string(detail) + ")";
}

void ReadOutcome::Add(const ReadOutcome& other) {
  records += other.records;
  documents += other.documents;
  quarantined += other.quarantined;
  wordless += other.wordless;
  if (problem.empty()) problem = other.problem;
}

std::function<void(const RejectedRecord&)> ReadOutcome::Counting(
    std::function<void(const RejectedRecord&)> next) {
  return [this, next = std::move(next)](const RejectedRecord& record) {
    ++records;
    if (record.quarantined) CountQuarantined(record.reason, record.detail);
    if (next) next(record);
  };
}

std::vector<std::string> CutOffWarnings(
    const std::map<std::string, uint64_t>& reasons, std::string_view list) {
  std::vector<std::string> warnings;
  for (const char* reason :
       {"truncated", "compression-truncated", "tar-truncated"}) {
    const auto found = reasons.find(reason);
    if (found == reasons.end()) continue;
    std::string text =
        CountText(found->second, "record breaks", "records break") +
        " off because the input ends too early; what should follow is missing "
        "(" +
        reason;
    if (!list.empty()) text += " in " + std::string(list);
    warnings.push_back(text + ")");
  }
  return warnings;
}

void CutOffs::Take(const std::string& inputs,
                   const std::map<std::string, uint64_t>& reasons) {
  for (const auto& [reason, records] : reasons) {
    uint64_t& most = passes_[inputs][reason];
    most = std::max(most, records);
  }
}

std::vector<std::string> CutOffs::Warnings() const {
  std::map<std::string, uint64_t> all;
  for (const auto& [inputs, reasons] : passes_)
    for (const auto& [reason, records] : reasons) all[reason] += records;
  return CutOffWarnings(all, "");
}

std::string NothingUsableText(const SideRead& side) {
  if (side.used > 0) {
    return side.name() + " has nothing to compare: " +
           (side.used == 1 ? "its one document has no word"
                           : "none of its " + std::to_string(side.used) +
                                 " documents has a word") +
           " that counts";
  }
  const bool is_documents = side.unit == "document";
  std::string text = side.name() + " has no " + side.unit + ": ";
  const uint64_t skipped = side.records - side.quarantined;
  if (side.records == 0) {
    return text +
           (side.problem.empty() ? "there is no record to read" : side.problem);
  }
  if (!is_documents) {
    return text +
           (side.records == 1 ? "its one line is none"
                              : "none of its " + std::to_string(side.records) +
                                    " lines is one") +
           (side.problem.empty() ? "" : "; " + side.problem);
  }
  if (side.quarantined > 0) {
    text +=
        Records(side.quarantined, "quarantined") +
        (side.quarantined == 1 ? " because of " : ", the first because of ") +
        side.problem;
  }
  if (skipped == 0) return text;
  return text + (side.quarantined > 0 ? "; " : "") +
         Records(skipped, "skipped") +
         " (--status, --mime and --language say which are documents)";
}

std::vector<std::string> v1::OddityWarnings(const InputOddities& oddities) {
  std::vector<std::string> warnings;
  const auto add = [&](const InputOddities::Kind& kind, const char* one,
                       const char* several) {
    if (kind.count == 0) return;
    warnings.push_back(std::to_string(kind.count) +
                       (kind.count == 1 ? one : several));
    if (!kind.first.empty())
      warnings.back() += " (" +
                         (kind.count == 1 ? "" : std::string("the first: ")) +
                         kind.first + ")";
  };
  add(oddities.quoted_fields,
      " field begins and ends with a quotation mark, which is kept: --quoting "
      "csv undoes it",
      " fields begin and end with a quotation mark, which is kept: --quoting "
      "csv undoes it");
  add(oddities.rows_in_fields,
      " row has a quoted field that holds what look like whole rows: --quoting "
      "none takes a quotation mark as it is",
      " rows have a quoted field that holds what look like whole rows: "
      "--quoting none takes a quotation mark as it is");
  add(oddities.malformed_xml,
      " page of XHTML is not well-formed and was read as HTML",
      " pages of XHTML are not well-formed and were read as HTML");
  return warnings;
}

std::string NoDocumentText(const ReadOutcome& outcome, std::string_view whose) {
  SideRead side;
  side.side = whose;
  side.records = outcome.records;
  side.used = outcome.documents;
  side.wordless = outcome.wordless;
  side.quarantined = outcome.quarantined;
  side.problem = outcome.problem;
  return NothingUsableText(side);
}

Status CheckAnyDocument(const ReadOutcome& outcome, std::string_view whose) {
  if (outcome.documents > outcome.wordless) return {};
  return Fail(ErrorCode::kCorrupt, NoDocumentText(outcome, whose));
}

}  // namespace twinset
