#include "report/step_text.h"

#include <algorithm>
#include <utility>

#include "base/json_text.h"
#include "base/utf8.h"
#include "report/text_columns.h"

namespace twinset {

namespace {

using html::Piece;

constexpr const char* kDots = "\xE2\x80\xA6";

// A cell on its line: whatever it says, it neither ends the line nor the cell.
std::string InCell(std::string_view markdown) {
  std::string cell;
  for (size_t i = 0; i < markdown.size(); ++i) {
    const char c = markdown[i];
    if (c == '\\' && i + 1 < markdown.size() && markdown[i + 1] >= ' ') {
      cell += c;
      cell += markdown[++i];
    } else if (c == '\\' || c == '|') {
      cell += '\\';
      cell += c;
    } else {
      cell += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return cell;
}

// What Markdown shows; strong texts are marked.
std::vector<Piece> PiecesOf(std::string_view markdown) {
  std::vector<Piece> pieces;
  bool is_strong = false;
  const auto put = [&](char c) {
    const auto kind = is_strong ? Piece::kMarked : Piece::kSame;
    if (pieces.empty() || pieces.back().kind != kind)
      pieces.push_back({kind, ""});
    pieces.back().text += c;
  };
  for (size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\' && i + 1 < markdown.size()) {
      put(markdown[++i]);
    } else if (markdown.substr(i).starts_with("**")) {
      is_strong = !is_strong;
      ++i;
    } else if (markdown[i] != '`') {
      put(markdown[i]);
    }
  }
  return pieces;
}

// The same without marks, or with strong texts between `mark`.
std::string Shown(std::string_view markdown, std::string_view mark = "") {
  std::string text;
  for (const Piece& piece : PiecesOf(markdown)) {
    const std::string_view around = piece.kind == Piece::kMarked ? mark : "";
    text.append(around).append(piece.text).append(around);
  }
  return text;
}

std::string LeftOutText(uint64_t count) {
  return std::string(kDots) + " and " + std::to_string(count) +
         (count == 1 ? " more row." : " more rows.");
}

// A control character or the end of a line, also of those beyond ASCII.
bool IsControl(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0) ||
         sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9";
}

// Rows below each other; the first is the heading, which is ruled off.
void AppendColumns(std::string* to, std::vector<std::vector<std::string>> rows,
                   const std::vector<bool>& numbers) {
  std::vector<std::string> rules;
  for (size_t i = 0; i < numbers.size(); ++i) {
    size_t width = 0;
    for (const auto& row : rows)
      if (i < row.size()) width = std::max(width, WidthOf(row[i]));
    rules.emplace_back(width, '-');
  }
  rows.insert(rows.begin() + 1, std::move(rules));
  for (const std::string& line : AlignedRows(rows, numbers)) *to += line + "\n";
}

template <typename... Bodies>
struct ByKind : Bodies... {
  using Bodies::operator()...;
};
template <typename... Bodies>
ByKind(Bodies...) -> ByKind<Bodies...>;

}  // namespace

void StepText::Heading(std::string_view text) {
  blocks_.emplace_back(html::Heading{std::string(text)});
}

void StepText::Paragraph(std::string_view text) {
  blocks_.emplace_back(html::Paragraph{std::string(text)});
}

void StepText::Table(const std::vector<std::string>& columns,
                     std::vector<std::vector<std::string>> rows, bool whole,
                     uint64_t unbuilt) {
  struct Columns table;
  for (const std::string& column : columns) {
    const bool is_number = column.starts_with('>');
    table.names.push_back(InCell(column.substr(is_number ? 1 : 0)));
    table.numbers.push_back(is_number);
  }
  const size_t shown =
      whole ? rows.size() : std::min<uint64_t>(rows.size(), most_rows_);
  table.left_out = rows.size() - shown + unbuilt;
  rows.resize(shown);
  for (auto& row : rows) {
    row.resize(std::min(row.size(), columns.size()));
    for (std::string& cell : row) cell = InCell(cell);
  }
  table.rows = std::move(rows);
  blocks_.emplace_back(std::move(table));
}

void StepText::Draw(html::Drawing drawing) {
  blocks_.emplace_back(std::move(drawing));
}

void StepText::DrawNothing(std::string_view why) {
  blocks_.emplace_back(html::Note{std::string(why)});
}

std::string StepText::Markdown() const {
  std::string text;
  const auto begin = [&]() -> std::string& {
    return text += text.empty() ? "" : "\n";
  };
  const auto row = [&](const std::vector<std::string>& cells) {
    text += "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    text += "\n";
  };
  for (const Block& block : blocks_) {
    std::visit(ByKind{[&](const html::Heading& heading) {
                        begin() += "### " + heading.text + "\n";
                      },
                      [&](const html::Paragraph& paragraph) {
                        begin() += paragraph.text + "\n";
                      },
                      [&](const struct Columns& table) {
                        text += "\n";
                        row(table.names);
                        text += "|";
                        for (const bool is_number : table.numbers)
                          text += is_number ? "--:|" : "---|";
                        text += "\n";
                        for (const auto& cells : table.rows) row(cells);
                        if (table.left_out > 0)
                          text += "\n" + LeftOutText(table.left_out) + "\n";
                      },
                      [](const auto&) {}},
               block);
  }
  return text;
}

std::string StepText::Terminal() const {
  std::string text;
  for (const Block& block : blocks_) {
    const auto line = [&](std::string_view indent, std::string_view shown) {
      text += text.empty() ? "" : "\n";
      text.append(indent).append(shown) += "\n";
    };
    std::visit(
        ByKind{
            [&](const html::Heading& heading) {
              line("", Shown(heading.text));
            },
            [&](const html::Paragraph& paragraph) {
              line(kTextIndent, Shown(paragraph.text));
            },
            [&](const struct Columns& table) {
              std::vector<std::vector<std::string>> rows(1);
              for (const std::string& name : table.names)
                rows[0].push_back(Shown(name));
              for (const auto& cells : table.rows) {
                auto& row = rows.emplace_back();
                for (const std::string& cell : cells)
                  row.push_back(Shown(cell, "*"));
              }
              text += text.empty() ? "" : "\n";
              AppendColumns(&text, rows, table.numbers);
              if (table.left_out > 0)
                text.append(kTextIndent).append(LeftOutText(table.left_out)) +=
                    "\n";
            },
            [](const auto&) {}},
        block);
  }
  return text;
}

WrittenSteps StepText::Written() const { return {Terminal(), Markdown()}; }

void StepText::AddTo(HtmlReport* page) const {
  for (const Block& block : blocks_) {
    std::visit(ByKind{[&](const html::Heading& heading) {
                        page->Add(html::Heading{Shown(heading.text)});
                      },
                      [&](const html::Paragraph& paragraph) {
                        page->Add(html::Paragraph{Shown(paragraph.text)});
                      },
                      [&](const struct Columns& table) {
                        html::Table shown;
                        for (size_t i = 0; i < table.names.size(); ++i)
                          shown.columns.push_back(
                              {Shown(table.names[i]), table.numbers[i]});
                        for (const auto& cells : table.rows) {
                          auto& row = shown.rows.emplace_back();
                          for (size_t i = 0; i < cells.size(); ++i) {
                            row.push_back({Shown(cells[i]), table.numbers[i]});
                            row.back().pieces = PiecesOf(cells[i]);
                          }
                        }
                        page->Add(shown);
                        if (table.left_out > 0)
                          page->Add(html::Note{LeftOutText(table.left_out)});
                      },
                      [&](const auto& drawn) { page->Add(drawn); }},
               block);
  }
}

std::string Plain(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (plain.size() >= kPlainBytes) return plain + kDots;
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) {
      plain += "\xEF\xBF\xBD";
    } else if (IsControl(text.substr(0, length))) {
      plain += ' ';
    } else {
      if (std::string_view("\\`*_{}[]<>#|~&").find(text[0]) !=
          std::string_view::npos)
        plain += '\\';
      plain += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return plain;
}

}  // namespace twinset
