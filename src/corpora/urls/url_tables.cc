#include "urls/url_tables.h"

#include <cstring>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "base/for_each.h"
#include "base/json_text.h"
#include "base/math/round_to.h"
#include "estimate/intervals.h"
#include "report/row_writer.h"

namespace twinset {
namespace {

void AppendCount(uint64_t count, std::string* row) {
  *row += ',' + std::to_string(count);
}

void AppendShare(uint64_t part, uint64_t whole, std::string* row) {
  const UrlShare share = ShareOf(part, whole);
  for (const double value : {share.share, share.low, share.high}) {
    *row += ',';
    if (whole > 0) AppendDouble(row, RoundTo(value, 6));
  }
}

}  // namespace

UrlShare v1::ShareOf(uint64_t part, uint64_t whole) {
  UrlShare share = {part, whole};
  if (whole > 0)
    share.share = static_cast<double>(part) / static_cast<double>(whole);
  const Interval interval = WilsonInterval(part, whole);
  share.low = interval.low;
  share.high = interval.high;
  return share;
}

void AddCounts(const HostTally& tally, UrlCounts* counts) {
  const bool raw = (tally.kind & kTallyRaw) != 0;
  const bool found = (tally.kind & kTallyFound) != 0;
  const auto add = [&](uint64_t* all, uint64_t* of_raw, uint64_t* of_found) {
    *all += tally.lines;
    if (raw) *of_raw += tally.lines;
    if (found) *of_found += tally.lines;
  };
  const bool of_b = (tally.kind & kTallyOfB) != 0;
  if (of_b)
    add(&counts->b, &counts->b_raw, &counts->b_found);
  else
    add(&counts->a, &counts->a_raw, &counts->a_found);
  if ((tally.kind & kTallyJudged) == 0) return;
  if (of_b)
    add(&counts->judged_b, &counts->judged_b_raw, &counts->judged_b_found);
  else
    add(&counts->judged_a, &counts->judged_a_raw, &counts->judged_a_found);
}

void AddCounts(const UrlCounts& more, UrlCounts* counts) {
  counts->a += more.a;
  counts->a_raw += more.a_raw;
  counts->a_found += more.a_found;
  counts->b += more.b;
  counts->b_raw += more.b_raw;
  counts->b_found += more.b_found;
  counts->judged_a += more.judged_a;
  counts->judged_a_raw += more.judged_a_raw;
  counts->judged_a_found += more.judged_a_found;
  counts->judged_b += more.judged_b;
  counts->judged_b_raw += more.judged_b_raw;
  counts->judged_b_found += more.judged_b_found;
}

namespace {

auto Fields(const UrlCounts& c) {
  return std::tie(c.a, c.a_raw, c.a_found, c.b, c.b_raw, c.b_found, c.judged_a,
                  c.judged_a_raw, c.judged_a_found, c.judged_b, c.judged_b_raw,
                  c.judged_b_found);
}

}  // namespace

bool UrlTable::Row::operator<(const Row& other) const {
  if (name.view() != other.name.view()) return name.view() < other.name.view();
  return Fields(counts) < Fields(other.counts);
}

bool UrlTable::RankedRow::operator<(const RankedRow& other) const {
  if (counts.a != other.counts.a) return counts.a > other.counts.a;
  if (counts.b != other.counts.b) return counts.b > other.counts.b;
  return name.view() < other.name.view();
}

UrlTable::UrlTable(std::string name, std::string folder, uint64_t bytes,
                   MemoryBudget* budget)
    : budget_(budget) {
  options_.directory = std::move(folder);
  options_.name = std::move(name);
  options_.memory_bytes = bytes;
  by_name_.emplace(options_, budget_);
}

Status UrlTable::Add(std::string_view name, const UrlCounts& counts) {
  return by_name_->Add({HostName::Of(name), counts});
}

Status UrlTable::Sum() {
  TWINSET_TRY(by_name_->Finish());
  ExternalSortOptions ranked = options_;
  ranked.name += "-ranked";
  ranked_.emplace(std::move(ranked), budget_);
  std::optional<Row> open;
  TWINSET_TRY(ForEach<Row>(&*by_name_, [&](const Row& row) -> Status {
    if (open && open->name.view() == row.name.view()) {
      AddCounts(row.counts, &open->counts);
      return {};
    }
    if (open) TWINSET_TRY(ranked_->Add(RankedRow{*open}));
    open = row;
    return {};
  }));
  if (open) TWINSET_TRY(ranked_->Add(RankedRow{*open}));
  by_name_.reset();
  return ranked_->Finish();
}

Result<uint64_t> UrlTable::Write(const std::string& csv, bool judged,
                                 size_t most, std::vector<UrlGroup>* top) {
  TWINSET_TRY(Sum());
  std::optional<OutputFile> file;
  if (!csv.empty()) {
    TWINSET_ASSIGN(OutputFile created, OutputFile::Create(csv));
    file.emplace(std::move(created));
    TWINSET_TRY(file->Write(UrlTableHeader(judged)));
  }
  uint64_t names = 0;
  TWINSET_TRY(ForEach<
              RankedRow>(&*ranked_, [&](const RankedRow& row) -> Status {
    const UrlGroup group = {{row.counts, judged}, std::string(row.name.view())};
    ++names;
    if (top->size() < most) top->push_back(group);
    return file ? file->Write(UrlTableRow(group)) : Status();
  }));
  if (file) TWINSET_TRY(file->Commit());
  ranked_.reset();
  return names;
}

Status FillUrlTables(ExternalSorter<HostTally>* tallies,
                     ExternalSorter<HostName>* names,
                     const PublicSuffixes& suffixes, UrlCounts* all,
                     UrlTables* tables) {
  HostTally tally;
  TWINSET_ASSIGN(bool more, tallies->Next(&tally));
  return ForEach<HostName>(names, [&](const HostName& name) -> Status {
    UrlCounts counts;
    while (more && tally.host == name.host) {
      AddCounts(tally, &counts);
      TWINSET_ASSIGN(more, tallies->Next(&tally));
    }
    if (more && tally.host < name.host)
      return Fail(ErrorCode::kInternal, "a host of the join has no name");
    // Names are unique but for two of one hash, whose lines the first takes.
    if (counts == UrlCounts()) return {};
    AddCounts(counts, all);
    TWINSET_TRY(tables->hosts.Add(name.view(), counts));
    TWINSET_TRY(tables->domains.Add(suffixes.DomainOf(name.view()), counts));
    return tables->top_levels.Add(TopLevelOf(name.view()), counts);
  });
}

std::string UrlTableHeader(bool judged) {
  std::string header =
      "name,lines_a,a_in_b_raw,a_in_b,survival,low,high,lines_b,b_in_a_raw,"
      "b_in_a";
  if (judged)
    header +=
        ",judged_a,judged_a_in_b_raw,judged_a_in_b,judged_survival,judged_low,"
        "judged_high,judged_b,judged_b_in_a";
  return header + "\n";
}

std::string UrlTableRow(const UrlGroup& group) {
  std::string row;
  const UrlCounts& c = group.counts;
  AppendCsvField(&row, group.name);
  for (const uint64_t count : {c.a, c.a_raw, c.a_found})
    AppendCount(count, &row);
  AppendShare(c.a_found, c.a, &row);
  for (const uint64_t count : {c.b, c.b_raw, c.b_found})
    AppendCount(count, &row);
  if (group.judged) {
    for (const uint64_t count : {c.judged_a, c.judged_a_raw, c.judged_a_found})
      AppendCount(count, &row);
    AppendShare(c.judged_a_found, c.judged_a, &row);
    for (const uint64_t count : {c.judged_b, c.judged_b_found})
      AppendCount(count, &row);
  }
  return row + "\n";
}

}  // namespace twinset
