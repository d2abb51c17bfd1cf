#include "nouns.h"

#include <fmt/format.h>

#include <algorithm>

#include "twinset/estimate.h"
#include "twinset/nearest.h"
#include "values.h"

namespace twinset::cli {

std::vector<std::string_view> NounsOf(const Command& command) {
  switch (command.bit) {
    case kEngineBit:
      return {"build", "query", "show"};
    case kLexiconBit:
      return {"build", "show", "diff"};
    case kAuctionBit:
      return {"run", "log", "page"};
    case kQrelsBit:
      return {"transfer", "merge", "check", "stats"};
    case kRunsBit:
      return {"make", "transfer", "collapse", "eval", "compare"};
    case kPatchBit:
      return {"make", "apply"};
    case kSeedsBit:
      return {"pick", "overlap"};
    case kCompletionsBit:
      return {"bash", "zsh", "fish"};
    case kEstimateBit:
      return EstimateNames();
    case kHelpBit: {
      std::vector<std::string_view> names;
      for (const Command& other : Commands()) names.push_back(other.name);
      return names;
    }
    default:
      return {};
  }
}

Status CheckNoun(std::string_view command, const Request& request) {
  const std::vector<std::string_view> nouns = NounsOf(*FindCommand(command));
  const std::string word =
      request.operands.empty() ? "" : request.operands.front();
  if (std::find(nouns.begin(), nouns.end(), word) != nouns.end()) return {};
  const std::string meant = DidYouMean(word, nouns);
  return Fail(ErrorCode::kUsage,
              word.empty()
                  ? fmt::format("what {} should do is not said", command)
                  : fmt::format("{} cannot '{}'", command, Printable(word)),
              {},
              fmt::format("{}{}use {}", meant, meant.empty() ? "" : " ",
                          OrList(nouns)));
}

}  // namespace twinset::cli
