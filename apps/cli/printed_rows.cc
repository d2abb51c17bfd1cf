#include "printed_rows.h"

#include <fmt/format.h>

#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

Result<InputOptions> InputsOf(const Request& request) {
  if (request.operands.empty())
    return Fail(ErrorCode::kUsage, "no input is given", {},
                "a file, a folder, a quoted glob, or - for standard input");
  InputOptions input = request.options.input;
  input.inputs = request.operands;
  return input;
}

void Rejections::Add(const RejectedRecord& record) {
  if (!record.quarantined) {
    ++skipped_;
    return;
  }
  if (++quarantined_ <= kTold || strict_)
    Tell(command_, fmt::format("{} at {}: quarantined: {}{}{}", record.source,
                               RecordPlace(record.offset, record.is_table_row),
                               record.reason, record.detail.empty() ? "" : ": ",
                               record.detail));
}

int Rejections::Finish(uint64_t documents) const {
  TellQuarantined(command_, quarantined_);
  if (skipped_ > 0 && documents == 0 && !quiet_)
    Tell(command_,
         "no document: " + CountText(skipped_, "record") +
             " skipped (--status, --mime and --language say which records are "
             "documents)");
  const bool nothing_else = quarantined_ > 0 && documents == 0 && skipped_ == 0;
  return (strict_ && quarantined_ > 0) || nothing_else ? kExitFailed
                                                       : kExitDone;
}

}  // namespace twinset::cli
