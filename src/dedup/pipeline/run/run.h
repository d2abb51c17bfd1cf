// One run: the plan, its budget and journal, and what the stages counted. The
// stages of `dedup` are functions over it, called in order; each leaves files
// in the work folder and is skipped on resume when its files are there.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/for_each.h"
#include "base/memory_budget.h"
#include "base/sort_records.h"
#include "core/values.h"
#include "documents/document_info.h"
#include "pipeline/run/counts.h"
#include "pipeline/run/meter.h"
#include "pipeline/run/plan.h"
#include "store/blob_file.h"
#include "store/external_sort.h"
#include "store/journal.h"
#include "store/paged_array.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {

// Bytes of the inputs: as stored, and decoded.
struct InputBytes {
  uint64_t consumed = 0, decoded = 0;
  static void Fields(auto& bytes, auto& field) {
    field("consumed", bytes.consumed);
    field("decoded", bytes.decoded);
  }
};

struct Run {
  Run(Plan p, Journal j)
      : plan(std::move(p)),
        budget(plan.machine.memory_bytes),
        inputs_memory(budget.ReserveUpTo(plan.inputs.files.bytes(),
                                         plan.inputs.files.bytes())),
        journal(std::move(j)) {}

  const Plan plan;
  MemoryBudget budget;
  const Reservation inputs_memory;  // of the list of inputs
  Journal journal;
  MethodParts parts;
  Reservation parts_memory;  // of what they learnt
  RunCounts counts;
  std::vector<std::string> warnings;
  std::map<std::string, double> stage_seconds;
  InputPasses passes;
  uint64_t input_bytes = 0;  // compressed, as far as known
  // When an input was last changed, before it was read; 0: not known.
  int64_t newest_input_ns = 0;
  // What this process has read, when the read stage is done.
  InputBytes read_bytes;
  std::array<uint64_t, 2> consumed_by_side{};
  bool sample_is_whole = true;   // false: Plan::sample_bytes left something out
  uint64_t compared_pairs = 0;   // by VerifyPairs, in this process
  uint64_t joined_postings = 0;  // that a join held at once, in this process

  std::string stage, step;  // what is done just now, for Report
  std::string saved;  // folder of the saved run that is decided again, or empty

  // Documents as the read stage left them (the template and the prune stage may
  // have replaced the files).
  std::string documents_file = "documents.blob";
  std::string features_file = "features.blob";
  std::string views_file = "views.blob";
  std::string texts_file = "clean-texts.blob";         // with --verify text
  std::string judged_file = "texts-and-layouts.blob";  // with --kinds
  std::string pages_file = "pages.blob";  // pages that waited for their site
  // What the template stage left, before --max-df; of the same documents.
  std::string unpruned_file = "features-template.blob";
  // Sketches by document: made by the read stage or by the candidate stage.
  std::string sketches_file() const {
    return plan.features.sketching ? views_file : "sketches.blob";
  }

  // Work files of which the blobs stand in the shards of a merge.
  std::map<std::string, std::shared_ptr<const BlobSplice>> splices;
  Reservation pieces_memory;  // of their tables

  // Those that stand in the work files.
  uint64_t documents() const {
    if (plan.inputs.asked() == nullptr) return counts.read.documents;
    return counts.read.sides[0].outcome.documents +
           (counts.asked ? counts.asked->taken : 0);
  }
  // In the journal beside what a stage counted: what it had to tell, for a run
  // that goes on behind it.
  static constexpr char kStageWarnings[] = "warnings";
  void TakeWarnings(const Json& state);
  // Enters the stage into the journal with what it counted.
  template <typename Counts>
  Status FinishStage(const std::string& name,
                     const std::vector<std::string>& files,
                     const Counts& of_stage) {
    return journal.FinishStage(name, files, FieldsToJson(of_stage).dump());
  }

  std::string Path(const std::string& name) const {
    return plan.machine.WorkPath(name);
  }
  // Where the file is read: in the saved run, while this run has none of its
  // own. The saved run is never written.
  std::string PathToRead(const std::string& name) const {
    const std::string own = Path(name);
    return saved.empty() || FileExists(own) ? own : saved + "/" + name;
  }
  uint64_t HashOf(const std::string& name) const {
    return plan.hashes.Of(name);
  }
  // Share of the budget that one of `users` simultaneous users may take.
  uint64_t Share(uint64_t users) const {
    return plan.machine.memory_bytes / users;
  }
  ExternalSortOptions SortOptions(const std::string& name,
                                  uint64_t users) const;

  // The error for a journal whose counts are not those of this run.
  tl::unexpected<Error> WrongJournal() const;
  // kInterrupted when a signal asked for a stop.
  Status CheckStop() const;
  // Tells how far the step is; `progress` without its names. From any thread.
  void Report(std::string_view unit, uint64_t done, uint64_t total) const;
  void Report(Progress progress) const;

