// The one door for sides of commands that hold nothing to use: what was looked
// for there was not looked for, so a result would be a lie
// (docs/formats/inputs.md).
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/read_outcome.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/sides.h"

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

// Counts what is read of several arguments in one pass, a side each. Sources
// tell them apart.
class SideCounter {
 public:
  // kIo when an argument cannot be listed.
  static Result<SideCounter> Make(std::string side,
                                  const std::vector<std::string>& arguments);

  void Document(const std::string& source, bool is_wordless);
  void Rejected(const RejectedRecord& record);
  const std::vector<SideRead>& sides() const { return sides_; }

 private:
  std::vector<SideRead> sides_;
  std::multimap<std::string, size_t, std::less<>> of_source_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_SIDE_CHECK_H_
