// Pages of a finished run that list clusters, documents and pairs.
#include <algorithm>
#include <chrono>
#include <utility>

#include "explain/run_view_parts.h"
#include "net/url.h"
#include "pipeline/report/run_page.h"
#include "pipeline/report/run_reading.h"
#include "report/kept_page.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::FormField;

constexpr std::chrono::seconds kSearchTime(5);
constexpr size_t kAroundBytes = 60;  // of what is found in a text
constexpr int kOrdinalBits = 40;     // of a place where a search goes on

std::vector<std::pair<std::string, std::string>> KindChoices(
    const ViewedRun& run, bool of_rows) {
  std::vector<std::pair<std::string, std::string>> choices = {{"", "any"}};
  for (const std::string& name : KindNames(run.places.kinds())) {
    choices.emplace_back(
        name, name == "equal"  ? (of_rows ? "equal" : "equal copies alone")
              : name == "near" ? (of_rows ? "not equal" : "some not equal")
                               : name);
  }
  return choices;
}

std::string NumberOr(uint64_t number) {
  return number == 0 ? "" : std::to_string(number);
}

void AddClusterFields(const ViewedRun& run, const RunViewAsked& asked,
                      bool of_rows, html::Form* form) {
  form->fields.push_back({FormField::kNumber, "least", "At least",
                          NumberOr(asked.least), "documents"});
  form->fields.push_back({FormField::kNumber, "most", "At most",
                          NumberOr(asked.most), "documents"});
  form->fields.push_back({FormField::kChoice, "kind", "Kind", asked.kind,
                          of_rows ? "of the document" : "of any document",
                          KindChoices(run, of_rows)});
  form->fields.push_back(
      {FormField::kLine, "host", "Host", asked.host, "as www.example.org"});
}

Status AddClusterTable(const ViewedRun& run, const RunViewAsked& asked,
                       HtmlReport* page) {
  TWINSET_ASSIGN(const RunPlaces::Page listed,
                 run.places.List(asked.host, asked.least, asked.most,
                                 KindBit(asked.kind), asked.from, kRowsOfPage));
  if (listed.clusters.empty()) {
    page->Add(html::Note{"There is no such cluster."});
    return {};
  }
  html::Table table;
  table.caption =
      listed.all ? CountText(*listed.all, "cluster") + ", the largest first"
                 : "Clusters, the largest first";
  table.columns = {{"the document that stands for it"},
                   {"documents", true},
                   {"least alike", true},
                   {"kinds"}};
  for (const ListedCluster& cluster : listed.clusters) {
    TWINSET_ASSIGN(const std::string line,
                   run.places.clusters().At(cluster.row));
    TWINSET_ASSIGN(const Json row, RowOfLine(line));
    RunViewAsked leads;
    leads.page = RunViewPage::kCluster;
    leads.id = row.value("cluster", "");
    Cell name = DocumentCell(row);
    name.link = AddressOf(leads);
    std::string kinds;
    for (const std::string& kind : KindNames(cluster.kinds))
      kinds += (kinds.empty() ? "" : ", ") + kind;
    table.rows.push_back({std::move(name), Cell::Count(cluster.size()),
                          Cell::Fixed(cluster.least, 4), Cell::Text(kinds)});
  }
  page->Add(table);
  AddNext(asked, listed.next, page);
  return {};
}

// Returns true iff a row of `clusters` is one that is asked for, whatever its
// text.
bool IsAsked(std::string_view line, const RunViewAsked& asked,
             const std::string& id, const std::string& host) {
  if (asked.least > 0 || asked.most > 0) {
    const auto size = static_cast<uint64_t>(WrittenNumber(line, "size"));
    if (size < asked.least || (asked.most > 0 && size > asked.most))
      return false;
  }
  if (!asked.host.empty() && host != asked.host) return false;
  if (asked.kind.empty()) return true;
  const bool stays = WrittenText(line, "cluster") == id;
  const int bit = KindBit(asked.kind);
  if (bit > 1) return !stays && (KindsOfRow(line) >> bit & 1) != 0;
  return !stays && (WrittenNumber(line, "similarity") >= 1) == (bit == 0);
}

html::Table DocumentTable() {
  html::Table table;
  table.columns = {{"document"},
                   {"alike", true},
                   {"in a cluster of", true},
                   {"for which stands"}};
  return table;
}

// `row`: of `clusters`.
std::vector<Cell> DocumentRow(const Json& row) {
  RunViewAsked leads;
  leads.page = RunViewPage::kDocument;
  leads.id = row.value("id", "");
  Cell name = DocumentCell(row);
  name.link = AddressOf(leads);
  RunViewAsked cluster;
  cluster.page = RunViewPage::kCluster;
  cluster.id = row.value("cluster", "");
  Cell of = row["is_representative"] == true ? IdCell("this one", cluster)
                                             : IdCell(cluster.id, cluster);
  return {std::move(name), Cell::Fixed(row["similarity"].get<double>(), 4),
          Cell::Count(row["size"].get<uint64_t>()), std::move(of)};
}

