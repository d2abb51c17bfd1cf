#include "report/html_report.h"

#include <algorithm>

#include "report/html_style.h"
#include "report/svg_chart.h"
#include "report/svg_parts.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::Chart;
using html::Column;
using html::Histogram;

using html::PairSide;
using html::Piece;
using html::Point;
using html::Series;
using html::Table;

void AppendElement(std::string* to, std::string_view name,
                   std::string_view text) {
  *to += '<';
  *to += name;
  *to += '>';
  AppendHtml(to, text);
  *to += "</";
  *to += name.substr(0, name.find(' '));
  *to += '>';
}

std::string_view ElementOf(Piece::Kind kind) {
  switch (kind) {
    case Piece::kSame:
      return "";
    case Piece::kDeleted:
      return "del";
    case Piece::kInserted:
      return "ins";
    case Piece::kMarked:
      return "mark";
    case Piece::kSkipped:
      break;
  }
  return "span class=\"skip\"";
}

void AppendPieces(std::string* to, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.kind == Piece::kSame)
      AppendHtml(to, piece.text);
    else
      AppendElement(to, ElementOf(piece.kind), piece.text);
  }
}

// Longer texts and words need room, and may be broken anywhere; a second line
// has smaller letters.
constexpr size_t kLongText = 40, kLongWord = 24, kLongBelow = 16;

bool HasLongWord(std::string_view text) {
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ' ') continue;
    if (i - begin > kLongWord) return true;
    begin = i + 1;
  }
  return false;
}

void AppendLink(std::string* to, std::string_view address,
                std::string_view text) {
  *to += "<a href=\"";
  AppendHtml(to, address);
  *to += "\">";
  AppendHtml(to, text);
  *to += "</a>";
}

void AppendCell(std::string* to, const Cell& cell) {
  const bool is_long = cell.text.size() > kLongText || HasLongWord(cell.text) ||
                       cell.below.size() > kLongBelow;
  *to += cell.number ? "<td class=\"n\">"
         : is_long   ? "<td class=\"long\">"
                     : "<td>";
  if (!cell.link.empty())
    AppendLink(to, cell.link, cell.text);
  else if (cell.pieces.empty())
    AppendHtml(to, cell.text);
  else
    AppendPieces(to, cell.pieces);
  if (!cell.below.empty()) AppendElement(to, "span class=\"id\"", cell.below);
  *to += "</td>";
}

void AppendCaption(std::string* to, const std::string& caption) {
  if (caption.empty()) return;
  AppendElement(to, "caption", caption);
  *to += '\n';
}

void AppendTable(std::string* to, const Table& table) {
  *to += "<div class=\"wide\" tabindex=\"0\"><table>\n";
  AppendCaption(to, table.caption);
  *to += "<thead><tr>";
  for (const Column& column : table.columns) {
    AppendElement(
        to, column.number ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"",
        column.name);
  }
  *to += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    *to += "<tr>";
    for (size_t i = 0; i < table.columns.size(); ++i)
      AppendCell(to, i < row.size() ? row[i] : Cell());
    *to += "</tr>\n";
  }
  *to += "</tbody>\n</table></div>\n";
}

// The figures of a drawing, for those who cannot or need not see it.
void AppendFigures(std::string* to, const Table& table) {
  *to += "<details><summary>The numbers behind the drawing</summary>\n";
  AppendTable(to, table);
  *to += "</details>\n";
}

bool AnyLabel(const Chart& chart) {
  for (const Series& series : chart.series)
    for (const Point& point : series.points)
      if (!point.label.empty()) return true;
  return false;
}

bool AnyBand(const Chart& chart) {
  for (const Series& series : chart.series)
    if (series.band) return true;
  return false;
}

