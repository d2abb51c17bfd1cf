// twinset hamming
#include "twinset/hamming.h"

#include <charconv>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kHammingName = "hamming";

// Rows by the million: no formatting library.
class PairLines {
 public:
  PairLines(Output* out, bool json) : out_(out), json_(json) {}

  bool Print(uint64_t a, uint64_t b, int distance) {
    end_ = line_;
    Text(json_ ? "{\"a\":" : "");
    Number(a);
    Text(json_ ? ",\"b\":" : " ");
    Number(b);
    Text(json_ ? ",\"distance\":" : " ");
    Number(static_cast<uint64_t>(distance));
    Text(json_ ? "}\n" : "\n");
    return out_->Write({line_, static_cast<size_t>(end_ - line_)});
  }

 private:
  void Text(std::string_view text) {
    for (const char c : text) *end_++ = c;
  }
  void Number(uint64_t number) {
    end_ = std::to_chars(end_, line_ + sizeof line_, number).ptr;
  }

  Output* const out_;
  const bool json_;
  char line_[128];
  char* end_ = line_;
};

int RunHamming(const Request& request) {
  if (request.operands.empty())
    return TellError(kHammingName, {ErrorCode::kUsage,
                                    "no input is given",
                                    {},
                                    "a file of fingerprints, or - for standard "
                                    "input"});
  auto options = JobOptionsOf<HammingOptions>(request);
  options.inputs = request.operands;
  options.against = request.against;
  options.bits = request.options.method.bits;
  options.distance = request.options.method.distance;
  return RunShown(
      kHammingName, request, options, {.concludes = true},
      [&](const HammingOptions& given, Output* out) {
        return FindHammingPairs(
            given, [lines = PairLines(out, request.json)](
                       uint64_t a, uint64_t b, int distance) mutable {
              return lines.Print(a, b, distance);
            });
      },
      [&](const HammingSummary& summary, uint64_t, Output*) {
        if (!request.quiet) TellPage(summary.page);
        return std::string();
      });
}

Command HammingCommand() {
  return {
      .name = "hamming",
      .group = CommandGroup::kLaboratory,
      .operands = "FILE...",
      .help = "all pairs of fingerprints that differ in few bits",
      .long_help =
          "Prints a line \"a b distance\" for every pair of rows in which at "
          "most -k bits differ: a < b, sorted, rows counted from 0 over all "
          "FILEs. With --against, a is a row of FILE and b one of the second "
          "set. Every such pair is found, for any -k.\n\nA FILE holds "
          "little-endian numbers of --bits bits (32, 64 or 128), or one "
          "hexadecimal number a line; the content says which. It may be "
          "compressed; - is standard input. In memory it takes 16 bytes a "
          "fingerprint of 64 bits, and what the pairs take. With -k 3 or "
          "less, fingerprints of 64 bits that do not fit into --memory go "
          "through files below --tmp, 16 bytes each; others are refused.",
      .prints_rows = true,
      .examples = {{"twinset hamming fingerprints.bin -k 3",
                    "near-duplicates among fingerprints"},
                   {"twinset hamming new.hex --against old.hex --json",
                    "of two sets, one JSON object a pair"}},
      .everyday = {"--distance", "--bits", "--against", "--json", "--threads",
                   "--memory", "--quiet"},
      .parameters = {.also = {"bits", "distance"}},
      .shared = {"--json", "--against", "--threads", "--memory", "--tmp",
                 "--simd", "--progress", "--config"},
      .texts = {{.name = "--bits",
                 .help = "length of a fingerprint: 32, 64 or 128",
                 .long_help = ""},
                {.name = "--distance",
                 .help = "most bits in which the fingerprints of a pair differ",
                 .long_help = ""},
                {.name = "--json",
                 .help = "print one JSON object a pair and line"},
                {.name = "--memory",
                 .help = "most memory; what does not fit goes through files"},
                kOnlyTheAnswer},
      .refusals = {kDrawsNothing,
                   kWritesNoFolder,
                   {{"--strict"}, "it refuses bad rows"},
                   kPrintsText},
      .run = RunHamming};
}

}  // namespace

const Registration kHamming(HammingCommand);

}  // namespace twinset::cli
