// Finds lost pages again, by the few words that made them special
// (docs/methods/rescue.md).
#ifndef TWINSET_MEASURE_RESCUE_H_
#define TWINSET_MEASURE_RESCUE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct RescueOptions {
  std::vector<std::string> urls;  // addresses or ids; empty: all of the copies
  InputOptions copies;            // where their last known copies are
  FeatureOptions features;
  std::string engine;        // folder or description (docs/formats/engine.md)
  std::string lexicon;       // tells how rare words are; empty: the copies do
  uint32_t terms = 5;        // of a signature
  uint32_t least_terms = 2;  // queries are shortened down to this
  uint32_t results = 10;     // results looked at per query
  double threshold = 0.8;    // least resemblance of a page found
  bool check_live = false;   // first check whether the address answers
  bool signatures = false;   // give the signatures and ask no engine
  FetchOptions fetching;
  std::string record, replay;                        // answers of the engine
  std::function<void(const Progress&)> on_progress;  // documents: pages
  const std::atomic<bool>* stop = nullptr;
};

enum class RescueStatus : uint8_t {
  kFound,
  kNotFound,
  kNoCopy,
  kTooShort,
  kLive,       // the address answers with the page as it was
  kSignature,  // only the signature was asked for
};
template <>
inline constexpr auto kChoices<RescueStatus> =
    ChoiceTable<RescueStatus>({{RescueStatus::kFound, "found"},
                               {RescueStatus::kNotFound, "not-found"},
                               {RescueStatus::kNoCopy, "no-copy"},
                               {RescueStatus::kTooShort, "too-short"},
                               {RescueStatus::kLive, "live"},
                               {RescueStatus::kSignature, "signature"}});

struct RescuedPage {
  std::string url;
  RescueStatus status = RescueStatus::kNotFound;
  std::string found;      // where it is now
  double similarity = 0;  // of the page found, else of the best one seen
  std::vector<std::string> signature;  // highest tf * idf first
  uint32_t query_terms = 0;            // of the query that found it
  uint32_t rank = 0;                   // in the results of that query, from 1
  uint32_t queries = 0;                // asked
  uint32_t candidates = 0;             // looked at
  uint32_t sisters = 0;     // near-duplicates among them that were refused,
                            // because the old copies have another text for them
  std::string robust_link;  // the address with its signature

  static void Fields(auto& page, auto& field) {
    const auto if_found = [&](auto value) {
      return page.status == RescueStatus::kFound
                 ? std::optional(std::move(value))
                 : std::nullopt;
    };
    field("url", page.url);
    field("status", page.status);
    field.OrNull("found", if_found(page.found));
    field("similarity", page.similarity);
    field("signature", page.signature);
    field.OrNull("query_terms", if_found(page.query_terms));
    field.OrNull("rank", if_found(page.rank));
    field("queries", page.queries);
    field("candidates", page.candidates);
    field("sisters", page.sisters);
    field("robust_link", page.robust_link);
  }
};

struct RescueSummary {
  static constexpr bool kShowsAllRows = true;
  uint64_t pages = 0;
  std::array<uint64_t, kChoices<RescueStatus>.size()> by_status = {};
  uint64_t queries = 0, failed = 0, candidates = 0, sisters = 0;
  std::vector<std::string> warnings;
  ResultPage page;

  uint64_t of(RescueStatus status) const {
    return by_status[static_cast<size_t>(status)];
  }
};

// One row per page, in the order of `urls`, or of the copies. When an address
// has several copies, the latest counts; among equal dates, the last. The
// inputs are read twice. on_page, if there is one, returns false to stop.
// kUsage for options that make no sense, kUnavailable when the engine is down,
// kInterrupted when `stop` was set.
Result<RescueSummary> Rescue(
    const RescueOptions& options,
    const std::function<bool(const RescuedPage&)>& on_page);
Json RowJson(const RescuedPage& page);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_RESCUE_H_
