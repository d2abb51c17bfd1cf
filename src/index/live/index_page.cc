#include "twinset/index_page.h"

#include <utility>

#include "explain/pair_blocks.h"
#include "net/url.h"
#include "report/html_report.h"
#include "report/html_style.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kIdBytes = 200;
constexpr size_t kMostMatches = 100;

Cell IdCell(const std::string& id) {
  Cell cell = Cell::Text(Shortened(NameText(id), kIdBytes));
  cell.link = "/?id=" + EscapeValue(id);
  return cell;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + Printable(name);
  return text;
}

// What was asked for.
std::string What(const IndexPage& page) {
  return page.file.empty() ? "text"
                           : "file " + Shortened(NameText(page.file), kIdBytes);
}

html::Lead LeadOf(const IndexPage& page) {
  if (!page.problem.empty()) return {page.problem, ""};
  if (page.document) {
    const IndexDocument& document = *page.document;
    const std::string id = Shortened(NameText(document.id), kIdBytes);
    if (document.is_kept) return {id + " is kept.", ""};
    return {
        id + " was dropped",
        document.kept_for.empty()
            ? "for a document that has been removed since."
            : "for " + Shortened(NameText(document.kept_for), kIdBytes) + "."};
  }
  if (page.found && page.found->is_empty)
    return {"The " + What(page) + " is too short to be compared.",
            "It is like none."};
  if (page.found && page.found->matches.empty())
    return {"New: nothing like it is stored.",
            "The " + What(page) + " was compared with " +
                CountText(page.stats.documents, "document") + "."};
  if (page.found) {
    const IndexMatch& best = page.found->matches[0];
    const std::string id = Shortened(NameText(best.id), kIdBytes);
    return {best.similarity == 1
                ? "Seen: " + id + " is the same."
                : "Seen: " + id + " is " + FixedText(best.similarity, 3) +
                      " like it.",
            best.is_kept ? "" : "It was itself dropped for another."};
  }
  return {CountText(page.stats.documents, "document") +
              (page.stats.documents == 1 ? " is stored." : " are stored."),
          "Paste a text to see whether it is among them."};
}

void AddMatchFacts(const IndexMatch& best, HtmlReport* report) {
  html::Facts facts;
  facts.facts = {
      {"similarity", FixedText(best.similarity, 4), "exact"},
      {"contained in it", PercentText(best.contained), "of what was asked"},
      {"copies", NumberText(best.copies), "equal in what is compared"},
      {"first seen", best.first_seen.substr(0, 10),
       "last " + best.last_seen.substr(0, 10)}};
  report->Add(facts);
}

void AddMatches(const IndexFound& found, HtmlReport* report) {
  if (found.matches.empty()) return;
  html::Table table;
  table.caption = "Similar documents";
  table.columns = {{"document"},
                   {"similarity", true},
                   {"contained", true},
                   {"copies", true},
                   {"fate"},
                   {"tags"},
                   {"last seen"}};
  for (const IndexMatch& match : found.matches) {
    if (table.rows.size() == kMostMatches) break;
    Cell id = IdCell(match.id);
    if (match.url != match.id) id.below = Shortened(match.url, kIdBytes);
    table.rows.push_back({std::move(id), Cell::Fixed(match.similarity, 4),
                          Cell::Fixed(match.contained, 4),
                          Cell::Count(match.copies),
                          Cell::Text(match.is_kept ? "kept" : "dropped"),
                          Cell::Text(Shortened(Joined(match.tags), kIdBytes)),
                          Cell::Text(match.last_seen.substr(0, 10))});
  }
  report->Add(table);
  if (found.matches.size() > kMostMatches)
    report->Add(html::Note{"These are the most similar of " +
                           NumberText(found.matches.size()) + "."});
  if (found.is_bounded)
    report->Add(html::Note{
        "A key of the text is shared by so many documents that it was compared "
        "with a few of them alone: some may be missing."});
}

void AddPair(const IndexPage& page, HtmlReport* report) {
  html::TextPair pair = PairBlock(*page.pair, page.found ? "asked" : "",
                                  page.found ? "stored" : "");
  ShortenPieces(&pair);
  report->Add(pair);
}

