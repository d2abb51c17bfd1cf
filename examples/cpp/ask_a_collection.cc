// One document against a stored collection: ask_a_collection RUN TEXT, where
// RUN is a folder of twinset dedup --save.
#include <twinset/saved_run.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto stored = twinset::SavedCollection::Open(argv[1]);
  if (!stored) {
    std::cerr << stored.error().ToString() << '\n';
    return 1;
  }
  const auto found = stored->Find(argv[2]);
  if (!found) {
    std::cerr << found.error().ToString() << '\n';
    return 1;
  }
  for (const twinset::FoundDocument& document : *found)
    std::cout << document.similarity << " " << document.id << '\n';
}
