// Finds hosts and folders that mirror each other, from a finished run of dedup
// (docs/methods/mirrors.md).
#ifndef TWINSET_CORPORA_MIRRORS_H_
#define TWINSET_CORPORA_MIRRORS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// `input` says how the inputs of the run are read again, for the addresses of
// documents in no cluster; no inputs: where they were. If inputs cannot be
// read, only documents in clusters are known, and a warning says so.
struct MirrorsOptions : JobOptions {
  std::string run;           // result folder of Dedup
  uint64_t least_pages = 3;  // parallel duplicates of a mirror
  double share = 0.5;        // least share of them among the parallel pages
  double overlap = 0.5;  // least share of parallel pages on the smaller side
  std::string dead;      // file of addresses that are gone; empty: none
};

// Pages below `a` and `b` with the same rest of the address are parallel.
struct Mirror {
  std::string a, b;  // hosts, or hosts with the first segments of a path
  uint64_t pages_a = 0, pages_b = 0;
  uint64_t parallel = 0, duplicates = 0;  // of these in one cluster
  double share = 0, low = 0, high = 1;    // duplicates / parallel, by Wilson

  static void Fields(auto& mirror, auto& field) {
    field("a", mirror.a);
    field("b", mirror.b);
    field("pages_a", mirror.pages_a);
    field("pages_b", mirror.pages_b);
    field("parallel", mirror.parallel);
    field("duplicates", mirror.duplicates);
    field.Rounded("share", mirror.share, 6);
    field.Column("duplicate_share", Share{mirror.duplicates, mirror.parallel});
    field.Rounded("low", mirror.low, 6);
    field.Rounded("high", mirror.high, 6);
  }
};

// Where the content of a dead address still is.
struct Alternative {
  std::string url;  // as the run has it; the id of a document without one
  std::string by;   // "duplicate": in one cluster; "mirror": the parallel page
  // For a duplicate, its similarity to the dead page, or the least that this
  // can be; for a mirror, the lower end of its share. 1 only if a similarity of
  // 1 was measured (docs/methods/mirrors.md).
  double confidence = 0;

  static void Fields(auto& one, auto& field) {
    field("url", one.url);
    field("by", one.by);
    field.Rounded("confidence", one.confidence, 6);
  }
};
struct DeadPage {
  std::string url;
  std::vector<Alternative> alternatives;  // the best first

  static void Fields(auto& page, auto& field) {
    field("url", page.url);
    field("alternatives", page.alternatives);
  }
};

// What became of the addresses that are gone.
struct DeadCounts {
  uint64_t addresses = 0, with_alternative = 0;
  uint64_t bad_lines = 0;  // of the file: no addresses

  static void Fields(auto& counts, auto& field) {
    field("addresses", counts.addresses);
    field("with_alternative", counts.with_alternative);
    field("bad_lines", counts.bad_lines);
  }
};

// What decided the result.
struct MirrorParameters {
  uint64_t least_pages = 0;
  double share = 0, overlap = 0;

  static void Fields(auto& parameters, auto& field) {
    field("least_pages", parameters.least_pages);
    field("share", parameters.share);
    field("overlap", parameters.overlap);
  }
};

struct MirrorsResult {
  uint64_t documents = 0, clustered = 0, clusters = 0;
  uint64_t cut_clusters = 0;    // too large to look at all their pairs
  uint64_t mirrored = 0;        // documents with a mirror degree above 0
  std::vector<Mirror> mirrors;  // by duplicates descending, then a, b
  std::vector<DeadPage> dead;   // in the order of the file
  std::optional<DeadCounts> dead_counts;  // nothing without such a file
  std::vector<SideRead> sides;            // the run, the dead addresses
  std::vector<std::string> warnings;
  MirrorParameters parameters;
  std::string run;  // the folder
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", std::string(kVersion));
    field("documents", result.documents);
    field("clustered", result.clustered);
    field("clusters", result.clusters);
    field("cut_clusters", result.cut_clusters);
    field.Derived("mirrors", result.mirrors.size());
    field("mirrored", result.mirrored);
    field.Derived("sides", SidesJson(result.sides));
    field("dead", result.dead_counts);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
    field.Derived("run", Json({{"folder", NameText(result.run)}}));
  }
};

// Errors: kUsage for bad options and for a folder that holds no finished run,
// kIo, kCorrupt, kMemory when the addresses do not fit, kInterrupted.
Result<MirrorsResult> FindMirrors(const MirrorsOptions& options);

// One line of mirrors.jsonl.
Json MirrorJson(const Mirror& mirror);
// What summary.json holds.
Json SummaryJson(const MirrorsResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_MIRRORS_H_