void AddDocumentForm(const ViewedRun& run, const RunViewAsked& asked,
                     HtmlReport* page) {
  html::Form form;
  form.action = "/documents";
  form.in_row = true;
  form.fields = {{FormField::kLine, "q", "That have", asked.text,
                  "letters as they are written"},
                 {FormField::kChoice,
                  "in",
                  "In",
                  asked.in_texts ? "texts" : "",
                  "texts are read again",
                  {{"", "their ids and addresses"}, {"texts", "their texts"}}}};
  AddClusterFields(run, asked, true, &form);
  form.button = "Find";
  page->Add(form);
}

struct Scanned {
  html::Table table = DocumentTable();
  uint64_t next = 0;  // 0: all was looked at
  std::string upto;   // how far it is
};

Result<Scanned> FindInRows(const ViewedRun& run, const RunViewAsked& asked) {
  Scanned found;
  const std::string wanted = AsWritten(asked.text);
  const RowFile& rows = run.places.clusters();
  TWINSET_TRY(rows.ForEach(
      asked.from, [&](uint64_t at, std::string_view line) -> Result<bool> {
        if (found.table.rows.size() == kRowsOfPage ||
            at - asked.from > kMostScanned) {
          found.next = at;
          return false;
        }
        if (line.find(wanted) == line.npos) return true;
        const auto id = WrittenText(line, "id"), url = WrittenText(line, "url");
        if (!id || (id->find(wanted) == id->npos &&
                    (!url || url->find(wanted) == url->npos)))
          return true;
        std::string host;
        if (!asked.host.empty() && url) host = HostOfWritten(*url);
        if (!IsAsked(line, asked, std::string(*id), host)) return true;
        TWINSET_ASSIGN(const Json row, RowOfLine(line));
        found.table.rows.push_back(DocumentRow(row));
        return true;
      }));
  if (found.next > 0)
    found.upto = ShareText(found.next, rows.bytes()) + " of the rows";
  return found;
}

// What surrounds the place where it stands, which is marked.
Cell Excerpt(const std::string& text, size_t at, size_t length) {
  size_t begin = at > kAroundBytes ? at - kAroundBytes : 0;
  while (begin < at && (text[begin] & 0xC0) == 0x80) ++begin;
  size_t end = std::min(text.size(), at + length + kAroundBytes);
  while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
  constexpr char kMore[] = "\xE2\x80\xA6";
  Cell cell;
  cell.text = text.substr(begin, end - begin);
  cell.pieces = {
      {html::Piece::kSame,
       (begin > 0 ? kMore : "") + text.substr(begin, at - begin)},
      {html::Piece::kMarked, text.substr(at, length)},
      {html::Piece::kSame, text.substr(at + length, end - at - length) +
                               (end < text.size() ? kMore : "")}};
  return cell;
}

Result<Scanned> FindInTexts(const ViewedRun& run, const RunViewAsked& asked) {
  Scanned found;
  found.table.columns.push_back({"where"});
  TWINSET_ASSIGN(
      const RunReading reading,
      ReadingOfRun(run.story.summary, run.story.options, run.options));
  const auto begin = std::chrono::steady_clock::now();
  const InputPlace from{static_cast<uint32_t>(asked.from >> kOrdinalBits),
                        asked.from & ((uint64_t{1} << kOrdinalBits) - 1)};
  uint64_t looked = 0;
  Status inside;
  TWINSET_TRY(ForEachTextAgain(
      reading, from, [&](InputPlace place, const DocumentText& text) {
        if (found.table.rows.size() == kRowsOfPage ||
            std::chrono::steady_clock::now() - begin > kSearchTime) {
          found.next = uint64_t{place.file} << kOrdinalBits | place.ordinal;
          found.upto = CountText(looked, "document");
          return false;
        }
        ++looked;
        const size_t at = text.text.find(asked.text);
        if (at == std::string::npos) return true;
        auto line = run.places.RowOf(text.id);
        if (!line) {
          inside = tl::unexpected(line.error());
          return false;
        }
        Json row = *line ? Json::Parse(**line) : Json();
        // Another one may have had the id before.
        if (!row.is_object() || row["source"] != Json(text.source) ||
            row["ordinal"] != Json(text.ordinal)) {
          if (asked.least > 1 || !asked.kind.empty()) return true;
          row = Json{{"id", text.id}, {"url", text.url}};
          found.table.rows.push_back({DocumentCell(row), Cell::None(),
                                      Cell::None(), Cell::Text("none")});
        } else {
          const std::string host = UrlHost(text.url);
          if (!IsAsked(**line, asked, AsWritten(text.id), host)) return true;
          found.table.rows.push_back(DocumentRow(row));
        }
        found.table.rows.back().push_back(
            Excerpt(text.text, at, asked.text.size()));
        return true;
      }));
  TWINSET_TRY(inside);
  return found;
}

