// Flags of all commands that fetch, declared once.
#include <cmath>

#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Switch;
using setters::TextList;
using setters::Values;

namespace {

constexpr CommandBits kAskEngines =
    kEngineBit | kSampleBit | kWalkBit | kRescueBit;
constexpr CommandBits kFetches = kAskEngines | kTrapsBit;

Status SetDelay(const Values& values, Request* request) {
  TWINSET_ASSIGN(const int delay_ms, ParseInt(values.back(), 0, 3600000));
  request->study->fetching.delay_ms = static_cast<uint32_t>(delay_ms);
  return {};
}

Status SetTimeout(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double seconds, ParseNumber(values.back()));
  if (!(seconds >= 0.001 && seconds <= 3600)) {
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0.001 to 3600", values.back()));
  }
  request->study->fetching.timeout_ms =
      static_cast<CommandBits>(std::lround(seconds * 1000));
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> FetchFlags() {
  return {
      {"--networks", 0, "CIDR,...", "networks that may be asked beside the public internet, as 192.168.7.0/24",
       "Without it nothing is asked of loopback, private, link-local and other special addresses or of the metadata "
       "services of clouds, whatever name, link or redirect leads there. Of random-ip: the networks (IPv4) whose "
       "addresses are drawn; nothing is asked outside of them. Name only networks that are yours or that allow it. "
       "May be repeated.",
       "(none)", kFetches, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return r.study->fetching.networks; }>},
      {"--delay", 0, "MS", "least time between two requests to one host",
       "A description of an engine may set its own, which this replaces.", "(1000)", kFetches, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, SetDelay},
      {"--timeout", 0, "SECONDS", "time for an answer",
       "Of pages 20, of engines 30, of random-ip 5, unless it is given.", "(5 to 30)", kFetches, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, SetTimeout},
      {"--max-requests", 0, "N", "questions to engines and pages of theirs, in all; 0: any number",
       "Then the command stops, and the same one with --resume (or its --record) goes on. Recorded answers cost "
       "nothing. Of live walks see --max-pages.", "0", kEngineBit | kSampleBit | kRescueBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       setters::Count<[](Request& r) -> auto& { return r.study->fetching.max_requests; }>},
      {"--allow-programs", 0, "", "a description of an engine may name a program, which is run",
       "Without it descriptions of type 'program' are refused.", "", kAskEngines, FlagGroup::kStudy, ValueKind::kNone, {},
       false, Switch<[](Request& r) -> auto& { return r.study->fetching.allow_programs; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
