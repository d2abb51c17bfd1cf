// A pass over the training data that an interrupted run does not lose.
#ifndef TWINSET_SRC_CORPORA_LEAK_TRAINING_PASS_H_
#define TWINSET_SRC_CORPORA_LEAK_TRAINING_PASS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/file.h"
#include "documents/document_pass.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {

// Where a pass stands: in front of which record, and how much of its rows
// belongs to those before it.
struct TrainingPlace {
  uint64_t source = 0, records = 0;
  uint64_t documents = 0;  // all before it
  uint64_t bytes = 0, hash = 0;

  static void Fields(auto& place, auto& field) {
    field("source", place.source);
    field("records", place.records);
    field("documents", place.documents);
    field("bytes", place.bytes);
    field("hash", place.hash);
  }
};

// Who goes through the training data. Calls come in the order of the records;
// an error ends the pass.
struct TrainingVisitor {
  std::function<Status(const DocumentText&, uint64_t source)> on_document;
  std::function<Status(const RejectedRecord&, uint64_t source)> on_rejected =
      {};
  // Adds the rows of what was only counted since the last call, of one source.
  std::function<Status(uint64_t source)> settle = {};
};

// What a visitor finds is rows of a file in the work folder. `take` gets each
// of them once and in order, whether it is found now or was by an earlier run:
// so both come to the same. The journal knows how far the rows are: a run that
// goes on behind a kill begins at the last checkpoint, behind a signal or a
// lost helper where it ended. Not thread-safe.
class TrainingPass {
 public:
  using Take = std::function<Status(const Json& row)>;

  // `stage`: its name, and that of the rows.
  TrainingPass(Run* run, const FeatureOptions& features, std::string stage,
               Take take)
      : run_(run),
        features_(features),
        stage_(std::move(stage)),
        take_(std::move(take)) {}

  Status Do(const TrainingVisitor& visitor);
  // For the visitor.
  Status Add(const Json& row);

 private:
  std::string PathOfRows() const { return run_->Path(stage_ + ".jsonl"); }
  Status TakeRows(const std::string& path);
  Status Open();
  Status Read(const TrainingVisitor& visitor);
  Status ReadRecords(const TrainingVisitor& visitor);
  Status Settle(const TrainingVisitor& visitor);
  Status Passed(bool is_document, const TrainingVisitor& visitor);
  Status Keep(const TrainingVisitor& visitor);
  void Tell(bool resumed) const;

  Run* run_;
  const FeatureOptions& features_;
  const std::string stage_;
  const Take take_;
  TrainingPlace place_;
  OutputFile rows_;
  // The rows are those of the records before place_, and no others.
  bool is_whole_ = true;
  std::chrono::steady_clock::time_point kept_ =
      std::chrono::steady_clock::now();
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_TRAINING_PASS_H_
