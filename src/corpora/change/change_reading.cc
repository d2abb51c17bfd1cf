#include "change/change_reading.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "change/change_examples.h"
#include "documents/document_options.h"
#include "documents/pass_progress.h"
#include "documents/priority.h"
#include "documents/side_check.h"
#include "mirrors/mirror_index.h"
#include "sketch/minhash_family.h"
#include "sketch/simhash.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr int kSimHashBits = 64;
constexpr uint64_t kSuperShingleSeed = 1;

std::string_view BytesOf(const std::vector<uint64_t>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(uint64_t)};
}

// The date of a record, which may be the newest of its snapshot.
int64_t DateOf(const std::string& text, int64_t* newest) {
  const int64_t date = ParseDate(text);
  if (date != kNoDate && (*newest == kNoDate || date > *newest)) *newest = date;
  return date;
}

}  // namespace

Result<ChangeReading> ChangeReading::Make(const ChangeOptions& options,
                                          Sinks sinks) {
  ChangeReading reading(options, sinks);
  // Pages are equal by the secret, their sketches are those of the spec.
  TWINSET_ASSIGN(const HashKey key, DrawHashKey());
  TWINSET_ASSIGN(reading.extractor_,
                 MakeSecretExtractor(options.features, key));
  TWINSET_ASSIGN(reading.simhash_, MakeSimHashSketcher(kSimHashBits));
  TWINSET_ASSIGN(
      reading.super_shingles_,
      MakeSuperShingleSketcher({.groups = static_cast<int>(kSuperShingles)},
                               kSuperShingleSeed));
  return reading;
}

Status ChangeReading::Read(uint32_t snapshot, int64_t* newest,
                           ChangeResult* result) {
  *newest = kNoDate;
  InputOptions input = options_.input;
  input.inputs = {options_.snapshots[snapshot]};
  TextDetails details;
  details.facts = true;
  Status status;
  bool stopped = false;
  ReadOutcome outcome;
  std::map<std::string, uint64_t> reasons;  // of quarantined records
  const uint64_t redirects = result->redirects;
  PassProgress progress(options_.on_progress, "read",
                        "snapshot " + std::to_string(snapshot + 1), "pages");
  const Status read = ForEachText(
      input, options_.features, details,
      [&](const DocumentText& text) {
        stopped = options_.stop != nullptr && *options_.stop;
        if (stopped || !status) return false;
        status = Take(text, snapshot, newest);
        ++result->captures;
        ++outcome.documents;
        progress.Add();
        return status.has_value();
      },
      outcome.Counting([&](const RejectedRecord& record) {
        if (record.quarantined) ++reasons[record.reason];
        if (status) status = Reject(record, snapshot, newest, result);
        outcome.documents += record.is_revisit;
        outcome.records -= record.is_revisit;
      }));
  if (stopped)
    return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
  TWINSET_TRY(status);
  outcome.records += outcome.documents;
  SideRead side = SideOf("snapshot " + std::to_string(snapshot + 1),
                         options_.snapshots[snapshot], outcome);
  side.unit = "page";
  for (const std::string& warning : CutOffWarnings(reasons, "quarantine.jsonl"))
    result->warnings.push_back(side.name() + ": " + warning);
  result->sides.push_back(side);
  // A site may have moved away as a whole.
  if (result->redirects > redirects) return read;
  side.unit = "document";
  return CheckSideAfter(read, side, "--text-field names the field of the text");
}

PageCapture ChangeReading::Begin(const std::string& url, const std::string& id,
                                 const std::string& date, uint32_t snapshot,
                                 int64_t* newest) {
  PageCapture capture;
  capture.address = AddressKey(url, id);
  capture.number = count_++;
  capture.snapshot = snapshot;
  capture.date = DateOf(date, newest);
  return capture;
}

