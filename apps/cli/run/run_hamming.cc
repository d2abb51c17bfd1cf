// twinset hamming
#include <fmt/format.h>

#include <charconv>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/hamming.h"

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

}  // namespace

int RunHamming(const Request& request) {
  if (request.operands.empty())
    return TellError(kHammingName, {ErrorCode::kUsage,
                                    "no input is given",
                                    {},
                                    "a file of fingerprints, or - for standard "
                                    "input"});
  HammingOptions options;
  options.inputs = request.operands;
  options.against = request.against;
  options.bits = request.options.method.bits;
  options.distance = request.options.method.distance;
  options.resources = request.options.resources;
  Output out;
  PairLines lines(&out, request.json);
  const auto summary =
      FindHammingPairs(options, [&](uint64_t a, uint64_t b, int distance) {
        return lines.Print(a, b, distance);
      });
  const int finished = out.Finish(kHammingName);
  if (summary && !options.against.empty() && !request.quiet)
    Tell(kHammingName,
         fmt::format("read: the first set: {} fingerprints; "
                     "--against: {} fingerprints",
                     Grouped(summary->rows), Grouped(summary->rows_against)));
  return summary ? finished : TellError(kHammingName, summary.error());
}

}  // namespace twinset::cli
