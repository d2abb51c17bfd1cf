// Sketches of a batch of texts, what they estimate, and the exact similarity.
#include <twinset/session.h>

#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::string a =
      "one two three four five six seven eight nine ten eleven twelve";
  const std::string b =
      "one two three four five six seven eight nine ten eleven thirteen";
  const std::string bytes = a + b;  // as Arrow lays out strings
  const std::vector<uint64_t> offsets = {0, a.size(), bytes.size()};

  // Immutable: one session serves all threads.
  const auto session =
      twinset::Session::Make({.method = {.permutations = 256}});
  if (!session) {
    std::cerr << session.error().ToString() << '\n';
    return 1;
  }
  const auto sketches = session->Sketch({bytes, offsets});
  if (!sketches) return 1;
  std::cout << "values of a sketch: " << (*sketches)[0].size() << '\n'
            << "estimate: " << session->Estimate((*sketches)[0], (*sketches)[1])
            << '\n'
            << "exact: " << session->Similarity(a, b) << '\n';
}