// The content of another address, which a crawler saves too, is not looked up.
Status ChangeReading::TakeRevisit(const RejectedRecord& record,
                                  uint32_t snapshot, int64_t* newest,
                                  ChangeResult* result) {
  ++result->revisits;
  DateOf(record.date, newest);
  const std::string& of = record.refers_to;
  if (record.url.empty() ||
      (!of.empty() && MirrorAddress(of, "") != MirrorAddress(record.url, ""))) {
    ++result->unknown_revisits;
    return {};
  }
  PageCapture capture =
      Begin(record.url, record.id, record.date, snapshot, newest);
  capture.is_revisit = 1;
  capture.refers_date = ParseDate(record.refers_date);
  TWINSET_TRY(sinks_.addresses->Append(record.url));
  TWINSET_TRY(sinks_.texts->Append({}));
  TWINSET_TRY(sinks_.marks->Append({}));
  if (sinks_.shown != nullptr) TWINSET_TRY(sinks_.shown->Append({}));
  return sinks_.captures->Add(capture);
}

// Redirects and revisits are remembered, and what is quarantined listed.
Status ChangeReading::Reject(const RejectedRecord& record, uint32_t snapshot,
                             int64_t* newest, ChangeResult* result) {
  if (record.is_revisit) return TakeRevisit(record, snapshot, newest, result);
  if (!record.redirects_to.empty() && !record.url.empty()) {
    ++result->redirects;
    DateOf(record.date, newest);
    return sinks_.redirects->Add(record.url, record.redirects_to, snapshot);
  }
  if (!record.quarantined) return {};
  ++result->quarantined;
  if (sinks_.quarantine == nullptr) return {};
  const Json row = {{"snapshot", snapshot},      {"source", record.source},
                    {"ordinal", record.ordinal}, {"offset", record.offset},
                    {"reason", record.reason},   {"detail", record.detail}};
  return sinks_.quarantine->Write(row.dump() + "\n");
}

Status ChangeReading::Take(const DocumentText& text, uint32_t snapshot,
                           int64_t* newest) {
  PageCapture capture = Begin(text.url, text.id, text.date, snapshot, newest);
  extractor_->ExtractBoth(text.text, /*as_set=*/true, /*open_as_set=*/true,
                          &scratch_, &features_, &open_);
  const std::vector<uint64_t>& shingles = features_.shingles;
  capture.shingles = static_cast<uint32_t>(shingles.size());
  capture.content = EqualityHash::OfProcess().Long(BytesOf(shingles));
  if (!shingles.empty()) {
    const std::string_view open = BytesOf(open_.shingles);
    simhash_->Compute(open, &sketch_);
    for (const uint32_t word : sketch_)
      capture.simhash = capture.simhash << 32 | word;
    super_shingles_->Compute(open, &sketch_);
    for (size_t i = 0; i < kSuperShingles; ++i)
      capture.super_shingles[i] =
          uint64_t{sketch_[2 * i + 1]} << 32 | sketch_[2 * i];
  }
  // As it is written: that is what can be fetched.
  TWINSET_TRY(sinks_.addresses->Append(text.url.empty() ? text.id : text.url));
  TWINSET_TRY(sinks_.texts->Append(BytesOf(shingles)));
  TWINSET_TRY(sinks_.marks->Append(BytesOf(open_.shingles)));
  if (sinks_.shown != nullptr) {
    const std::string_view shown = text.text;
    TWINSET_TRY(sinks_.shown->Append(
        shown.substr(0, LengthUpTo(shown, ChangeExamples::kMostTextBytes))));
  }
  for (const uint64_t shingle : shingles)
    TWINSET_TRY(
        sinks_.shingles->Add({capture.address, shingle, capture.number}));
  std::set<uint64_t> links;
  for (const DocumentLink& link : text.links)
    links.insert(EqualityHash::OfProcess().Short(link.href));
  for (const uint64_t link : links)
    TWINSET_TRY(sinks_.links->Add({capture.address, link, capture.number}));
  return sinks_.captures->Add(capture);
}

}  // namespace twinset
