#include "change/change_lists.h"

#include <utility>

#include "base/file.h"
#include "base/for_each.h"
#include "base/json_text.h"
#include "base/math/round_to.h"
#include "change/page_names.h"
#include "report/row_writer.h"

namespace twinset {
namespace {

// Below 0: nothing to compare.
void AppendSimilarity(double jaccard, std::string* line) {
  if (jaccard < 0) {
    *line += ",,";
    return;
  }
  *line += ",";
  AppendDouble(line, jaccard);
  *line += ",";
  AppendDouble(line, 2 * jaccard / (1 + jaccard));
}

// The columns that only a page with a capture before it has.
void AppendChange(const ChangeRow& row, std::string* line) {
  if (row.state == PageState::kNew) {
    *line += ",,,,,";
    return;
  }
  AppendSimilarity(row.jaccard, line);
  *line += "," + std::to_string(row.links_added) + "," +
           std::to_string(row.links_removed) + ",";
}

// A page that is not there any more; `move` may be null.
PageState StateOf(const ChangeRow& row, const Move* move) {
  return move != nullptr && !move->is_redirect ? PageState::kMoved : row.state;
}

// `right`, the address of a page that is not there any more, is not set.
ChangeExample ExampleOf(const ChangeRow& row, const Move* move,
                        const std::string& address) {
  ChangeExample example;
  example.state = StateOf(row, move);
  if (row.state == PageState::kGone || row.state == PageState::kRedirected) {
    example.left = address;
    example.before = row.number;
    if (move == nullptr) return example;
    example.after = move->there();
    example.jaccard = move->jaccard;
    return example;
  }
  example.right = address;
  example.after = row.number;
  if (row.state == PageState::kNew) return example;
  example.left = address;
  example.before = row.before;
  example.jaccard = row.jaccard;
  return example;
}

std::string_view ReasonOf(const RecrawlRow& row) {
  if (row.is_gone) return "gone";
  if (row.is_short) return "too few captures";
  if (row.lasting > 0) return "new text lasts";
  if (row.churn > 0) return "new text does not last";
  if (row.has_late) return "new text is too recent";
  return "no new text";
}

}  // namespace

Result<std::string> ChangeLists::AddressOf(uint64_t number) const {
  std::string address;
  TWINSET_TRY(addresses_.ReadOne(number, &address));
  return address;
}

Status ChangeLists::WriteChanges(ExternalSorter<ChangeRow>* rows,
                                 ExternalSorter<Move>* moves,
                                 ChangeExamples* examples) const {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(out_ + "/changes.csv"));
  TWINSET_TRY(file.Write(
      "to,url,state,jaccard,dice,links_added,links_removed,moved_to\n"));
  Move move;
  TWINSET_ASSIGN(bool has_move, moves->Next(&move));
  TWINSET_TRY(ForEach<ChangeRow>(rows, [&](const ChangeRow& row) -> Status {
    const bool is_gone =
        row.state == PageState::kGone || row.state == PageState::kRedirected;
    const bool moved = has_move && is_gone && move.to == row.to &&
                       move.from_number == row.number;
    TWINSET_ASSIGN(const std::string address, AddressOf(row.number));
    ChangeExample example = ExampleOf(row, moved ? &move : nullptr, address);
    if (dates_.size() > 2) example.date = dates_[row.to].substr(0, 10);
    std::string line = dates_[row.to] + ",";
    AppendCsvField(&line, address);
    line.append(",").append(ChoiceName(example.state));
    if (is_gone) {
      AppendSimilarity(moved ? move.jaccard : -1, &line);
      line += ",,,";
    } else {
      AppendChange(row, &line);
    }
    if (moved) {
      TWINSET_ASSIGN(const std::string other,
                     move.is_redirect ? redirects_.TargetOf(move.to_number)
                                      : AddressOf(move.to_number));
      AppendCsvField(&line, other);
      example.right = other;
      TWINSET_ASSIGN(has_move, moves->Next(&move));
    }
    examples->See(std::move(example));
    return file.Write(line + "\n");
  }));
  return file.Commit();
}

Status ChangeLists::WriteRecrawl(ExternalSorter<RecrawlRow>* rows) const {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(out_ + "/recrawl.csv"));
  TWINSET_TRY(file.Write("url,value,reason,captures,changes,lasting,churn\n"));
  TWINSET_TRY(ForEach<RecrawlRow>(rows, [&](const RecrawlRow& row) -> Status {
    TWINSET_ASSIGN(const std::string address, AddressOf(row.page));
    std::string line;
    AppendCsvField(&line, address);
    line += ",";
    AppendDouble(&line, RoundTo(row.value, 6));
    line.append(",").append(ReasonOf(row));
    for (const uint64_t count : {uint64_t{row.captures}, uint64_t{row.changes},
                                 row.lasting, row.churn})
      line += "," + std::to_string(count);
    return file.Write(line + "\n");
  }));
  return file.Commit();
}

Status ChangeLists::WriteCaptures(ExternalSorter<CaptureRow>* rows) const {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(out_ + "/captures.jsonl"));
  std::string line;
  uint64_t page = 0;
  TWINSET_TRY(ForEach<CaptureRow>(rows, [&](const CaptureRow& row) -> Status {
    if (line.empty() || row.page != page) {
      if (!line.empty()) TWINSET_TRY(file.Write(line + "]}\n"));
      page = row.page;
      TWINSET_ASSIGN(const std::string address, AddressOf(page));
      line = "{\"url\":";
      AppendJsonString(&line, address);
      line += ",\"captures\":[";
    } else {
      line += ",";
    }
    line +=
        "[\"" + DigitsText(row.date) + "\",\"" + Base64Of(row.simhash) + "\"]";
    return {};
  }));
  if (!line.empty()) TWINSET_TRY(file.Write(line + "]}\n"));
  return file.Commit();
}

}  // namespace twinset
