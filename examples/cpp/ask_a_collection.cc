// One document against a collection in files: ask_a_collection FILE TEXT
#include <twinset/collection.h>

#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::vector<std::string> question = {argv[2]};
  const auto stored = twinset::FromFiles({.inputs = {argv[1]}});
  if (!stored) {
    std::cerr << stored.error().ToString() << '\n';
    return 1;
  }
  const auto found =
      twinset::Match(*twinset::FromTexts(question), **stored,
                     {.method = {.threshold = 0.5,
                                 .measure = twinset::Measure::kContainment}});
  if (!found) {
    std::cerr << found.error().ToString() << '\n';
    return 1;
  }
  for (const twinset::Pair& pair : found->pairs)
    std::cout << pair.similarity << " of it is in document " << pair.b << '\n';
}
