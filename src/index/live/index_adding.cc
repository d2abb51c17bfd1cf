#include "live/index_adding.h"

#include <utility>

#include "base/stop.h"
#include "pipeline/read/ingest.h"

namespace twinset {

namespace {

constexpr uint64_t kBatchBytes = 64 << 20;

}  // namespace

RejectedRecord RejectionOf(const Record& record, const std::string& source,
                           const std::string& reason,
                           const std::string& detail) {
  return Reject(record, source, "text", reason, detail, true);
}

Progress ProgressOf(uint64_t documents) {
  Progress progress;
  progress.stage = "index";
  progress.done = documents;
  return progress;
}

PassOptions IndexAdding::Pass() {
  PassOptions pass;
  if (!options_.tag_field.empty()) pass.fields = {options_.tag_field};
  pass.keep_stored = true;
  if (!options_.on_record) return pass;
  pass.keep_raw = true;
  pass.on_source = [this](const std::string& source, InputFormat format) {
    return filter_.BeginSource(source, format);
  };
  pass.on_other = [this](const Record& record) -> Status {
    const std::string passed = filter_.OfOther(record);
    bytes_ += passed.size();
    (places_.empty() ? first_ : places_.back().behind) += passed;
    return bytes_ < kBatchBytes ? Status() : Flush();
  };
  return pass;
}

Result<bool> IndexAdding::Take(Record* record, const std::string& source) {
  // What nobody gets any more is not added.
  if (is_stopped_) return false;
  if (options_.on_record) TWINSET_TRY(filter_.Prepare(record));
  IndexInput& input = batch_.emplace_back();
  Place& place = places_.emplace_back();
  place.source = source;
  std::string payload = std::move(record->document.payload);
  input.is_stored = record->is_stored;
  input.stored = std::move(record->stored);
  input.document = record->document;
  input.document.payload = std::move(payload);
  place.record = std::move(*record);  // without what is large
  if (place.record.original_id.empty() &&
      input.document.id == DefaultId(source, input.document.provenance.ordinal))
    input.document.id.clear();
  input.tag = options_.tag;
  if (!options_.tag_field.empty() && !input.document.fields.empty() &&
      !input.document.fields[0].second.empty())
    input.tag = input.document.fields[0].second;
  bytes_ += input.document.payload.size() + input.stored.size() +
            place.record.raw.size();
  if (batch_.size() < options_.batch && bytes_ < kBatchBytes) return true;
  TWINSET_TRY(Flush());
  TWINSET_TRY(CheckStop(options_.stop));
  return !is_stopped_;
}

Status IndexAdding::Flush() {
  if (batch_.empty() && first_.empty()) return {};
  HandOn(std::exchange(first_, {}));
  if (!batch_.empty()) TWINSET_TRY(AddBatch());
  bytes_ = 0;
  if (options_.on_progress)
    options_.on_progress(ProgressOf(summary_.documents));
  return {};
}

Status IndexAdding::AddBatch() {
  auto answers = index_.CheckAndAdd(std::exchange(batch_, {}), options_.add);
  const auto places = std::exchange(places_, {});
  if (!answers) return tl::unexpected(answers.error());
  for (size_t i = 0; i < answers->size(); ++i) {
    const IndexAnswer& answer = (*answers)[i];
    if (options_.on_record && answer.rejected.empty())
      HandOn(filter_.OfDocument(places[i].record, answer));
    HandOn(places[i].behind);
    if (!answer.rejected.empty()) {
      on_rejected_(RejectionOf(places[i].record, places[i].source,
                               answer.rejected, answer.detail));
      continue;
    }
    counter_.Document(places[i].source, answer.is_empty);
    summary_.Count(answer);
    if (!is_stopped_ && on_answer_) is_stopped_ = !on_answer_(answer);
  }
  return {};
}

}  // namespace twinset
