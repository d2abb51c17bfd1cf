#include "twinset/run_view.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/stop.h"
#include "explain/run_view_parts.h"
#include "net/url.h"
#include "pipeline/report/run_page.h"
#include "pipeline/report/run_reading.h"
#include "report/html_style.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr char kRemedy[] =
    "name the folder of --out of dedup, match or recut: twinset view RUN; of a "
    "folder of --save, twinset recut DIR --out RUN makes one";

// In the order of RunViewPage.
constexpr std::array<std::string_view, 6> kPaths = {
    "/", "/documents", "/cluster", "/document", "/pairs", "/pair"};

std::string ShortName(const std::string& id) {
  return Shortened(NameText(id), kShownIdBytes);
}

}  // namespace

std::string AddressOf(const RunViewAsked& asked) {
  std::string address(kPaths[static_cast<size_t>(asked.page)]);
  char before = '?';
  const auto add = [&](std::string_view name, std::string_view value) {
    address += std::exchange(before, '&');
    address += name;
    address += '=';
    address += EscapeValue(value);
  };
  const auto add_text = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) add(name, value);
  };
  const auto add_count = [&](std::string_view name, uint64_t value) {
    if (value > 0) add(name, std::to_string(value));
  };
  const bool is_pair = asked.page == RunViewPage::kPair;
  add_text(is_pair ? "a" : "id", asked.id);
  add_text("b", asked.other);
  add_text("q", asked.text);
  if (asked.in_texts) add("in", "texts");
  add_text("kind", asked.kind);
  add_text("host", asked.host);
  add_count("least", asked.least);
  add_count("most", asked.most);
  if (asked.low > 0) add("low", Cell::Number(asked.low).text);
  if (asked.high < 1) add("high", Cell::Number(asked.high).text);
  add_count("from", asked.from);
  return address;
}

HtmlReport BeginPage(const ViewedRun& run, std::string_view title,
                     RunViewPage page) {
  HtmlReport report = HtmlReport::Served(title, "/style.css");
  html::Links links{"Pages of the run", {}};
  const auto add = [&](RunViewPage to, const char* says) {
    RunViewAsked asked;
    asked.page = to;
    links.links.emplace_back(says, to == page ? "" : AddressOf(asked));
  };
  add(RunViewPage::kClusters, run.is_match() ? "The match" : "Clusters");
  if (!run.is_match()) add(RunViewPage::kDocuments, "Find documents");
  add(RunViewPage::kPairs, "Pairs");
  report.Add(links);
  return report;
}

Result<Json> RowOfLine(std::string_view line) {
  Json row = Json::Parse(line);
  if (row.is_object()) return row;
  return Fail(ErrorCode::kCorrupt, "a line is no row of results", {},
              "run the command again");
}

Cell IdCell(const std::string& id, const RunViewAsked& leads_to) {
  Cell cell = Cell::Text(ShortName(id));
  cell.link = AddressOf(leads_to);
  return cell;
}

Cell DocumentCell(const Json& row) {
  const std::string id = row.value("id", ""), url = row.value("url", "");
  if (url.empty() || url == id) return Cell::Text(ShortName(id));
  Cell cell = Cell::Text(Shortened(NameText(url), kShownIdBytes));
  cell.below = ShortName(id);
  return cell;
}

bool HasKinds(const ViewedRun& run) {
  return run.story.summary["judgements"].is_object();
}

Cell KindCell(const Json& row) {
  Cell cell = Cell::Text(row.value("duplicate_kind", ""));
  cell.below = row.value("difference", "");
  if (cell.text.empty()) std::swap(cell.text, cell.below);
  return cell;
}

// Its address or id.
Result<Cell> NameOfDocument(const ViewedRun& run, const std::string& id) {
  TWINSET_ASSIGN(const auto line, run.places.RowOf(id));
  if (!line) return Cell::Text(ShortName(id));
  TWINSET_ASSIGN(const Json row, RowOfLine(*line));
  return DocumentCell(row);
}

html::Table PairTable(const ViewedRun& run, std::string caption) {
  html::Table table;
  table.caption = std::move(caption);
  table.columns = {
      {run.is_match() ? "of the first, and of the second" : "pair"},
      {"similarity", true}};
  if (HasKinds(run)) table.columns.push_back({"shared, and different"});
  return table;
}

