// A journal made of any bytes is refused or opened, and what was opened goes on
// working; lines with a good check reach the parser behind it.
#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "store/journal.h"
#include "target.h"

namespace {

// Gives each line of `text`, the text of an object, the check it needs.
std::string WithChecks(std::string_view text) {
  std::string result;
  uint64_t check = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    check = twinset::Hash64(line, check);
    result.append(line)
        .append(",\"check\":\"")
        .append(twinset::ToHex(check))
        .append("\"}\n");
  }
  return result;
}

}  // namespace

TWINSET_FUZZ_TARGET(journal) {
  twinset::FuzzInput input(data, size);
  const bool with_checks = input.Number(1) % 2 == 1;
  const std::string& folder = twinset::ScratchFolder();
  twinset::WriteScratch(
      folder + "/" + twinset::Journal::kFileName,
      with_checks ? WithChecks(input.Rest()) : std::string(input.Rest()));
  auto journal = twinset::Journal::Open(folder);
  if (!journal) return 0;
  for (const char* stage : {"read", "s", ""}) {
    (void)journal->IsDone(stage);
    (void)journal->StageState(stage);
    (void)journal->Verify(stage);
  }
  twinset::Require(journal->SaveProgress("read", "state").has_value());
  const auto again = twinset::Journal::Open(folder);
  twinset::Require(again.has_value());
  twinset::Require(again->begin() == journal->begin());
  twinset::Require(again->Progress("read") == "state");
  return 0;
}
