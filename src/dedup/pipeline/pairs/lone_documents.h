// Documents of which each is made ready by itself: what comes of one follows
// from the options and a secret alone, so it can be made anywhere and at any
// time. For the live index and for the stages of other engines.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LONE_DOCUMENTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LONE_DOCUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/keyed_hash.h"
#include "pipeline/read/ingest.h"
#include "pipeline/run/plan.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

// Immutable after Make; then thread-safe.
struct LoneDocuments {
  // Who asks, as a refusal names it ("an index"), and what to do instead.
  struct Asker {
    std::string name, way;
  };

  // kUsage for options that make no sense together; kUnsupported for a method
  // or a measure that needs all documents.
  static Result<LoneDocuments> Make(const ComparisonOptions& options,
                                    const HashKey& key, const Asker& asker);

  // Takes what is compared out of `document`. quarantine_reason says of every
  // document that cannot be compared why.
  Ingested Take(Document* document) const;
  // The sketches of a document that is not empty, and the keys by which it
  // becomes a candidate.
  Status Keys(const Ingested& made, std::vector<Sketch>* sketches,
              std::vector<uint64_t>* keys) const;
  // Why an engine that moves rows itself, and was asked for this, cannot put
  // them through its stages;
  // nullptr: it can.
  const char* WhyNotStaged(const ComparisonOptions& asked) const;
  // What the options come to.
  Json Parameters() const;

  ComparisonOptions options;
  Plan plan;
  MethodParts parts;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LONE_DOCUMENTS_H_
