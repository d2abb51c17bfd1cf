// Flags of `twinset estimate`.
#include <fmt/format.h>

#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Pick;
using setters::Text;
using setters::Values;

namespace {

// "12/40".
Result<FoundOf> ParseFound(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != text.npos) {
    const auto found = ParseCount(text.substr(0, slash));
    const auto looked = ParseCount(text.substr(slash + 1));
    if (found && looked && *found <= *looked && *looked > 0)
      return FoundOf{*found, *looked};
  }
  return Fail(ErrorCode::kUsage,
              fmt::format("'{}' is not K/N with K at most N", text));
}

template <auto Field>
Status OfFound(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseFound(values.back()));
  return {};
}

Status Known(const Values& values, Request* request) {
  const std::string& text = values.back();
  const size_t equals = text.rfind('=');
  EstimateOptions& options = request->study->estimate;
  if (equals == text.npos || equals == 0)
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not ENGINE=SIZE", text));
  options.known_engine = text.substr(0, equals);
  TWINSET_ASSIGN(options.known_size, ParseNumber(text.substr(equals + 1)));
  if (!(options.known_size > 0))
    return Fail(ErrorCode::kUsage,
                fmt::format("the size in '{}' is not above 0", text));
  return {};
}

Status Quantile(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double share, ParseNumber(values.back()));
  if (!(share > 0 && share < 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not above 0 and below 1", values.back()));
  request->study->estimate.quantile = share;
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> EstimateFlags() {
  return {
      {"--n1", 0, "N", "capture-recapture: individuals in the first capture", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.n1; }>},
      {"--n2", 0, "N", "capture-recapture: individuals in the second capture", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.n2; }>},
      {"--m", 0, "N", "capture-recapture: individuals in both", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.m; }>},
      {"--a-in-b", 0, "K/N", "relative: of N pages drawn from A, K are in B",
       "Together with --b-in-a, instead of a file.", "", kEstimateBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       OfFound<[](Request& r) -> auto& { return r.study->estimate.a_in_b; }>},
      {"--b-in-a", 0, "K/N", "relative: of N pages drawn from B, K are in A", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       OfFound<[](Request& r) -> auto& { return r.study->estimate.b_in_a; }>},
      {"--pool", 0, "N", "size: queries in the pool from which those of the file were drawn", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.pool; }>},
      {"--pool-b", 0, "N", "size: queries in the second pool", "", "(--pool)", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.second_pool; }>},
      {"--matched", 0, "K/N", "size: of N uniform pages, K match a query of the pool",
       "Without it, and without a second pool, the size is that of what the pool matches.", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       OfFound<[](Request& r) -> auto& { return r.study->estimate.matched; }>},
      {"--known", 0, "ENGINE=N", "size: the file has overlaps, and this engine N pages", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false, Known},
      {"--trials", 0, "N", "servers: addresses that were asked", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.trials; }>},
      {"--addresses", 0, "N", "servers: addresses that there are", "", "", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->estimate.addresses; }>},
      {"--report", 0, "FILE", "also write the estimate as a page",
       "A file of HTML that needs nothing else. One that exists is refused.", "(not written)", kEstimateBit,
       FlagGroup::kOutput, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->estimate.report; }>},
      {"--of", 0, "EXPRESSION", "the value of a row that is estimated",
       "Fields of the row (dots reach into objects), numbers, \"texts\", true, false; == != < <= > >=, and, or, "
       "not, + - * /, parentheses; length(x), lower(x), host(url), year(date), prefix(x, y), suffix(x, y), "
       "contains(x, y), exists(x). Of servers: the number of pages.",
       "", kEstimateBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return r.study->estimate.of; }>},
      {"--x", 0, "EXPRESSION", "ratio: the numerator of a row", "", "x", kEstimateBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Text<[](Request& r) -> auto& { return r.study->estimate.x; }>},
      {"--y", 0, "EXPRESSION", "ratio: the denominator of a row", "", "y", kEstimateBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Text<[](Request& r) -> auto& { return r.study->estimate.y; }>},
      {"--weights", 0, "HOW", "share, mean, quantile: how weights of rows are used",
       "auto and hajek: divided by their sum, so that they need be known only up to a factor. ht: as 1 / "
       "probability of a draw; needs --total. none: not at all, which shows the bias of the sampler.",
       "auto", kEstimateBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<EstimateWeights>(), false,
       Pick<[](Request& r) -> auto& { return r.study->estimate.weights; }>},
      {"--total", 0, "N", "with --weights ht, pages in the population", "", "", kEstimateBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Count<[](Request& r) -> auto& { return r.study->estimate.total; }>},
      {"--quantile", 0, "Q", "quantile: which one; 0.5 is the median", "", "0.5", kEstimateBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Quantile},
      {"--replicas", 0, "N", "samples drawn again for bootstrap intervals; 0: none", "", "1000", kEstimateBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->estimate.replicas; }, 0, 100000>},
  };
}
// clang-format on

}  // namespace twinset::cli
