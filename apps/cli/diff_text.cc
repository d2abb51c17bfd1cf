#include "diff_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "generate.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr size_t kContextWords = 12;
constexpr size_t kWidth = 80;
constexpr char kRed[] = "\x1b[31m", kGreen[] = "\x1b[32m", kFaint[] = "\x1b[2m",
               kPlain[] = "\x1b[0m";

// Words as the eye counts them: what white space separates.
std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  size_t at = text.find_first_not_of(kSpace);
  while (at != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return words;
}

std::string Joined(const std::vector<std::string_view>& words, size_t begin,
                   size_t end) {
  return fmt::format(
      "{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(begin),
                      words.begin() + static_cast<std::ptrdiff_t>(end), " "));
}

// Text in lines after a mark; the colour covers each line whole.
void AppendBlock(char mark, std::string_view text, const char* colour,
                 std::string* out) {
  const std::vector<std::string_view> words = Words(text);
  const std::string spaced = Joined(words, 0, words.size());
  std::string block = Wrap(Printable(spaced), 2, kWidth);
  size_t begin = 0;
  while (begin < block.size()) {
    const size_t end = block.find('\n', begin);
    block[begin] = mark;
    const std::string line = block.substr(begin, end - begin);
    *out += colour != nullptr ? fmt::format("{}{}{}\n", colour, line, kPlain)
                              : line + "\n";
    begin = end + 1;
  }
}

// A piece as it is shown.
struct Block {
  DiffRun::Kind kind = DiffRun::kBoth;
  bool is_rewritten = false;  // the same words in X and Y, written differently
  std::string text, text_y;
};

// Neighbours that differ in white space alone become one block.
std::vector<Block> BlocksOf(const std::vector<DiffRun>& runs) {
  std::vector<Block> blocks;
  for (const DiffRun& run : runs) {
    const bool both = run.kind == DiffRun::kBoth;
    const bool is_rewritten = both && Words(run.text) != Words(run.text_y);
    if (blocks.empty() || blocks.back().kind != run.kind ||
        blocks.back().is_rewritten != is_rewritten)
      blocks.push_back({run.kind, is_rewritten, "", ""});
    blocks.back().text += run.text;
    blocks.back().text_y += run.text_y;
  }
  return blocks;
}

void AppendCommon(std::string_view text, bool first, bool last,
                  const char* faint, std::string* out) {
  const std::vector<std::string_view> words = Words(text);
  const size_t before =
      first ? 0 : kContextWords;  // words that follow a difference
  const size_t after = last ? 0 : kContextWords;  // words that lead to one
  // Leaving out fewer words than the note about them takes would save nothing.
  if (words.size() <= before + after + 6) {
    AppendBlock(' ', Joined(words, 0, words.size()), nullptr, out);
    return;
  }
  if (before > 0) AppendBlock(' ', Joined(words, 0, before), nullptr, out);
  AppendBlock(' ',
              fmt::format("[... {} words in both ...]",
                          NumberText(words.size() - before - after)),
              faint, out);
  if (after > 0)
    AppendBlock(' ', Joined(words, words.size() - after, words.size()), nullptr,
                out);
}

// Leaves the first lines, and says how to see the others.
void CutLines(size_t most_lines, std::string* text) {
  size_t end = 0;
  for (size_t line = 0; line < most_lines && end < text->size(); ++line)
    end = std::min(text->find('\n', end), text->size() - 1) + 1;
  const auto more = static_cast<uint64_t>(std::count(
      text->begin() + static_cast<std::ptrdiff_t>(end), text->end(), '\n'));
  if (more == 0) return;
  text->resize(end);
  *text += fmt::format(
      "\n{} of the difference {} left out. With --html FILE a page shows both "
      "texts whole;\n--json prints every piece.\n",
      CountText(more, "more line"), more == 1 ? "is" : "are");
}

}  // namespace

std::string DiffText(const std::vector<DiffRun>& runs, bool colour,
                     size_t most_lines) {
  const std::vector<Block> blocks = BlocksOf(runs);
  const char* red = colour ? kRed : nullptr;
  const char* green = colour ? kGreen : nullptr;
  std::string text;
  bool differ = false, rewritten = false;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    differ = differ || block.kind != DiffRun::kBoth;
    rewritten = rewritten || block.is_rewritten;
    if (block.kind == DiffRun::kOnlyX) {
      AppendBlock('-', block.text, red, &text);
    } else if (block.kind == DiffRun::kOnlyY) {
      AppendBlock('+', block.text, green, &text);
    } else if (block.is_rewritten) {
      AppendBlock('<', block.text, red, &text);
      AppendBlock('>', block.text_y, green, &text);
    } else {
      AppendCommon(block.text, i == 0, i + 1 == blocks.size(),
                   colour ? kFaint : nullptr, &text);
    }
  }
  if (!differ && !rewritten) return "";
  CutLines(most_lines, &text);
  std::string marks = differ ? "- only in X, + only in Y" : "";
  if (rewritten) {
    marks += differ ? "; " : "";
    marks += "< and > the same words as X and as Y write them";
  }
  return marks + "\n" + text;
}

}  // namespace twinset::cli
