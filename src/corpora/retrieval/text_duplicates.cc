#include "retrieval/text_duplicates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/json_text.h"
#include "base/machine.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"
#include "documents/side_check.h"
#include "retrieval/engine_runs.h"
#include "store/scratch_folder.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

// Writes a row for each ranked document whose text stands in the collection.
class RankedTexts {
 public:
  RankedTexts(const IdTable& ids, const std::string& path)
      : ids_(ids), found_(ids.size()), path_(path) {}

  Status Write(const RunsOptions& options) {
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path_));
    TWINSET_ASSIGN(const auto extractor, MakeExtractor(options.features));
    TWINSET_ASSIGN(SideCounter counter,
                   SideCounter::Make("texts", options.texts));
    Status status;
    ReadOutcome outcome;
    const Status read = ForEachText(
        options.texts, options.features, {},
        [&](const DocumentText& document) {
          if (!status) return false;
          const bool is_wordless = !extractor->HasToken(document.text);
          ++outcome.records;
          ++outcome.documents;
          outcome.wordless += is_wordless;
          counter.Document(document.source, is_wordless);
          if (first_id_.empty()) first_id_ = document.id;
          if (options.stop != nullptr && *options.stop) {
            status =
                Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
          } else if (const auto number = NumberOf(document)) {
            wordless_ += is_wordless;
            status = file.Write(RowOf(*number, document.text));
          }
          return status.has_value();
        },
        outcome.Counting([&](const RejectedRecord& record) {
          counter.Rejected(record);
          if (!record.quarantined) return;
          ++quarantined_;
          if (options.strict && status) status = tl::unexpected(Bad(record));
        }));
    TWINSET_TRY(status);
    TWINSET_TRY(CheckSideAfter(read, SideOf("texts", "", outcome),
                               "--text-field names the field of the text"));
    sides_ = counter.sides();
    return file.Commit();
  }
  // kCorrupt when no ranked document has a text with a word.
  Status Check() const {
    if (written_ == 0)
      return NothingInCommon("the runs", ids_.size() == 0 ? "" : ids_[0],
                             "the texts", first_id_);
    SideRead ranked;
    ranked.side = "what the runs rank of the texts";
    ranked.used = ranked.records = written_;
    ranked.wordless = wordless_;
    return CheckSide(ranked);
  }
  uint64_t written() const { return written_; }
  const std::vector<SideRead>& sides() const { return sides_; }
  uint64_t quarantined() const { return quarantined_; }

 private:
  static Error Bad(const RejectedRecord& record) {
    return {ErrorCode::kCorrupt,
            "record " + std::to_string(record.ordinal) +
                " of the texts is quarantined (" + record.reason + ")",
            record.source, "repair it, or leave --strict out"};
  }

  // The number of a ranked document that comes for the first time.
  std::optional<uint32_t> NumberOf(const DocumentText& document) {
    auto number = ids_.Find(DocumentName(names_.NameOf(document.id)));
    if (!number && !document.url.empty())
      number = ids_.Find(DocumentName(document.url));
    if (!number || found_[*number]) return {};
    found_[*number] = true;
    return number;
  }

  std::string RowOf(uint32_t number, const std::string& text) {
    ++written_;
    JsonRow row;
    row.Text("id", ids_[number]).Text("text", text);
    return row.Take() + "\n";
  }

  const IdTable& ids_;
  std::vector<bool> found_;
  std::string path_;
  IdNumbering names_;
  uint64_t written_ = 0, wordless_ = 0, quarantined_ = 0;
  std::string first_id_;  // of the texts, for messages
  std::vector<SideRead> sides_;
};

DedupOptions JoinOptions(const RunsOptions& options, const std::string& texts,
                         const std::string& out) {
  DedupOptions join;
  join.input.inputs = {texts};
  join.input.format = InputFormat::kJsonl;
  // A text as long as a document may be, with its escapes, or as long as memory
  // allows.
  join.input.max_document_bytes =
      std::min(8 * options.texts.max_document_bytes,
               MemoryOr(options.resources.memory_bytes) / 8);
  join.features.tokens = options.features.tokens;
  join.features.shingle = options.features.shingle;
  join.method.name = "complete";
  join.method.threshold = options.evaluation.least_similarity > 0
                              ? options.evaluation.least_similarity
                              : kTextDuplicate;
  join.action = Action::kReport;
  join.pairs = ListedPairs::kAll;
  join.resources = options.resources;
  join.resources.tmp.clear();
  join.out = out;
  join.on_progress = options.on_progress;
  join.stop = options.stop;
  return join;
}

}  // namespace

Result<DuplicateList> FindTextDuplicates(const RunsOptions& options,
                                         IdTable* ids,
                                         RunsCollapseResult* result) {
  TWINSET_TRY(RefuseReadOnce(options.texts.inputs));
  TWINSET_ASSIGN(const ScratchFolder work,
                 ScratchFolder::Below(options.resources.tmp, ".twinset-runs-"));
  RankedTexts texts(*ids, work / "texts.jsonl");
  TWINSET_TRY(texts.Write(options));
  RankedTextCounts& found = result->texts.emplace();
  found.ranked = ids->size();
  found.with_text = texts.written();
  found.quarantined = texts.quarantined();
  found.sides = texts.sides();
  TWINSET_TRY(texts.Check());
  result->warnings = TellUnusable(found.sides);
  if (found.quarantined > 0)
    result->warnings.push_back(CountText(
        found.quarantined, "record of the texts cannot be read and stays",
        "records of the texts cannot be read and stay"));
  if (found.with_text < found.ranked)
    result->warnings.push_back(std::to_string(found.ranked - found.with_text) +
                               " of " + std::to_string(found.ranked) +
                               " ranked documents have no text; they stay");
  const DedupOptions join =
      JoinOptions(options, work / "texts.jsonl", work / "pairs");
  TWINSET_ASSIGN(const RunSummary run, Dedup(join));
  if (run.quarantined > 0)
    result->warnings.push_back(
        std::to_string(run.quarantined) +
        " texts are too long to be compared in this memory; they stay");
  DuplicateList list;
  TWINSET_TRY(ReadDuplicates(join.out + "/pairs.jsonl", {}, ids,
                             &result->duplicates, &list));
  found.pairs = list.links.size();
  return list;
}

}  // namespace twinset
