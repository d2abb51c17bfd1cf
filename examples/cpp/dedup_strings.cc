// Duplicates among strings in memory: which to keep.
#include <twinset/collection.h>

#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::vector<std::string> texts = {
      "The quick brown fox jumps over the lazy dog near the river bank.",
      "Something else entirely, about a mill that grinds corn by night.",
      "the quick brown fox jumps over the lazy dog near the river bank"};
  const auto found = twinset::Dedup(*twinset::FromTexts(texts));
  if (!found) {
    std::cerr << found.error().ToString() << '\n';
    return 1;
  }
  for (const twinset::Pair& pair : found->pairs)
    std::cout << pair.a << " and " << pair.b << ": " << pair.similarity << '\n';
  for (const uint64_t kept : found->kept) std::cout << texts[kept] << '\n';
}
