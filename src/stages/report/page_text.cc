// A page in the form of a terminal.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/kept_page.h"
#include "report/text_columns.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char *kBold = "\x1b[1m", *kFaint = "\x1b[2m",
                     *kPlainText = "\x1b[0m";
constexpr const char* kDots = "\xE2\x80\xA6";

// Rows of a table, where what a cell has below its value has a column of its
// own.
struct TextTable {
  Rows rows;  // the first is the heading
  std::vector<bool> numbers;
};

TextTable TextTableOf(const html::Table& table) {
  TextTable text;
  text.rows.resize(1 + table.rows.size());
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const auto has_below = [i](const auto& row) {
      return i < row.size() && !row[i].below.empty();
    };
    const bool is_split =
        std::any_of(table.rows.begin(), table.rows.end(), has_below);
    text.rows[0].push_back(Printable(table.columns[i].name));
    text.numbers.push_back(table.columns[i].number);
    if (is_split) {
      text.rows[0].emplace_back();
      text.numbers.push_back(false);
    }
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const auto& cells = table.rows[row];
      const Cell cell = i < cells.size() ? cells[i] : Cell();
      text.rows[row + 1].push_back(Printable(cell.text));
      if (is_split) text.rows[row + 1].push_back(Printable(cell.below));
    }
  }
  return text;
}

// Takes the blocks of a page one by one, and passes over what a terminal does
// not show.
class Drawer {
 public:
  explicit Drawer(const TextStyle& style) : style_(style) {}

  void operator()(const html::Lead& lead) {
    if (!Shows() || style_.brief) return;
    Begin();
    text_ += Styled(kBold, Wrapped(Printable(lead.strong), style_.width));
    if (!lead.text.empty())
      text_ += Wrapped(Printable(lead.text), style_.width);
  }
  void operator()(const html::Facts& facts) {
    if (!Shows() || style_.brief || facts.facts.empty()) return;
    Rows rows;
    for (const html::Fact& fact : facts.facts)
      rows.push_back({Printable(fact.name), Printable(fact.value),
                      Printable(fact.beside)});
    Begin();
    for (const std::string& line : AlignedRows(rows, {false, true, false}))
      text_ += line + "\n";
  }
  void operator()(const html::Heading& heading) {
    if (Shows() && !style_.brief) heading_ = Printable(heading.text);
  }
  void operator()(const html::Paragraph& paragraph) {
    if (!Shows() || style_.brief) return;
    Begin();
    text_ += Wrapped(Printable(paragraph.text), style_.width);
  }
  void operator()(const html::KeyValues& values) {
    if (!Shows() || values.rows.empty()) return;
    Rows rows;
    for (const auto& [name, cell] : values.rows)
      rows.push_back({Printable(name), Printable(cell.text)});
    AddRows(values.caption, {}, std::move(rows), {false, true});
  }
  void operator()(const html::Table& table) {
    if (!Shows() || table.rows.empty()) return;
    TextTable text = TextTableOf(table);
    std::vector<std::string> head = std::move(text.rows[0]);
    text.rows.erase(text.rows.begin());
    AddRows(table.caption, std::move(head), std::move(text.rows), text.numbers);
  }
  void operator()(const html::Shares& shares) {
    if (!Shows()) return;
    uint64_t whole = 0;
    for (const auto& [name, count] : shares.parts) whole += count;
    Rows rows;
    for (const auto& [name, count] : shares.parts)
      rows.push_back(
          {Printable(name), NumberText(count), ShareText(count, whole)});
    AddRows(shares.title, {}, std::move(rows), {false, true, true});
  }
  // Drawings, texts side by side, and remarks on them are for the page alone;
  // a result has its warnings apart.
  void operator()(const auto&) {}

  void Hide(int by) { hidden_ += by; }
  std::string Take() { return std::move(text_); }

 private:
  bool Shows() const { return hidden_ == 0; }
  std::string Styled(const char* how, std::string text) const {
    if (!style_.colour) return text;
    const size_t end = text.find_last_not_of('\n') + 1;
    return how + text.substr(0, end) + kPlainText + text.substr(end);
  }
  // A blank line between blocks, and the heading that waits for what it heads.
  void Begin() {
    if (!text_.empty()) text_ += "\n";
    if (!heading_.empty())
      text_ += Styled(kBold, std::exchange(heading_, "") + "\n");
  }
  void AddRows(std::string_view caption, std::vector<std::string> head,
               Rows rows, std::vector<bool> numbers) {
    const size_t left_out =
        rows.size() - std::min(rows.size(), style_.most_rows);
    rows.resize(rows.size() - left_out);
    // A caption says what the heading above it does, and more.
    if (!caption.empty()) heading_.clear();
    Begin();
    if (!caption.empty() && !style_.brief)
      text_ += Styled(kBold, Printable(caption) + "\n");
    const bool has_head = !head.empty();
    if (has_head) rows.insert(rows.begin(), std::move(head));
    bool is_head = has_head;
    for (const std::string& line : AlignedRows(rows, numbers)) {
      text_ += is_head ? Styled(kFaint, line + "\n") : line + "\n";
      is_head = false;
    }
    if (left_out > 0)
      text_.append(kTextIndent) +=
          std::string(kDots) + " and " + CountText(left_out, "more row") + "\n";
  }

  const TextStyle style_;
  std::string text_, heading_;
  int hidden_ = 0;  // folds and parts of the machine that are open
};

}  // namespace

std::string KeptPage::Terminal(const TextStyle& style) const {
  Drawer drawer(style);
  for (const Block& block : blocks_) {
    drawer.Hide(std::holds_alternative<FoldBegin>(block) ||
                std::holds_alternative<RunBegin>(block));
    std::visit(drawer, block);
    drawer.Hide(-(std::holds_alternative<FoldEnd>(block) ||
                  std::holds_alternative<RunEnd>(block)));
  }
  return drawer.Take();
}

v1::ResultPage::ResultPage(KeptPage page)
    : page_(std::make_shared<const KeptPage>(std::move(page))) {}

std::string v1::ResultPage::Text(const TextStyle& style) const {
  return page_ == nullptr ? "" : page_->Terminal(style);
}

std::string v1::ResultPage::Html() const {
  return page_ == nullptr ? "" : page_->Drawn().Finish();
}

}  // namespace twinset
