// Pages of a finished run about one cluster, one document and one pair.
#include <algorithm>
#include <utility>

#include "explain/decision_words.h"
#include "explain/pair_blocks.h"
#include "explain/pair_of_run.h"
#include "explain/run_view_parts.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/run_reading.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kMostPairs = 100;
// Longer texts are of no use to a reader.
constexpr size_t kMostCompared = 1 << 20, kMostShown = 100'000;

std::string NameOf(const Json& row) { return DocumentCell(row).text; }

tl::unexpected<Error> NoSuch(const char* what, const std::string& id) {
  return Fail(ErrorCode::kNotFound,
              std::string("no row of the run has a ") + what + " '" +
                  Shortened(NameText(id), kShownIdBytes) + "'",
              {},
              "a document that is like no other one stands in keep.txt alone");
}

// A document of the run, its row of `clusters` where it has one.
struct Side {
  std::string id;
  Json row;  // null: there is none
  size_t text = 0;
};

Result<Side> SideOf(const ViewedRun& run, const std::string& id, int side,
                    TextsAgain* texts) {
  Side found{id, Json()};
  TWINSET_ASSIGN(const auto line, run.places.RowOf(id));
  if (line) {
    TWINSET_ASSIGN(found.row, RowOfLine(*line));
  }
  // Inputs that are elsewhere now may have other names.
  if (line && run.options.inputs.empty()) {
    found.text = texts->WantAt(found.row.value("source", ""),
                               found.row["ordinal"].get<uint64_t>(), id);
  } else {
    found.text = texts->WantId(run.is_match() ? side : 0, id);
  }
  return found;
}

// Why some texts are missing; empty: none is.
std::string ReadAgain(const ViewedRun& run, TextsAgain* texts) {
  texts->KeepDocuments();
  const auto reading =
      ReadingOfRun(run.story.summary, run.story.options, run.options);
  if (!reading) return NoTexts(reading.error());
  const Status read = texts->Read(*reading);
  if (texts->missing() == 0) return {};
  return NoTexts(read ? Error() : read.error());
}

void AddRow(const std::string& name, const Json& row, html::KeyValues* values) {
  const auto add = [&](const char* says, Cell cell) {
    values->rows.emplace_back(name.empty() ? says : name + ": " + says,
                              std::move(cell));
  };
  add("id", Cell::Text(NameText(row.value("id", ""))));
  if (const std::string url = row.value("url", ""); !url.empty())
    add("address", Cell::Text(NameText(url)));
  if (const std::string date = row.value("date", ""); !date.empty())
    add("date", Cell::Text(NameText(date)));
  if (row["source"].is_string())
    add("place", Cell::Text(NameText(row.value("source", "")) + ", record " +
                            NumberText(row["ordinal"].get<uint64_t>())));
}

// The pairs of a document, of which the first are in the table; `is_second`
// stays true where it is never the first one.
Result<html::Table> PairsOf(const ViewedRun& run, const std::string& id,
                            uint64_t* all, bool* is_second) {
  html::Table table = PairTable(run, "Pairs that it is in");
  *all = 0;
  Status inside;
  TWINSET_TRY(run.places.ForEachPair(id, [&](const std::string& line) {
    if (++*all > kMostPairs) return false;
    const auto row = RowOfLine(line);
    if (!row) {
      inside = tl::unexpected(row.error());
      return false;
    }
    *is_second &= (*row)["a"] != Json(id);
    inside = AddPairRow(run, *row, &table);
    return inside.has_value();
  }));
  TWINSET_TRY(inside);
  return table;
}

// The row of a pair, where the run lists it.
Result<Json> RowOfPair(const ViewedRun& run, const RunViewAsked& asked) {
  Json found;
  TWINSET_TRY(run.places.ForEachPair(asked.id, [&](const std::string& line) {
    const Json row = Json::Parse(line);
    if ((row["a"] == Json(asked.id) && row["b"] == Json(asked.other)) ||
        (row["b"] == Json(asked.id) && row["a"] == Json(asked.other))) {
      found = row;
      return false;
    }
    return true;
  }));
  return found;
}

