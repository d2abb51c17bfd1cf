#include "change/visit_log.h"

#include <charconv>
#include <optional>
#include <vector>

#include "base/csv_row.h"
#include "base/for_each.h"
#include "change/page_history.h"

namespace twinset {
namespace {

// So many visits of an address that sums stay exact.
constexpr uint64_t kMostVisits = uint64_t{1} << 40;

ExternalSortOptions Named(ExternalSortOptions sort, std::string name) {
  sort.name = std::move(name);
  return sort;
}

std::optional<uint64_t> ParseCount(const std::string& text) {
  uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || at != end || count > kMostVisits) return {};
  return count;
}

}  // namespace

VisitLog::VisitLog(const ExternalSortOptions& sort, MemoryBudget* budget)
    : visits_(Named(sort, "visits"), budget),
      contents_(Named(sort, "visited-contents"), budget) {}

Status VisitLog::Read(const StudyText& text, LineCounts* lines) {
  LineLog log(lines, {}, "visited address");
  std::vector<std::string> fields;
  TWINSET_TRY(ForEachStudyLine(
      text, &log, [&](std::string_view line, uint64_t number) -> Status {
        fields.clear();
        const std::string where = LineLog::Where(text.name, number);
        if (SplitCsvRow(line, ',', &fields) != 2)
          return log.LeaveOut("not-two-columns", where, "not url,count");
        const std::optional<uint64_t> count = ParseCount(fields[1]);
        if (!count) {
          if (number == 1 && (fields[1] == "count" || fields[1] == "visits"))
            return {};
          return log.LeaveOut("bad-count", where,
                              "the count is no whole number up to 2^40");
        }
        if (fields[0].empty())
          return log.LeaveOut("no-url", where, "the URL is empty");
        ++lines->used;
        if (first_url_.empty()) first_url_ = fields[0];
        return visits_.Add({AddressKey(fields[0], fields[0]), *count});
      }));
  return visits_.Finish();
}

Status VisitLog::Move() {
  TWINSET_ASSIGN(has_next_, visits_.Next(&next_));
  is_begun_ = true;
  return {};
}

Result<uint64_t> VisitLog::Take(const Hash128Value& address) {
  if (!is_begun_) TWINSET_TRY(Move());
  const auto order = [](const Hash128Value& hash) {
    return std::tie(hash.high, hash.low);
  };
  uint64_t visits = 0;
  while (has_next_ && order(next_.key) <= order(address)) {
    (next_.key == address ? visits : sums_.elsewhere) += next_.count;
    TWINSET_TRY(Move());
  }
  sums_.of_pages += visits;
  return visits;
}

Status VisitLog::SeeLast(const Hash128Value& content, uint64_t visits) {
  sums_.of_last += visits;
  return contents_.Add({content, visits});
}

Result<ChangeVisits> VisitLog::Finish() {
  if (!is_begun_) TWINSET_TRY(Move());
  while (has_next_) {
    sums_.elsewhere += next_.count;
    TWINSET_TRY(Move());
  }
  TWINSET_TRY(contents_.Finish());
  Visit before;
  uint64_t pages = 0;  // of the content of `before`, whose visits it sums
  const auto close = [&] {
    if (pages > 1) sums_.of_shared += before.count;
  };
  TWINSET_TRY(ForEach<Visit>(&contents_, [&](const Visit& visit) {
    if (pages > 0 && visit.key == before.key) {
      before.count += visit.count;
      ++pages;
      return;
    }
    close();
    before = visit;
    pages = 1;
  }));
  close();
  return sums_;
}

}  // namespace twinset