Status AddPairRow(const ViewedRun& run, const Json& row, html::Table* table) {
  RunViewAsked pair;
  pair.page = RunViewPage::kPair;
  pair.id = row.value("a", "");
  pair.other = row.value("b", "");
  TWINSET_ASSIGN(Cell both, NameOfDocument(run, pair.id));
  TWINSET_ASSIGN(Cell other, NameOfDocument(run, pair.other));
  both.below = std::move(other.text);
  both.link = AddressOf(pair);
  std::vector<Cell> cells = {std::move(both),
                             Cell::Fixed(row["similarity"].get<double>(), 4)};
  if (HasKinds(run)) cells.push_back(KindCell(row));
  table->rows.push_back(std::move(cells));
  return {};
}

void AddNext(RunViewAsked asked, uint64_t next, HtmlReport* page) {
  html::Links links{"More of the list", {}};
  if (asked.from > 0) {
    RunViewAsked first = asked;
    first.from = 0;
    links.links.emplace_back("From the beginning", AddressOf(first));
  }
  if (next > 0) {
    asked.from = next;
    links.links.emplace_back("More", AddressOf(asked));
  }
  if (!links.links.empty()) page->Add(links);
}

struct RunView::Parts : ViewedRun {
  using ViewedRun::ViewedRun;
};

RunView::RunView(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RunView::~RunView() = default;

Result<std::unique_ptr<RunView>> v1::RunView::Open(
    const RunViewOptions& options) try {
  TWINSET_ASSIGN(Json summary, ReadRunSummary(options.folder, kRemedy));
  if (summary.contains("units")) {
    return Fail(ErrorCode::kUnsupported,
                "the run cut repeated passages and has no clusters",
                NameText(options.folder), "twinset report shows it");
  }
  TWINSET_ASSIGN(RunStory story,
                 StoryOfSummary(options.folder, std::move(summary)));
  RunPlaces::Options finding;
  finding.folder = options.folder;
  finding.resources = options.resources;
  finding.on_progress = options.on_progress;
  finding.stop = options.stop;
  TWINSET_ASSIGN(RunPlaces places, RunPlaces::Find(finding));
  story.counts = places.counts();
  // A fact of the run is how large the largest is.
  if (places.largest() > 0)
    story.clusters.push_back({"", "", places.largest()});
  return std::unique_ptr<RunView>(new RunView(
      std::make_unique<Parts>(options, std::move(story), std::move(places))));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::string> v1::RunView::Draw(const RunViewAsked& asked) const try {
  if (!asked.kind.empty() && KindBit(asked.kind) < 0)
    return Fail(ErrorCode::kUsage,
                "there is no kind '" + Printable(asked.kind) + "'");
  if (!std::isfinite(asked.low) || !std::isfinite(asked.high))
    return Fail(ErrorCode::kUsage, "a similarity is between 0 and 1");
  switch (asked.page) {
    case RunViewPage::kClusters:
      return DrawClusters(*parts_, asked);
    case RunViewPage::kDocuments:
      return DrawDocuments(*parts_, asked);
    case RunViewPage::kCluster:
      return DrawCluster(*parts_, asked);
    case RunViewPage::kDocument:
      return DrawDocument(*parts_, asked);
    case RunViewPage::kPairs:
      return DrawPairs(*parts_, asked);
    case RunViewPage::kPair:
      return DrawPair(*parts_, asked);
  }
  return Fail(ErrorCode::kUsage, "there is no such page");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::string v1::RunView::DrawError(const Error& error) {
  HtmlReport page = HtmlReport::Served("There is no such page", "/style.css");
  page.Add(
      html::Lead{Capitalised(error.message) + ".", Capitalised(error.remedy)});
  page.Add(html::Links{"Elsewhere", {{"The run", "/"}}});
  return std::move(page).Finish();
}

std::string v1::RunView::Style() { return ServedStyleSheet(); }

uint64_t v1::RunView::clusters() const {
  return parts_->is_match() ? 0
                            : parts_->story.summary["clusters"].get<uint64_t>();
}

uint64_t v1::RunView::pairs() const { return parts_->pairs(); }

}  // namespace twinset
