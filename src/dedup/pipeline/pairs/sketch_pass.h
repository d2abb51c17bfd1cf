// One pass over the first documents of all classes: their views and sketches,
// in input order.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_SKETCH_PASS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_SKETCH_PASS_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

struct SketchedDocument {
  uint64_t document = 0, rank = 0, size = 0;
  Hash128Value within, across;
  Hash128Value fingerprint;
  // View 0; empty where the read stage has made the sketches. Valid while the
  // document is worked on and passed; 8-byte aligned, as the next.
  std::string_view features;
  std::string_view views;  // the others, or the sketches, as stored
  std::vector<Sketch> sketches;
  std::vector<uint64_t> keys;      // of the generator
  std::vector<uint64_t> prepared;  // what a join of the collection made of it
};

// The documents of a pass.
struct SketchFiles {
  BlobReader documents;
  std::optional<BlobReader> features;  // where these are sketched
  std::optional<BlobReader> views;     // where these, or sketches, are used
  // Without them every document is one of a class of its own, of rank 0.
  std::optional<RunReader<uint64_t>> ranks = {};
  std::optional<RunReader<CopyByDocument>> copies = {};
  // The scope of all documents, whatever they say.
  std::optional<Hash128Value> within = {};
};

// Opens what a pass of the run's method reads. `open` gives the file of
// "documents", "features" or "views"; without it they are the work files.
Result<SketchFiles> OpenSketchFiles(
    const Run& run,
    const std::function<Result<BlobReader>(const char* what)>& open);
Result<SketchFiles> OpenSketchFiles(const Run& run);

// What is done with each document on all threads.
using SketchWork = std::function<Status(SketchedDocument*)>;
// Fills in the sketches, or these and the generator's keys.
SketchWork MakeSketches(const Run& run);
SketchWork MakeKeys(const Run& run);

// `work` on all threads; `sink` gets the documents in input order, one thread
// at a time, and may consume them. `more_bytes`: of memory that `work` adds for
// each byte that is stored of a document.
Status ForEachSketched(Run* run, const SketchWork& work,
                       const std::function<Status(SketchedDocument*)>& sink,
                       uint64_t more_bytes = 0);
// The same over other files.
Status ForEachSketchedOf(Run* run, SketchFiles files, const SketchWork& work,
                         const std::function<Status(SketchedDocument*)>& sink,
                         uint64_t more_bytes = 0);

// A key that documents of equal features share, whether they have a sketch or
// not.
inline uint64_t EqualityKey(const Hash128Value& fingerprint) {
  return Mix64(fingerprint.low) ^ fingerprint.high;
}

// The sketches of a document by what is stored of it: view 0, and the other
// views or the sketches themselves. `asked`: of the first side of a match.
Status StoredSketches(const Plan& plan, const MethodParts& parts,
                      std::string_view features, std::string_view views,
                      std::vector<Sketch>* sketches, bool asked = false);
Status StoredSketches(const Run& run, std::string_view features,
                      std::string_view views, std::vector<Sketch>* sketches,
                      bool asked = false);

// Calls `body` with the stored sketches of each pair, in order. `next` gives
// the pairs, sorted; false at the end.
Status ForEachSketchPair(
    Run* run, const std::function<Result<bool>(CandidatePair*)>& next,
    const std::function<Status(const CandidatePair&,
                               std::span<const SketchView>,
                               std::span<const SketchView>)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_SKETCH_PASS_H_