 private:
  mutable std::mutex telling_;
};

// Work files by name, under the hash of the stage that makes them.
Result<BlobReader> OpenBlob(const Run& run, const std::string& name);
inline Result<BlobWriter> CreateBlob(const Run& run, const std::string& name) {
  return BlobWriter::Create(run.Path(name), run.HashOf(name));
}
template <typename T>
Result<RunReader<T>> OpenRun(const Run& run, const std::string& name) {
  return RunReader<T>::Open(run.PathToRead(name), run.HashOf(name));
}
template <typename T>
Result<RunWriter<T>> CreateRun(const Run& run, const std::string& name) {
  return RunWriter<T>::Create(run.Path(name), run.HashOf(name));
}

// Calls `body` for every document in input order, on one thread at a time.
// `is_told`: how far it is, which goes without saying beside other work.
Status ForEachDocument(
    const Run& run,
    const std::function<Status(uint64_t, const DocumentInfo&)>& body,
    bool is_told = true);

// Calls `body` for every record of a run file, in order.
template <typename T>
Status ForEachRecord(const Run& run, const std::string& name,
                     const std::function<Status(const T&)>& body) {
  TWINSET_ASSIGN(auto reader, OpenRun<T>(run, name));
  Meter meter(run, "records", reader.count());
  return ForEach<T>(&reader, [&](const T& record) {
    meter.Add();
    return body(record);
  });
}

// Writes what is left in a sorter to run file `name`; calls `each` on every
// record.
template <typename T>
Status WriteRun(const Run& run, const std::string& name,
                ExternalSorter<T>* sorter,
                const std::function<void(const T&)>& each = {}) {
  TWINSET_ASSIGN(auto writer, CreateRun<T>(run, name));
  TWINSET_TRY(sorter->Finish());
  Meter meter(run, "records", sorter->added());
  TWINSET_TRY(ForEach<T>(sorter, [&](const T& record) {
    meter.Add();
    if (each) each(record);
    return writer.Append(record);
  }));
  return writer.Finish();
}

// A document that is not the first of its class.
struct Copy {
  uint64_t leader = 0;  // the class's first document by priority
  uint64_t rank = 0;    // of the copy
  uint64_t document = 0;
  std::array<uint64_t, 2> SortWords() const { return {leader, rank}; }
};

// The same, by document: who is not sketched, and for whom its leader stands.
struct CopyByDocument {
  uint64_t document = 0, leader = 0;
  std::array<uint64_t, 1> SortWords() const { return {document}; }
};

// A repeated id: the document is called id#number.
struct Rename {
  uint64_t document = 0, number = 0;
  std::array<uint64_t, 1> SortWords() const { return {document}; }
};

// The stages, in order. Each fills its member of run->counts.
Status ReadStage(Run* run);       // documents.blob features.blob views.blob
                                  // quarantine.blob revisits.blob pages.blob
Status TemplateStage(Run* run);   // documents-template.blob ...; nothing where
                                  // no page waits
Status PruneStage(Run* run);      // --max-df: documents-pruned.blob
                                  // features-pruned.blob common.run
Status PrepareStage(Run* run);    // model.bin; makes run->parts
Status OrderStage(Run* run);      // ranks.run renames.run ids.blob copies.run
                                  // copies-by-document.run
Status CandidateStage(Run* run);  // candidates.run; hot.run: elements of which
                                  // later stages find the pairs
Status VerifyStage(Run* run);     // verified.run
Status ClusterStage(Run* run);    // memberships.run (by document)
Status ListStage(Run* run);       // listed.run, where clusters decide on pairs
Status ResultStage(Run* run);     // the result folder but summary.json
Status WriteStage(Run* run);      // --write

// Makes later stages read what the prune stage left (run->counts.prune), and
// the template stage, after one that left something.
void UsePruned(Run* run);
void UseTemplate(Run* run);

// Loads rank by document number.
Result<PagedArray<uint64_t>> LoadRanks(Run* run, uint64_t memory_bytes);

// Exact scores of sorted pairs, in batches that fit the budget: calls `body`
// for every pair in order with the verifier's verdict. `pairs`: how many, for
// progress; 0: it is not told. `only_accepted`: scores of pairs that are not
// accepted do not count, so that comparing them may stop early.
Status VerifyPairs(Run* run, uint64_t pairs,
                   const std::function<Result<bool>(CandidatePair*)>& next,
                   const std::function<Status(const CandidatePair&,
                                              const Verifier::Verdict&)>& body,
                   bool only_accepted = false);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_H_
