// Texts in columns of a terminal.
#ifndef TWINSET_SRC_STAGES_REPORT_TEXT_COLUMNS_H_
#define TWINSET_SRC_STAGES_REPORT_TEXT_COLUMNS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

// What stands before each line of a table.
inline constexpr std::string_view kTextIndent = "  ";

// Columns of a terminal that the text takes: marks that combine have none,
// letters of East Asia and pictures have two.
size_t WidthOf(std::string_view text);

// Rows of cells below each other, one line each; the first row is the heading.
// `numbers`: which columns stand at the right. No row has more cells.
std::vector<std::string> AlignedRows(
    const std::vector<std::vector<std::string>>& rows,
    const std::vector<bool>& numbers);

// The words of a text on lines of at most `width` columns, each with its end,
// where a single word fits; 0: one line.
std::string Wrapped(std::string_view text, size_t width);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_TEXT_COLUMNS_H_
