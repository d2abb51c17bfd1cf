#include "traps/trap_probe.h"

#include <algorithm>

#include "traps/trap_evidence.h"

namespace twinset {
namespace {

bool IsSuccess(int status) { return status >= 200 && status <= 299; }

// Returns true iff the answer is the page of the trap.
bool IsAlike(const TrapProbeRules& rules, const TextReader& reader,
             const FoundTrap& found, const FetchResponse& response) {
  const auto page = reader.Read(
      {response.url, response.content_type, response.body, response.date}, {});
  if (!page) return false;
  const TrapPage now =
      ReadTrapPage(reader, *page, found.trap.probe->url, rules.short_tokens,
                   /*with_words=*/false);
  if (now.skeleton != 0 && found.skeletons.contains(now.skeleton)) return true;
  return ResemblanceOfShingles(reader.Shingles(page->text), found.shingles) >=
         rules.threshold;
}

void Ask(const TrapProbeRules& rules, const TextReader& reader,
         Fetcher* fetcher, FoundTrap* found) {
  TrapProbe& probe = *found->trap.probe;
  if (probe.url.empty()) {
    probe.reason = "no address of the pattern could be made up";
    return;
  }
  const auto response = fetcher->Get(probe.url);
  if (!response) {
    probe.reason = response.error().message;
    return;
  }
  probe.status = response->status;
  probe.alike =
      IsSuccess(probe.status) && IsAlike(rules, reader, *found, *response);
}

}  // namespace

bool TakesAnything(const UrlPattern& pattern) {
  const auto anything = [](const PlacePattern& place) {
    return place.varying == Varying::kAny || place.varying == Varying::kHex;
  };
  return pattern.any_path ||
         std::any_of(pattern.segments.begin(), pattern.segments.end(),
                     anything) ||
         std::any_of(pattern.parameters.begin(), pattern.parameters.end(),
                     [&](const UrlPattern::Parameter& parameter) {
                       return !parameter.optional && anything(parameter.value);
                     });
}

TrapType JudgeProbe(const TrapProbeFacts& facts) {
  if (facts.kind == TrapType::kOther && facts.alike && facts.takes_anything)
    return TrapType::kSoft404;
  const bool knows = facts.status == 404 || facts.status == 410;
  if (facts.kind == TrapType::kSoft404 && knows && !facts.pages_say_none)
    return TrapType::kOther;
  return facts.kind;
}

Status ProbeTraps(const TrapProbeRules& rules, const TextReader& reader,
                  Fetcher* fetcher, std::vector<FoundTrap>* found) {
  for (FoundTrap& trap : *found) {
    if (rules.stop != nullptr && *rules.stop)
      return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
    Ask(rules, reader, fetcher, &trap);
    const TrapProbe& probe = *trap.trap.probe;
    trap.trap.kind =
        JudgeProbe({trap.trap.kind, trap.pages_say_none, trap.takes_anything,
                    probe.status, probe.alike});
  }
  return {};
}

}  // namespace twinset
