// What the pages of a finished run are drawn from.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_RUN_VIEW_PARTS_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_RUN_VIEW_PARTS_H_

#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "explain/run_places.h"
#include "pipeline/report/run_story.h"
#include "report/html_report.h"
#include "twinset/explain.h"
#include "twinset/json.h"
#include "twinset/run_view.h"

namespace twinset {

struct ViewedRun {
  ViewedRun(RunViewOptions given, RunStory told, RunPlaces found)
      : options(std::move(given)),
        story(std::move(told)),
        places(std::move(found)) {}

  const RunViewOptions options;
  RunStory story;  // without texts, pairs and clusters
  const RunPlaces places;

  bool is_match() const { return story.kind == RunStory::kMatch; }
  uint64_t pairs() const {
    const auto& below = story.counts.similarities;
    return std::accumulate(below.begin(), below.end(), story.counts.equal);
  }
};

// The address of a page with what was asked; members at their usual value are
// left out.
std::string AddressOf(const RunViewAsked& asked);

// A page with its title and the links to others.
HtmlReport BeginPage(const ViewedRun& run, std::string_view title,
                     RunViewPage page);

// A document as a table names it: its address, with the id below, or its id.
html::Cell DocumentCell(const Json& row);
html::Cell IdCell(const std::string& id, const RunViewAsked& leads_to);
// What the row says of how two documents differ, in a few words.
html::Cell KindCell(const Json& row);
// Returns true iff rows of the run say that.
bool HasKinds(const ViewedRun& run);

Result<std::string> DrawClusters(const ViewedRun& run,
                                 const RunViewAsked& asked);
Result<std::string> DrawDocuments(const ViewedRun& run,
                                  const RunViewAsked& asked);
Result<std::string> DrawCluster(const ViewedRun& run,
                                const RunViewAsked& asked);
Result<std::string> DrawDocument(const ViewedRun& run,
                                 const RunViewAsked& asked);
Result<std::string> DrawPairs(const ViewedRun& run, const RunViewAsked& asked);
Result<std::string> DrawPair(const ViewedRun& run, const RunViewAsked& asked);

// The row of a list, of which a line was read. kCorrupt.
Result<Json> RowOfLine(std::string_view line);

// How a document is called that may be in no cluster.
Result<html::Cell> NameOfDocument(const ViewedRun& run, const std::string& id);

// A table of rows of pairs.
html::Table PairTable(const ViewedRun& run, std::string caption);
Status AddPairRow(const ViewedRun& run, const Json& row, html::Table* table);

// "Show more", where there is more.
void AddNext(RunViewAsked asked, uint64_t next, HtmlReport* page);

inline constexpr size_t kRowsOfPage = 25;
inline constexpr size_t kShownIdBytes = 200;
// A page ends after so many bytes of rows.
inline constexpr uint64_t kMostScanned = uint64_t{1} << 30;

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_RUN_VIEW_PARTS_H_
