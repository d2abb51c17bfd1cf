// Any bytes as labels of an assessor and as a sample to judge: refused, or
// sound; a sample that was read is written and read the same.
#include "assess/label_votes.h"
#include "evaluate/labels_file.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(labels) {
  using namespace twinset;  // NOLINT: the target's subject
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto file = ParseLabels(text, "l")) {
    for (size_t i = 0; i < file->labels.size(); ++i) {
      Require(file->labels[i].pair > 0);
      Require(i == 0 || file->labels[i - 1].pair < file->labels[i].pair);
    }
  }
  const auto sample = Assessment::Parse(text, "s");
  if (!sample) return 0;
  const auto again = Assessment::Parse(sample->Text(), "s");
  Require(again.has_value() && again->Text() == sample->Text());
  const auto table = TableOf(*sample, {});
  Require(table.has_value());
  ScoreQuestion(*sample, *table, {}, LabelQuestion::kContent);
  return 0;
}