html::Lead LeadOf(const RunViewAsked& asked, const Scanned& found) {
  const uint64_t count = found.table.rows.size();
  if (asked.text.empty() && asked.host.empty() && asked.kind.empty() &&
      asked.least == 0 && asked.most == 0)
    return {"Which documents are you looking for?",
            "These are the first rows of the clusters."};
  const bool is_part = found.next > 0 || asked.from > 0;
  if (count == 0)
    return {is_part ? "None so far." : "No document is like that.", ""};
  return {(is_part ? "These are " : "") + CountText(count, "document") +
              (is_part ? " of those that were found." : " found."),
          ""};
}

}  // namespace

Result<std::string> DrawClusters(const ViewedRun& run,
                                 const RunViewAsked& asked) {
  HtmlReport page = BeginPage(run, RunTitle(run.story), RunViewPage::kClusters);
  KeptPage parts("", "");
  AddRunLead(run.story, &parts);
  const bool is_first = AddressOf(asked) == "/";
  if (is_first) AddRunFacts(run.story, &parts);
  parts.DrawOn(&page);
  if (!run.is_match()) {
    page.Add(html::Heading{"Clusters"});
    html::Form form;
    form.action = "/";
    form.in_row = true;
    AddClusterFields(run, asked, false, &form);
    form.button = "Show";
    page.Add(form);
    TWINSET_TRY(AddClusterTable(run, asked, &page));
  }
  if (is_first) {
    KeptPage figures("", "");
    AddSimilarities(run.story, &figures);
    AddParameters(run.story, &figures);
    figures.DrawOn(&page);
  }
  return std::move(page).Finish();
}

Result<std::string> DrawDocuments(const ViewedRun& run,
                                  const RunViewAsked& asked) {
  HtmlReport page = BeginPage(run, "Documents", RunViewPage::kDocuments);
  if (asked.in_texts && asked.text.empty())
    return Fail(ErrorCode::kUsage, "a search in texts needs something to find");
  Result<Scanned> found =
      asked.in_texts ? FindInTexts(run, asked) : FindInRows(run, asked);
  if (!found) {
    if (!asked.in_texts) return tl::unexpected(found.error());
    page.Add(html::Lead{"The inputs could not be read again.",
                        Capitalised(found.error().message) +
                            ". twinset view --in INPUT says where they are."});
    AddDocumentForm(run, asked, &page);
    return std::move(page).Finish();
  }
  page.Add(LeadOf(asked, *found));
  AddDocumentForm(run, asked, &page);
  if (!found->table.rows.empty()) page.Add(found->table);
  if (found->next > 0)
    page.Add(html::Note{"Looked through " + found->upto + " here."});
  AddNext(asked, found->next, &page);
  return std::move(page).Finish();
}

Result<std::string> DrawPairs(const ViewedRun& run, const RunViewAsked& asked) {
  html::Table table = PairTable(run, "");
  const RowFile& rows = run.places.pairs();
  const int bit = asked.kind.empty() ? -1 : KindBit(asked.kind);
  uint64_t next = 0;
  TWINSET_TRY(rows.ForEach(
      asked.from, [&](uint64_t at, std::string_view line) -> Result<bool> {
        if (table.rows.size() == kRowsOfPage ||
            at - asked.from > kMostScanned) {
          next = at;
          return false;
        }
        const double similarity = WrittenNumber(line, "similarity");
        if (similarity < asked.low || similarity > asked.high) return true;
        if (bit > 1 && (KindsOfRow(line) >> bit & 1) == 0) return true;
        if ((bit == 0 && similarity < 1) || (bit == 1 && similarity >= 1))
          return true;
        TWINSET_ASSIGN(const Json row, RowOfLine(line));
        TWINSET_TRY(AddPairRow(run, row, &table));
        return true;
      }));
  HtmlReport page = BeginPage(run, "Pairs", RunViewPage::kPairs);
  const uint64_t all = run.pairs();
  page.Add(html::Lead{
      all == 0 ? "The run lists no pair."
               : "The run lists " + CountText(all, "pair") + ".",
      all == 0 ? ""
               : NumberText(run.story.counts.equal) + " of them " +
                     (run.story.counts.equal == 1 ? "is" : "are") + " equal."});
  KeptPage figures("", "");
  AddSimilarities(run.story, &figures);
  figures.DrawOn(&page);
  html::Form form;
  form.action = "/pairs";
  form.in_row = true;
  form.fields = {
      {FormField::kNumber, "low", "Similarity from",
       asked.low > 0 ? Cell::Number(asked.low).text : "", "as 0.8"},
      {FormField::kNumber, "high", "to",
       asked.high < 1 ? Cell::Number(asked.high).text : "", "as 0.9"},
      {FormField::kChoice, "kind", "Kind", asked.kind, "of the pair",
       KindChoices(run, true)}};
  form.button = "Show";
  page.Add(form);
  if (table.rows.empty())
    page.Add(html::Note{next > 0 ? "None so far." : "There is no such pair."});
  else
    page.Add(table);
  if (next > 0)
    page.Add(html::Note{"Looked through " + ShareText(next, rows.bytes()) +
                        " of the list."});
  AddNext(asked, next, &page);
  return std::move(page).Finish();
}

}  // namespace twinset