// Which kinds the run gave the two, as a sentence; empty: it gave none.
std::string WordsOfKinds(const Json& row) {
  const Cell kinds = KindCell(row);
  if (kinds.text.empty()) return {};
  return "Its kind of duplicate: " + kinds.text +
         (kinds.below.empty() ? "" : "; of difference: " + kinds.below) + ".";
}

}  // namespace

Result<std::string> DrawCluster(const ViewedRun& run,
                                const RunViewAsked& asked) {
  TWINSET_ASSIGN(const auto first, run.places.RowOf(asked.id));
  if (!first) return NoSuch("cluster", asked.id);
  TWINSET_ASSIGN(const Json stays, RowOfLine(*first));
  if (stays["is_representative"] != true) return NoSuch("cluster", asked.id);
  const uint64_t size = stays["size"].get<uint64_t>();
  HtmlReport page =
      BeginPage(run, CountText(size, "document") + " that are alike",
                RunViewPage::kCluster);
  page.Add(html::Lead{NameOf(stays) + " stands for them.",
                      "Each leads to its text beside that of this one."});
  html::Table table;
  table.caption = size > kRowsOfPage
                      ? "Its documents, in the order of the input"
                      : "Its documents";
  table.columns = {{"document"}, {"alike", true}};
  const bool has_contained = stays.contains("contained");
  if (has_contained) table.columns.push_back({"contained", true});
  if (HasKinds(run)) table.columns.push_back({"shared, and different"});
  table.columns.push_back({"place"});
  uint64_t next = 0;
  Status inside;
  TWINSET_TRY(run.places.ForEachMember(
      asked.id, asked.from, [&](const std::string& line) {
        if (table.rows.size() == kRowsOfPage) {
          next = asked.from + kRowsOfPage;
          return false;
        }
        const auto row = RowOfLine(line);
        if (!row) {
          inside = tl::unexpected(row.error());
          return false;
        }
        const bool is_first = (*row)["is_representative"] == true;
        RunViewAsked leads;
        leads.page = is_first ? RunViewPage::kDocument : RunViewPage::kPair;
        leads.id = asked.id;
        if (!is_first) leads.other = row->value("id", "");
        std::vector<Cell> cells = {DocumentCell(*row)};
        cells[0].link = AddressOf(leads);
        cells.push_back(
            is_first ? Cell::None()
                     : Cell::Fixed((*row)["similarity"].get<double>(), 4));
        if (has_contained)
          cells.push_back(
              is_first ? Cell::None()
                       : Cell::Fixed((*row)["contained"].get<double>(), 4));
        if (HasKinds(run))
          cells.push_back(is_first ? Cell::Text("stands for them")
                                   : KindCell(*row));
        Cell place = Cell::Text(
            Shortened(NameText(row->value("source", "")), kShownIdBytes));
        place.below = "record " + NumberText((*row)["ordinal"].get<uint64_t>());
        cells.push_back(std::move(place));
        table.rows.push_back(std::move(cells));
        return true;
      }));
  TWINSET_TRY(inside);
  page.Add(table);
  AddNext(asked, next, &page);
  return std::move(page).Finish();
}

Result<std::string> DrawDocument(const ViewedRun& run,
                                 const RunViewAsked& asked) {
  TextsAgain texts;
  uint64_t pairs = 0;
  bool is_second = run.is_match();
  TWINSET_ASSIGN(const html::Table table,
                 PairsOf(run, asked.id, &pairs, &is_second));
  TWINSET_ASSIGN(const Side side,
                 SideOf(run, asked.id, is_second ? 1 : 0, &texts));
  if (!side.row.is_object() && pairs == 0) return NoSuch("document", asked.id);
  const std::string name = side.row.is_object()
                               ? NameOf(side.row)
                               : Shortened(NameText(asked.id), kShownIdBytes);
  HtmlReport page = BeginPage(run, name, RunViewPage::kDocument);
  if (side.row.is_object()) {
    RunViewAsked leads;
    leads.page = RunViewPage::kCluster;
    leads.id = side.row.value("cluster", "");
    const bool is_first = side.row["is_representative"] == true;
    const std::string size =
        CountText(side.row["size"].get<uint64_t>(), "document");
    page.Add(html::Lead{
        is_first
            ? "It stands for " + size + "."
            : "It is " + FixedText(side.row["similarity"].get<double>(), 3) +
                  " like " + Shortened(NameText(leads.id), kShownIdBytes) + ".",
        is_first ? "" : "That one stands for " + size + "."});
    html::Links links{"Its cluster", {{"The cluster", AddressOf(leads)}}};
    if (!is_first) {
      leads.page = RunViewPage::kPair;
      leads.other = asked.id;
      links.links.emplace_back("Both side by side", AddressOf(leads));
    }
    page.Add(links);
    html::KeyValues values;
    AddRow("", side.row, &values);
    page.Add(values);
  }
  if (!table.rows.empty()) page.Add(table);
  if (pairs > kMostPairs)
    page.Add(html::Note{"These are the first " + NumberText(kMostPairs) + "."});
  page.Add(html::Heading{"Its text", 2});
  const std::string missing = ReadAgain(run, &texts);
  if (!missing.empty()) {
    page.Add(html::Note{missing});
  } else {
    const std::string& text = texts[side.text].document.text;
    page.Add(html::Paragraph{Shortened(text, kMostShown)});
    if (text.size() > kMostShown)
      page.Add(html::Note{"This is how it begins: it has " +
                          BytesText(text.size()) + "."});
  }
  return std::move(page).Finish();
}

