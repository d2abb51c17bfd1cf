// Documents of files on their way into an index.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_ADDING_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_ADDING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "live/record_filter.h"
#include "twinset/index.h"
#include "twinset/index_files.h"

namespace twinset {

RejectedRecord RejectionOf(const Record& record, const std::string& source,
                           const std::string& reason,
                           const std::string& detail);
Progress ProgressOf(uint64_t documents);

// Batches of them, each acknowledged as a whole. One thread at a time. All that
// is handed in must outlive it.
class IndexAdding {
 public:
  IndexAdding(Index* index, const IndexFilesOptions& options,
              const IndexAnswerSink& on_answer, const RejectedSink& on_rejected,
              SideCounter* counter)
      : index_(*index),
        options_(options),
        on_answer_(on_answer),
        on_rejected_(on_rejected),
        counter_(*counter),
        filter_(options.input.digest) {}

  PassOptions Pass();

  Result<bool> Take(Record* record, const std::string& source);

  // Who writes to a pipe waits for the answers to what is there.
  Status Flush();

  IndexFilesSummary& summary() { return summary_; }

 private:
  struct Place {
    Record record;
    std::string source;
    std::string behind;  // what goes on of records behind it
  };

  Status AddBatch();

  void HandOn(std::string_view bytes) {
    if (!is_stopped_ && !bytes.empty())
      is_stopped_ = !options_.on_record(bytes);
  }

  Index& index_;
  const IndexFilesOptions& options_;
  const IndexAnswerSink& on_answer_;
  const RejectedSink& on_rejected_;
  SideCounter& counter_;
  RecordFilter filter_;
  std::vector<IndexInput> batch_;
  std::vector<Place> places_;
  std::string first_;  // what goes on of records in front of the batch
  uint64_t bytes_ = 0;
  bool is_stopped_ = false;
  IndexFilesSummary summary_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_ADDING_H_