Table FiguresOf(const Chart& chart) {
  const bool band = AnyBand(chart), label = AnyLabel(chart);
  Table table{"", {{"", false}}, {}};
  if (label) table.columns.push_back({"at", false});
  table.columns.push_back({chart.x.label, true});
  table.columns.push_back({chart.y.label, true});
  if (band) table.columns.push_back({"from", true});
  if (band) table.columns.push_back({"to", true});
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      std::vector<Cell> row = {Cell::Text(series.name)};
      if (label) row.push_back(Cell::Text(point.label));
      row.push_back(Cell::Rounded(point.x));
      row.push_back(Cell::Rounded(point.y));
      if (band && series.band) {
        row.push_back(Cell::Rounded(point.low));
        row.push_back(Cell::Rounded(point.high));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string NoteOf(const std::string& text) {
  std::string note;
  if (!text.empty()) AppendElement(&note, "p class=\"note\"", text);
  return note;
}

std::string LegendOf(const Chart& chart) {
  if (chart.series.size() < 2) return "";
  std::string list = "<ul class=\"legend\">\n";
  for (size_t i = 0; i < chart.series.size(); ++i) {
    list += "<li>" + DrawLegendKey(chart.series[i], i);
    AppendHtml(&list, chart.series[i].name);
    list += "</li>\n";
  }
  return list + "</ul>\n";
}

void AppendSide(std::string* to, const PairSide& side) {
  *to += "<div>";
  if (!side.title.empty()) AppendElement(to, "p class=\"name\"", side.title);
  if (!side.name.empty()) AppendElement(to, "p class=\"id\"", side.name);
  if (!side.text.empty()) {
    *to += "<p class=\"text\" dir=\"auto\">";
    AppendPieces(to, side.text);
    *to += "</p>";
  }
  *to += "</div>\n";
}

}  // namespace

HtmlReport::HtmlReport(std::string_view title, std::string_view language) {
  // No content may load or run anything, whatever a text manages to say.
  Begin(language, title,
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n");
}

HtmlReport HtmlReport::Served(std::string_view title, std::string_view style) {
  HtmlReport report;
  std::string head = "<link rel=\"stylesheet\" href=\"";
  AppendHtml(&head, style);
  report.Begin("en", title, head + "\"/>\n");
  return report;
}

void HtmlReport::Begin(std::string_view language, std::string_view title,
                       std::string_view head) {
  const bool is_alone = head.substr(0, 5) == "<meta";
  html_ = "<!DOCTYPE html>\n<html lang=\"";
  AppendHtml(&html_, language);
  html_ += "\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  html_ += head;
  html_ +=
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>\n";
  AppendElement(&html_, "title", title);
  html_ += '\n';
  if (is_alone) html_ += kPageStyle;
  html_ += "</head>\n<body>\n<main>\n";
  AppendElement(&html_, "h1", title);
  html_ += '\n';
}

HtmlReport& HtmlReport::Add(const html::Lead& lead) {
  html_ += "<p class=\"lead\">";
  AppendElement(&html_, "b", lead.strong);
  if (!lead.text.empty()) html_ += ' ';
  AppendHtml(&html_, lead.text);
  html_ += "</p>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Facts& facts) {
  html_ += "<dl class=\"facts\">\n";
  for (const html::Fact& fact : facts.facts) {
    html_ += "<div>";
    AppendElement(&html_, "dt", fact.name);
    html_ += "<dd>";
    AppendHtml(&html_, fact.value);
    if (!fact.beside.empty()) AppendElement(&html_, "small", fact.beside);
    html_ += "</dd></div>\n";
  }
  html_ += "</dl>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Heading& heading) {
  constexpr std::string_view kNames[] = {"h2", "h3", "h4"};
  const int level = heading.level < 2   ? 2
                    : heading.level > 4 ? 4
                                        : heading.level;
  AppendElement(&html_, kNames[level - 2], heading.text);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Paragraph& paragraph) {
  AppendElement(&html_, "p", paragraph.text);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Note& note) {
  AppendElement(&html_, "p class=\"note\"", note.text);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Warning& warning) {
  html_ += "<p class=\"warning\"><strong>Warning:</strong> ";
  AppendHtml(&html_, warning.text);
  html_ += "</p>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::KeyValues& values) {
  html_ += "<div class=\"wide\" tabindex=\"0\"><table>\n";
  AppendCaption(&html_, values.caption);
  html_ += "<tbody>\n";
  for (const auto& [name, value] : values.rows) {
    html_ += "<tr>";
    AppendElement(&html_, "th scope=\"row\"", name);
    AppendCell(&html_, value);
    html_ += "</tr>\n";
  }
  html_ += "</tbody>\n</table></div>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Table& table) {
  AppendTable(&html_, table);
  if (!table.caption.empty() && !in_run_)
    exhibits_.push_back({table.caption, "", table});
  return *this;
}

void HtmlReport::AddFigure(const std::string& title, const std::string& svg,
                           const std::string& legend, Table table) {
  html_ += "<figure>\n";
  AppendElement(&html_, "figcaption", title);
  html_ += '\n' + svg + legend;
  AppendFigures(&html_, table);
  html_ += "</figure>\n";
  if (!in_run_) exhibits_.push_back({title, svg, std::move(table)});
}

HtmlReport& HtmlReport::Add(const html::Shares& shares) {
  std::string legend = "<ul class=\"legend\">\n";
  Table table{"", {{shares.title}, {"number", true}, {"share", true}}, {}};
  uint64_t all = 0;
  for (const auto& [name, count] : shares.parts) all += count;
  for (size_t i = 0; i < shares.parts.size(); ++i) {
    const auto& [name, count] = shares.parts[i];
    legend += "<li>" + DrawBarKey(i);
    AppendHtml(&legend, NumberText(count) + " " + name);
    legend += "</li>\n";
    table.rows.push_back(
        {Cell::Text(name), Cell::Count(count), Cell::Percent(count, all)});
  }
  legend += "</ul>\n";
  AddFigure(shares.title, DrawShares(shares, ++figures_), legend,
            std::move(table));
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Histogram& histogram) {
  if (std::all_of(histogram.bins.begin(), histogram.bins.end(),
                  [](const html::Bin& bin) { return bin.count == 0; }))
    return Add(html::Note{histogram.title + ": there are none."});
  Table table{"",
              {{histogram.x_label + ", from", true},
               {"to", true},
               {histogram.y_label, true}},
              {}};
  for (const html::Bin& bin : histogram.bins) {
    table.rows.push_back({Cell::Rounded(bin.low), Cell::Rounded(bin.high),
                          Cell::Count(bin.count)});
  }
  AddFigure(histogram.title, DrawHistogram(histogram, ++figures_),
            NoteOf(histogram.note), std::move(table));
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Chart& chart) {
  AddFigure(chart.title, DrawChart(chart, ++figures_),
            LegendOf(chart) + NoteOf(chart.note), FiguresOf(chart));
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Drawing& drawing) {
  std::string legend = "<ul class=\"legend\">\n";
  for (const auto& [kind, name] : drawing.legend) {
    legend += "<li>" + DrawKindKey(kind);
    AppendHtml(&legend, name);
    legend += "</li>\n";
  }
  legend += "</ul>\n";
  AddFigure(
      drawing.title,
      BeginSvg(drawing.title, drawing.description, drawing.height, ++figures_) +
          drawing.svg + "</svg>\n",
      legend + NoteOf(drawing.note), drawing.figures);
  return *this;
}

HtmlReport& HtmlReport::Add(const html::TextPair& pair) {
  html_ += "<article><header>";
  AppendElement(&html_, "h3", pair.title);
  for (const std::string& tag : pair.tags)
    AppendElement(&html_, "span class=\"tag\"", tag);
  html_ += "</header>\n<div class=\"two\">";
  AppendSide(&html_, pair.left);
  AppendSide(&html_, pair.right);
  html_ += "</div>\n";
  if (!pair.note.empty()) AppendElement(&html_, "p class=\"note\"", pair.note);
  html_ += "</article>\n";
  return *this;
}

HtmlReport& HtmlReport::BeginFolded(std::string_view summary) {
  html_ += "<details>";
  AppendElement(&html_, "summary", summary);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::EndFolded() {
  html_ += "</details>\n";
  return *this;
}

HtmlReport& HtmlReport::BeginRun() {
  html_ += "<!-- run -->\n<section id=\"run\">\n";
  in_run_ = true;
  return *this;
}

HtmlReport& HtmlReport::EndRun() {
  html_ += "</section>\n<!-- /run -->\n";
  in_run_ = false;
  return *this;
}

std::string HtmlReport::Finish() && {
  if (in_run_) EndRun();
  html_ += "</main>\n</body>\n</html>\n";
  return std::move(html_);
}

}  // namespace twinset