Result<std::string> DrawPair(const ViewedRun& run, const RunViewAsked& asked) {
  TextsAgain texts;
  TWINSET_ASSIGN(const Side a, SideOf(run, asked.id, 0, &texts));
  TWINSET_ASSIGN(const Side b, SideOf(run, asked.other, 1, &texts));
  TWINSET_ASSIGN(const Json pair, RowOfPair(run, asked));
  for (const Side* side : {&a, &b})
    if (!side->row.is_object() && !pair.is_object())
      return NoSuch("document", side->id);
  HtmlReport page =
      BeginPage(run, "Two documents side by side", RunViewPage::kPair);
  // What the run says of them; members of a cluster need be no listed pair.
  const Json& row = pair.is_object()
                        ? pair
                        : (b.row["cluster"] == Json(asked.id) ? b.row : a.row);
  const bool is_said = pair.is_object() || row["cluster"] == Json(asked.id) ||
                       row["cluster"] == Json(asked.other);
  if (is_said) {
    const double similarity = row["similarity"].get<double>();
    page.Add(html::Lead{
        similarity >= 1
            ? "The run calls them equal."
            : "The run found them " + FixedText(similarity, 3) + " alike.",
        WordsOfKinds(row)});
  } else {
    page.Add(html::Lead{"The run lists no pair of the two.",
                        "They are in clusters of it."});
  }
  std::string missing = ReadAgain(run, &texts);
  if (missing.empty()) {
    DocumentText x = texts[a.text].document, y = texts[b.text].document;
    x.id = a.id;
    y.id = b.id;
    if (std::max(x.text.size(), y.text.size()) > kMostCompared) {
      missing = "A text of more than " + BytesText(kMostCompared) +
                " is not compared here: twinset explain does it.";
    } else {
      TWINSET_ASSIGN(
          const Explanation explanation,
          ExplainPairOfRun(std::move(x), std::move(y), run.story.options));
      html::TextPair block = PairBlock(explanation, "", "");
      ShortenPieces(&block);
      page.Add(block);
      page.Add(MeasuresBlock(explanation));
    }
  }
  if (!missing.empty()) page.Add(html::Note{missing});
  html::KeyValues values;
  values.caption = "The two documents";
  for (const auto& [name, side] : {std::pair("left", &a), {"right", &b}}) {
    if (side->row.is_object())
      AddRow(name, side->row, &values);
    else
      AddRow(name, Json{{"id", side->id}}, &values);
  }
  page.Add(values);
  html::Links links{"Each of them", {}};
  for (const auto& [name, side] :
       {std::pair("The left one", &a), {"The right one", &b}}) {
    RunViewAsked leads;
    leads.page = RunViewPage::kDocument;
    leads.id = side->id;
    links.links.emplace_back(name, AddressOf(leads));
  }
  if (a.row.is_object()) {
    RunViewAsked leads;
    leads.page = RunViewPage::kCluster;
    leads.id = a.row.value("cluster", "");
    links.links.emplace_back("The cluster", AddressOf(leads));
  }
  page.Add(links);
  return std::move(page).Finish();
}

}  // namespace twinset
