// The one door for sides of commands that hold nothing to use: what was looked
// for there was not looked for, so a result would be a lie
// (docs/formats/inputs.md).
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/read_outcome.h"
#include "read/input_list.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/results.h"

namespace twinset {

// kCorrupt where nothing of the side can be used: why, with the fields that its
// rows have. `remedy` is said when there were records.
Status CheckSide(const SideRead& side, const std::string& remedy = {});
// Behind a pass over a side, whose status is `read`: a field that no row has is
// told as what the side lacks.
Status CheckSideAfter(Status read, const SideRead& side,
                      const std::string& remedy = {});

// Gathers the inputs of one side that hold nothing to use, beside others that
// do.
class UnusableInputs {
 public:
  void Add(const SideRead& input);  // of any input
  // One for each of them; of many only for the first ones.
  std::vector<std::string> sentences() const;

  static void Fields(auto& unusable, auto& field) {
    field("sentences", unusable.sentences_);
    field("left_out", unusable.left_out_);
  }

 private:
  std::vector<std::string> sentences_;
  size_t left_out_ = 0;
};
// Its sentences for all inputs of a side.
std::vector<std::string> TellUnusable(std::span<const SideRead> inputs);

// kCorrupt: what is joined by ids has none in common. It shows one of each.
tl::unexpected<Error> NothingInCommon(std::string_view x, std::string_view x_id,
                                      std::string_view y,
                                      std::string_view y_id);

SideRead SideOf(std::string side, std::string input,
                const ReadOutcome& outcome);

// Counts a record that is no document.
void CountRejected(const RejectedRecord& record, SideRead* side);

// Counts what is read of several arguments in one pass, a side each. Sources
// tell them apart; where they come in input order, a record costs a comparison
// of two names.
class SideCounter {
 public:
  // kIo when an argument cannot be listed.
  static Result<SideCounter> Make(
      std::string side, const std::vector<std::string>& arguments,
      const std::vector<std::string>& networks = {});
  static Result<SideCounter> Make(std::string side, const InputOptions& input) {
    return Make(std::move(side), input.inputs, input.networks);
  }

  // Over the files that the arguments name.
  static SideCounter Over(const std::string& side,
                          const std::vector<std::string>& arguments,
                          InputList files);

  void Document(const std::string& source, bool is_wordless);
  void Rejected(const RejectedRecord& record);
  // Several records of a source that were counted before, without reasons().
  void Add(const std::string& source, const SideRead& counted);
  // Counts records that are no documents on their way to `next` (may be empty).
  std::function<void(const RejectedRecord&)> Counting(
      std::function<void(const RejectedRecord&)> next);
  const std::vector<SideRead>& sides() const { return sides_; }
  // What was listed, for the pass that is counted.
  const InputList& files() const { return files_; }
  // Quarantined records by reason, and all of them.
  const std::map<std::string, uint64_t>& reasons() const { return reasons_; }
  uint64_t quarantined() const;
  // All arguments as one side of that name.
  SideRead Whole(std::string side) const;
  // Names the arguments that hold nothing to use, where another one does, and
  // says where inputs end inside a record.
  std::vector<std::string> Warnings() const;

 private:
  SideRead* Find(const std::string& source);

  InputList files_;
  std::vector<SideRead> sides_;
  std::map<std::string, uint64_t> reasons_;
  size_t file_ = 0, side_ = 0;  // of the last record
  std::string source_;          // of file_
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_