void AddDocument(const IndexDocument& document, bool has_pair,
                 HtmlReport* report) {
  html::KeyValues values;
  values.caption = "The document";
  const auto add = [&](const char* name, Cell cell) {
    values.rows.emplace_back(name, std::move(cell));
  };
  add("id", Cell::Text(NameText(document.id)));
  if (!document.url.empty()) add("address", Cell::Text(document.url));
  add("seen", Cell::Text(document.seen));
  if (!document.tag.empty()) add("tag", Cell::Text(Printable(document.tag)));
  if (!document.is_kept && !document.kept_for.empty())
    add("dropped for", IdCell(document.kept_for));
  add("copies", Cell::Count(document.copies));
  add("features", Cell::Count(document.features));
  report->Add(values);
  if (has_pair) return;
  html::TextPair one;
  one.title = "The text that is compared";
  one.left.text = {{html::Piece::kSame, Shortened(document.text, 100'000)}};
  report->Add(html::Heading{one.title, 3});
  report->Add(html::Paragraph{one.left.text[0].text});
}

void AddForms(const IndexPage& page, HtmlReport* report) {
  html::Form text;
  text.action = "/";
  text.posts = true;
  text.fields = {{html::FormField::kText, "text",
                  "A text, the source of a page, or an address", page.text,
                  "It is compared, and not stored."},
                 {html::FormField::kFile, "file", "Or a file", "",
                  "A page, a text, or a WARC file of one record."}};
  text.button = "Look";
  report->Add(text);
  html::Form id;
  id.action = "/";
  id.fields = {{html::FormField::kLine, "id", "A stored document", page.id,
                "Its id or its address."}};
  id.button = "Show";
  report->Add(id);
}

void AddStore(const IndexPage& page, HtmlReport* report) {
  const IndexStats& stats = page.stats;
  report->Add(html::Heading{"The index", 2});
  html::Facts facts;
  facts.facts = {
      {"documents", NumberText(stats.documents),
       CountText(stats.arrivals, "arrival")},
      {"kept", NumberText(stats.kept),
       ShareText(stats.kept, stats.documents) + " of them"},
      {"on the disk", BytesText(stats.bytes),
       CountText(stats.runs, "run") + " of postings"},
      {"answers", NumberText(page.answers_a_minute), "in the last minute"}};
  report->Add(facts);
  if (stats.documents > 0)
    report->Add(
        html::Shares{"What became of them",
                     {{"kept", stats.kept}, {"dropped", stats.dropped()}}});
}

void AddDecisions(const IndexPage& page, HtmlReport* report) {
  report->Add(html::Heading{"What came last", 2});
  if (page.decisions.empty()) {
    report->Add(html::Note{"Nothing has come since the server began, " +
                           SecondsText(page.uptime_seconds) + " ago."});
    return;
  }
  html::Table table;
  table.columns = {
      {"time"}, {"document"}, {"verdict"}, {"like"}, {"similarity", true}};
  for (const IndexPageDecision& one : page.decisions) {
    table.rows.push_back(
        {Cell::Text(one.time.substr(0, 19)), IdCell(one.id),
         Cell::Text(one.is_new ? "new" : "dropped"),
         one.is_new ? Cell() : IdCell(one.kept_id),
         one.is_new ? Cell::None() : Cell::Fixed(one.similarity, 4)});
  }
  report->Add(table);
}

void AddParameters(const IndexPage& page, HtmlReport* report) {
  html::KeyValues values;
  for (const auto& [name, value] : page.stats.parameters.items()) {
    const std::string* const text = value.if_string();
    values.rows.emplace_back(
        WordsOf(name), Cell::Text(text != nullptr ? *text : value.dump()));
  }
  if (page.stats.expected_recall > 0)
    values.rows.emplace_back(
        "expected recall at the threshold",
        Cell::Text(PercentText(page.stats.expected_recall)));
  values.rows.emplace_back("up for",
                           Cell::Text(SecondsText(page.uptime_seconds)));
  report->BeginFolded("How it compares").Add(values).EndFolded();
}

}  // namespace

std::string v1::DrawIndexPage(const IndexPage& page) {
  HtmlReport report =
      HtmlReport::Served("Have I seen this page?", "/style.css");
  report.Add(LeadOf(page));
  if (page.found && !page.found->matches.empty())
    AddMatchFacts(page.found->matches[0], &report);
  if (page.pair) AddPair(page, &report);
  if (page.found) AddMatches(*page.found, &report);
  if (page.document)
    AddDocument(*page.document, page.pair.has_value(), &report);
  AddForms(page, &report);
  AddStore(page, &report);
  AddDecisions(page, &report);
  AddParameters(page, &report);
  return std::move(report).Finish();
}

std::string v1::IndexPageStyle() { return ServedStyleSheet(); }

}  // namespace twinset
