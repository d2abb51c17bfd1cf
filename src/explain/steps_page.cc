// The steps of a method as a page: their Markdown, and the curve of its law.
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candidate/bands.h"
#include "candidate/laws.h"
#include "methods/registry.h"
#include "report/html_report.h"
#include "twinset/steps.h"

namespace twinset::inline v1 {

namespace {

// Text of Markdown as it is shown: escapes undone, marks of code left out.
std::string Shown(std::string_view markdown) {
  std::string text;
  for (size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\' && i + 1 < markdown.size())
      text += markdown[++i];
    else if (markdown[i] != '`')
      text += markdown[i];
  }
  return text;
}

// The cells of "| a | b |"; an escaped bar is part of its cell.
std::vector<std::string> CellsOf(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      cell += line[i++];
      cell += line[i];
    } else if (line[i] == '|') {
      const size_t begin = cell.find_first_not_of(' ');
      const size_t end = cell.find_last_not_of(' ');
      cells.push_back(begin == cell.npos ? ""
                                         : cell.substr(begin, end - begin + 1));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

// Takes a table of Markdown line by line.
class TableTaker {
 public:
  bool is_open() const { return lines_ > 0; }

  void Take(std::string_view line) {
    const std::vector<std::string> cells = CellsOf(line);
    ++lines_;
    if (lines_ == 1) {
      for (const std::string& cell : cells)
        table_.columns.push_back({Shown(cell)});
    } else if (lines_ == 2) {
      for (size_t i = 0; i < cells.size() && i < table_.columns.size(); ++i)
        table_.columns[i].number = cells[i].ends_with(':');
    } else {
      auto& row = table_.rows.emplace_back();
      for (size_t i = 0; i < cells.size(); ++i) {
        row.push_back(html::Cell::Text(Shown(cells[i])));
        row.back().number =
            i < table_.columns.size() && table_.columns[i].number;
      }
    }
  }

  void EndInto(HtmlReport* page) {
    if (!is_open()) return;
    page->Add(table_);
    *this = {};
  }

 private:
  html::Table table_;
  size_t lines_ = 0;
};

void AddMarkdown(std::string_view text, HtmlReport* page) {
  TableTaker table;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('|')) {
      table.Take(line);
      continue;
    }
    table.EndInto(page);
    if (line.starts_with("### "))
      page->Add(html::Heading{Shown(line.substr(4))});
    else if (!line.empty())
      page->Add(html::Paragraph{Shown(line)});
  }
  table.EndInto(page);
}

// How likely the method proposes a pair, by its similarity; none where it
// follows no such law.
std::function<double(double)> LawOf(const Method& method,
                                    const MethodOptions& options,
                                    const MethodParts& parts) {
  switch (method.law) {
    case CandidateLaw::kBands:
      if (parts.bands <= 0) return {};
      return [bands = parts.bands, rows = parts.rows](double s) {
        return BandRecall(s, bands, rows);
      };
    case CandidateLaw::kDistance:
      return [bits = options.bits, distance = options.distance](double s) {
        return HammingRecall(s, bits, distance);
      };
    case CandidateLaw::kGroups:
      return [groups = options.groups, size = options.group_size,
              agree = options.agree == 0 ? 2 : options.agree](double s) {
        return GroupRecall(s, groups, size, agree);
      };
    default:
      return {};
  }
}

void AddCurve(const std::function<double(double)>& law, double threshold,
              HtmlReport* page) {
  constexpr int kSteps = 100;
  html::Chart chart;
  chart.title = "How likely a pair is proposed";
  chart.description =
      "The probability that two documents become a candidate pair, by their "
      "resemblance.";
  chart.x = {"resemblance", false, 0.0, 1.0};
  chart.y = {"probability", false, 0.0, 1.0};
  html::Series series;
  series.name = "by the law of the method";
  series.marks = false;
  for (int i = 0; i <= kSteps; ++i) {
    const double similarity = static_cast<double>(i) / kSteps;
    series.points.push_back({similarity, law(similarity), 0, 0, ""});
  }
  html::Series at;
  at.name = "threshold";
  at.line = false;
  at.points.push_back({threshold, law(threshold), 0, 0, ""});
  chart.series = {std::move(series), std::move(at)};
  page->Add(chart);
}

}  // namespace

Result<std::string> StepsPage(std::string_view steps,
                              const MethodOptions& options) {
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.name));
  HtmlReport page("The method " + method->info.name + ", step by step");
  page.Add(html::Lead{"What the method " + method->info.name +
                          " makes of these documents, step by step.",
                      "It finds " + method->info.summary + "."});
  AddMarkdown(steps, &page);
  const bool learns = method->learns && method->learns(options);
  if (!learns) {
    TWINSET_ASSIGN(const MethodParts parts, method->make(options, nullptr));
    if (const auto law = LawOf(*method, options, parts))
      AddCurve(law, options.threshold, &page);
  }
  return std::move(page).Finish();
}

}  // namespace twinset::inline v1
