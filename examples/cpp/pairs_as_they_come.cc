// Pairs handed to a callback, documents printed by another program.
#include <twinset/collection.h>

#include <iostream>

namespace {

class Table : public twinset::Sink {
 public:
  twinset::Status OnPair(const twinset::Pair& pair) override {
    std::cout << pair.a << ' ' << pair.b << ' ' << pair.similarity << '\n';
    return {};  // an error would end the run
  }
};

}  // namespace

int main() {
  const auto rows = twinset::FromProgram(
      {"printf", "%s\n", R"({"text": "a b c d e f g h"})",
       R"({"text": "A B C D E F G H!"})", R"({"text": "x y z u v w"})"});
  if (!rows) {
    std::cerr << rows.error().ToString() << '\n';
    return 1;
  }
  Table table;
  const auto summary = twinset::Dedup(**rows, {}, table);
  if (!summary) {
    std::cerr << summary.error().ToString() << '\n';
    return 1;
  }
  std::cout << summary->pairs << " pair of " << summary->documents
            << " documents\n";
}
