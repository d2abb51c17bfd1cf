#include "read/look.h"

#include <algorithm>
#include <cstddef>

namespace twinset {

namespace {

constexpr size_t kLeastLines = 3, kMostLines = 20;

bool IsNumber(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

// As FBIS3-10009 or clueweb09-en0000-00-00000.
bool IsDocumentId(std::string_view word) {
  return word.size() >= 6 && word.find('-') != word.npos &&
         std::any_of(word.begin(), word.end(),
                     [](char c) { return c >= '0' && c <= '9'; }) &&
         std::any_of(word.begin(), word.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

std::vector<std::string_view> WordsOfLine(std::string_view line) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != line.npos) {
    const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

std::string_view CompressionName(Compression compression) {
  constexpr std::string_view kNames[] = {"none",  "gzip", "zstd",    "lz4",
                                         "bzip2", "xz",   "compress"};
  return kNames[static_cast<size_t>(compression)];
}

std::string_view JudgementsIn(std::string_view text) {
  size_t lines = 0, judged = 0, groups = 0;
  // A last line that is cut off says nothing.
  for (size_t end; lines < kMostLines && (end = text.find('\n')) != text.npos;
       text.remove_prefix(end + 1)) {
    const auto words = WordsOfLine(text.substr(0, end));
    if (words.empty()) continue;
    ++lines;
    judged += words.size() == 4 && IsNumber(words[0]) && IsNumber(words[3]) &&
              !IsNumber(words[2]);
    groups += words.size() >= 2 &&
              std::all_of(words.begin(), words.end(), IsDocumentId);
  }
  if (lines < kLeastLines) return {};
  if (judged == lines) return "relevance judgements (qrels)";
  return groups == lines ? "groups of ids" : std::string_view();
}

}  // namespace twinset
