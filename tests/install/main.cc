// What a program that links an installed twinset does first: plan bands, list
// the methods, and deduplicate two lines. Prints one line; exits 1 when an
// answer is wrong.
#include <twinset/dedup.h>
#include <twinset/methods.h>
#include <twinset/version.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace {

int Complain(const std::string& what) {
  std::fprintf(stderr, "consumer: %s\n", what.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return Complain("usage: consumer FOLDER");
  const std::string folder = argv[1];

  const auto plan = twinset::PlanBands(0.8, 128, 0.99);
  if (!plan) return Complain(plan.error().ToString());
  if (plan->bands * plan->rows > 128 || plan->expected_recall < 0.99) {
    return Complain("the band plan does not keep its promise");
  }
  if (twinset::Methods().empty()) return Complain("no method is registered");

  std::ofstream(folder + "/in.jsonl")
      << R"({"id":"a","text":"one two three four five six seven eight nine"})"
      << "\n"
      << R"({"id":"b","text":"One two three, four five six: seven eight nine!"})"
      << "\n";
  twinset::DedupOptions options;
  options.input.inputs = {folder + "/in.jsonl"};
  options.out = folder + "/out";
  options.resources.memory_bytes = 256 << 20;
  const auto summary = twinset::Dedup(options);
  if (!summary) return Complain(summary.error().ToString());
  if (summary->documents != 2 || summary->dropped != 1 || summary->pairs != 1) {
    return Complain(
        "two copies of one sentence must be one pair, one of them dropped");
  }
  std::printf("twinset %s: %zu methods, %llu of %llu documents dropped\n",
              twinset::kVersion, twinset::Methods().size(),
              static_cast<unsigned long long>(summary->dropped),
              static_cast<unsigned long long>(summary->documents));
}
