// Texts of a few documents of a finished run, read again from its inputs.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXTS_AGAIN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXTS_AGAIN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pipeline/report/text_window.h"
#include "pipeline/run/plan_options.h"
#include "read/reader.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/progress.h"

namespace twinset {

struct TextAgain {
  bool is_found = false;
  std::string id, title, url;
  std::string text;  // its first kMostBytes
  bool is_whole = false;
  std::vector<TextWindow> windows;  // `begin` and `end` as asked for
  DocumentText document;            // with KeepDocuments

  static constexpr size_t kMostBytes = 128 << 10;
};

// How a run read its inputs.
struct RunReading {
  PlanOptions options;       // input.inputs: files, folders, patterns
  ReadOptions read_against;  // of the second side
  uint64_t first_side = 0;   // files of the first; 0: there is one side
  uint64_t records = 0;      // in all of them
  // How the run names its files, where that is known otherwise than by listing
  // them: a saved run among them has names of its own.
  std::vector<std::string> names;
  ProgressSink on_progress;
};

class TextStage;

// Not thread-safe. Memory: kMostBytes for each document, and what one record
// takes.
class TextsAgain {
 public:
  // A document by its place, or by its side and id; asking twice gives the same
  // number. With `id` as the run names it: a document of another id there is
  // not the one that is meant.
  size_t WantAt(const std::string& source, uint64_t ordinal,
                const std::string& id);
  size_t WantId(int side, const std::string& id);
  // Also what surrounds characters [begin, end), of which the first `head` are
  // kept at least; the number of the window.
  size_t WantWindow(size_t document, uint64_t begin, uint64_t end,
                    uint64_t head = TextWindow::kHead);

  // Also keeps each document whole, with layout, other text and payload. Before
  // Read.
  void KeepDocuments() { keeps_documents_ = true; }

  // Goes through the inputs until all are found; where all have places, only
  // through inputs that hold one, and over records in front of it. An input
  // that cannot be read ends it; what was found until then stays.
  Status Read(const RunReading& reading);

  const TextAgain& operator[](size_t document) const {
    return texts_[document];
  }
  size_t size() const { return texts_.size(); }
  size_t missing() const;
  // What Read went through of the inputs, as stored.
  uint64_t bytes_read() const { return bytes_read_; }

 private:
  size_t Number(const std::string& key, const std::string& id);
  Status ReadFile(const std::string& source, bool is_second,
                  const TextStage& stage, RecordReader* reader,
                  const std::function<void()>& tell);
  void Take(const TextStage& stage, const std::string& source, bool is_second,
            Record* record);
  // The first place of `source` from `ordinal` on that is asked for;
  // UINT64_MAX: there is none. 0 where anything may be.
  uint64_t NextPlace(const std::string& source, uint64_t ordinal) const;

  std::map<std::string, size_t> numbers_;
  std::map<std::string, std::set<uint64_t>> places_;  // ordinals by source
  bool has_ids_ = false;  // some document may stand anywhere
  size_t open_ = 0;       // to be found
  uint64_t bytes_read_ = 0;
  std::vector<TextAgain> texts_;
  bool keeps_documents_ = false;
};

// A record of the inputs of a run: which file in their order, which of that.
struct InputPlace {
  uint32_t file = 0;
  uint64_t ordinal = 0;
};

// Calls `body` with every document of the run from a place on, until it returns
// false. An input that cannot be read ends it.
Status ForEachTextAgain(
    const RunReading& reading, InputPlace from,
    const std::function<bool(InputPlace, const DocumentText&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXTS_AGAIN_H_
