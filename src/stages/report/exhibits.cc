#include "report/exhibits.h"

#include "report/html_style.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

constexpr size_t kMostNameBytes = 40;

std::string NameOf(size_t number, std::string_view caption) {
  std::string name = (number < 10 ? "0" : "") + std::to_string(number);
  std::string words;
  for (const char c : caption) {
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if ((low >= 'a' && low <= 'z') || (low >= '0' && low <= '9'))
      words += low;
    else if (!words.empty() && words.back() != '-')
      words += '-';
    if (words.size() <= kMostNameBytes) continue;
    const size_t blank = words.rfind('-');  // whole words, if there are several
    words.resize(blank == words.npos ? kMostNameBytes : blank);
    break;
  }
  while (!words.empty() && words.back() == '-') words.pop_back();
  return words.empty() ? name : name + "-" + words;
}

// Names the space of SVG and brings the colours along.
std::string AloneSvg(const std::string& svg) {
  const size_t head = svg.find("<svg") + 4, body = svg.find('>') + 1;
  return svg.substr(0, head) + " xmlns=\"http://www.w3.org/2000/svg\"" +
         svg.substr(head, body - head) + "\n" + std::string(kDrawingStyle) +
         svg.substr(body);
}

// What a cell says, its second line behind the first.
std::string Whole(const html::Cell& cell) {
  return cell.below.empty() ? cell.text : cell.text + " (" + cell.below + ")";
}

// Counts as programs read them, without marks between thousands.
std::string AsProgramsRead(const html::Cell& cell) {
  std::string text = Whole(cell);
  const bool is_count =
      cell.number && text.find_first_not_of("0123456789,") == text.npos;
  if (is_count) std::erase(text, ',');
  return text;
}

std::string CsvOf(const html::Table& table) {
  std::string csv;
  const auto add = [&](size_t column, const std::string& text) {
    if (column > 0) csv += ',';
    AppendCsvField(&csv, text);
  };
  for (size_t i = 0; i < table.columns.size(); ++i)
    add(i, table.columns[i].name);
  csv += '\n';
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < table.columns.size(); ++i)
      add(i, i < row.size() ? AsProgramsRead(row[i]) : "");
    csv += '\n';
  }
  return csv;
}

std::string LatexOf(const Exhibit& exhibit, const std::string& name) {
  const html::Table& table = exhibit.table;
  std::string tex = "% \\usepackage{booktabs}\n\\begin{table}\n\\caption{" +
                    LatexText(exhibit.caption) + "}\n\\label{tab:" + name +
                    "}\n\\begin{tabular}{";
  for (const html::Column& column : table.columns)
    tex += column.number ? 'r' : 'l';
  tex += "}\n\\toprule\n";
  for (size_t i = 0; i < table.columns.size(); ++i)
    tex += (i > 0 ? " & " : "") + LatexText(table.columns[i].name);
  tex += " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      tex +=
          (i > 0 ? " & " : "") + LatexText(i < row.size() ? Whole(row[i]) : "");
    }
    tex += " \\\\\n";
  }
  return tex + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace

std::string LatexText(std::string_view text) {
  std::string tex;
  for (const char c : text) {
    switch (c) {
      case '\\':
        tex += "\\textbackslash{}";
        break;
      case '~':
        tex += "\\textasciitilde{}";
        break;
      case '^':
        tex += "\\textasciicircum{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        tex += '\\';
        tex += c;
        break;
      default:
        tex += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return tex;
}

std::vector<std::pair<std::string, std::string>> ExhibitFiles(
    const std::vector<Exhibit>& exhibits) {
  std::vector<std::pair<std::string, std::string>> files;
  for (size_t i = 0; i < exhibits.size(); ++i) {
    const Exhibit& exhibit = exhibits[i];
    const std::string name = NameOf(i + 1, exhibit.caption);
    if (!exhibit.svg.empty())
      files.emplace_back(name + ".svg", AloneSvg(exhibit.svg));
    files.emplace_back(name + ".csv", CsvOf(exhibit.table));
    files.emplace_back(name + ".tex", LatexOf(exhibit, name));
  }
  return files;
}

}  // namespace twinset
