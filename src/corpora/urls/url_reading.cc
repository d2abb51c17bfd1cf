#include "urls/url_reading.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/keyed_hash.h"
#include "base/parallel.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "net/url_rules.h"
#include "read/rows/address_reader.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr size_t kBatchLines = 2048;
constexpr size_t kBatchBytes = 256 << 10;
constexpr size_t kShownBytes = 200;  // of a bad address

uint64_t KeyOf(std::string_view id) {
  return EqualityHash::OfProcess().Short(id);
}

}  // namespace

// ---- judgements ----

Status JudgedIds::Read(const std::string& path) {
  bool is_full = false;
  SideRead& side = sides_.emplace_back();
  side.side = "judgements";
  side.input = path;
  side.unit = "judgement";
  TWINSET_TRY(ForEachTextLine(path, [&](const TextLine& line) {
    std::array<std::string_view, 6> fields;
    size_t count = 0;
    for (std::string_view rest = Trim(line.text);
         !rest.empty() && count < fields.size();) {
      const size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
      fields[count++] = rest.substr(0, end);
      rest = Trim(rest.substr(end));
    }
    const bool is_bad =
        count != 4 && count != 5 && (count > 0 || !line.problem.empty());
    side.records += count > 0 || is_bad;
    if (count == 4 || count == 5) {
      const std::string_view id = count == 4 ? fields[2] : fields[1];
      if (first_.empty()) first_ = id;
      ++side.used;
      is_full = !ids_.Add(KeyOf(id));
    } else if (is_bad) {
      ++bad_;
      if (side.quarantined++ == 0)
        side.problem = path + ":" + std::to_string(line.number) + ": " +
                       std::to_string(count) +
                       " columns where four (qrels) or five (prels) belong";
    }
    return !is_full;
  }));
  if (!is_full)
    return CheckSide(side,
                     "lines are 'topic 0 document grade', see "
                     "docs/formats/qrels.md");
  return Fail(ErrorCode::kMemory, "the judged ids do not fit into memory", path,
              "give more --memory");
}

bool JudgedIds::Has(std::string_view id) const {
  return !id.empty() && ids_.Has(KeyOf(id));
}

// ---- lists ----

// Addresses read together and spelled by one thread.
struct UrlReading::Batch {
  std::string source;
  std::vector<FoundAddress> found;
  // For found[i]: why it is no address, or its spellings.
  std::vector<std::string> why;
  std::vector<UrlLine> lines;
  std::vector<std::string> hosts;
  std::vector<bool> has_scheme;
  std::optional<Error> failure;  // reading broke off behind the last
};

void UrlReading::Spell(Batch* batch) const {
  const size_t count = batch->found.size();
  batch->why.resize(count);
  batch->lines.resize(count);
  batch->hosts.resize(count);
  batch->has_scheme.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const FoundAddress& found = batch->found[i];
    const std::string_view address = Trim(found.address);
    batch->why[i] =
        found.why.empty() ? std::string(WhyNoAddress(address)) : found.why;
    if (!batch->why[i].empty()) continue;
    UrlLine& line = batch->lines[i];
    line = speller_.Spell(address, &batch->hosts[i]);
    batch->has_scheme[i] = FindUrlPlaces(address).has_scheme;
    if (sinks_.judged != nullptr && sinks_.judged->Has(found.id))
      line.flags |= kJudged;
  }
}

Status UrlReading::TellBad(const Batch& batch, bool is_b, UrlSide* side) {
  for (size_t i = 0; i < batch.found.size(); ++i) {
    if (batch.why[i].empty()) continue;
    ++bad_[batch.why[i]];
    if (sinks_.bad == nullptr) continue;
    const FoundAddress& found = batch.found[i];
    const Json row = {{"list", is_b ? "b" : "a"},
                      {"source", batch.source},
                      {"number", found.number},
                      {"offset", found.offset},
                      {"reason", batch.why[i]},
                      {"text", found.address.substr(0, kShownBytes)}};
    TWINSET_TRY(sinks_.bad->Write(row.dump() + "\n"));
  }
  side->lines += batch.found.size();
  return {};
}

Status UrlReading::Take(const Batch& batch, bool is_b, UrlSide* side) {
  TWINSET_TRY(TellBad(batch, is_b, side));
  for (size_t i = 0; i < batch.found.size(); ++i) {
    if (!batch.why[i].empty()) continue;
    UrlLine line = batch.lines[i];
    line.flags |= is_b ? kOfB : 0;
    if (first_id_.empty()) first_id_ = batch.found[i].id;
    ++side->addresses;
    side->without_scheme += !batch.has_scheme[i];
    TWINSET_TRY(sinks_.lines->Add(line));
    if (sinks_.pairs != nullptr) {
      const std::string& id = batch.found[i].id;
      if (is_b) TWINSET_TRY(sinks_.pairs->AddOther(line, id));
      if (!is_b && (line.flags & kJudged) != 0)
        TWINSET_TRY(sinks_.pairs->AddJudged(line, id));
    }
    uint64_t& told = told_[line.host % told_.size()];
    if (told == line.host && side->addresses > 1) continue;
    told = line.host;
    TWINSET_TRY(sinks_.hosts->Add(HostName::Of(batch.hosts[i])));
  }
  return {};
}

Status UrlReading::Read(const std::string& path, const InputList& files,
                        bool is_b, UrlSide* side,
                        std::vector<SideRead>* sides) {
  bad_.clear();
  size_t next = 0;
  bool at_end = false;
  std::unique_ptr<AddressReader> reader;
  const auto fill = [&](Batch* batch) -> Status {
    size_t bytes = 0;
    FoundAddress found;
    while (batch->found.size() < kBatchLines && bytes < kBatchBytes) {
      if (reader == nullptr) {
        // A batch is of one source.
        if (next == files.size() || !batch->found.empty()) break;
        TWINSET_ASSIGN(
            reader,
            OpenAddressReader(files[next], static_cast<uint32_t>(next), read_));
        batch->source = files[next].source;
      }
      batch->source = files[next].source;
      TWINSET_ASSIGN(const bool more, reader->Next(&found));
      if (!more) {
        reader.reset();
        ++next;
        continue;
      }
      bytes += found.address.size() + found.id.size();
      batch->found.push_back(std::move(found));
    }
    at_end = reader == nullptr && next == files.size();
    return {};
  };
  PassProgress progress(sinks_.on_progress, "read", is_b ? "B" : "A", "lines");
  Status status;
  OrderedPipeline(
      threads_, static_cast<size_t>(threads_) * 4,
      [&]() -> PipelineItem {
        if (at_end) return nullptr;
        auto batch = std::make_shared<Batch>();
        if (Status filled = fill(batch.get()); !filled) {
          batch->failure = filled.error();
          at_end = true;
        }
        return batch;
      },
      [&](void* batch) { Spell(static_cast<Batch*>(batch)); },
      [&](void* item) {
        auto* const batch = static_cast<Batch*>(item);
        status = Take(*batch, is_b, side);
        progress.Add(batch->found.size());
        if (status && batch->failure)
          status = tl::unexpected(*std::move(batch->failure));
        if (status && read_.stop != nullptr && *read_.stop)
          status =
              Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
        return status.has_value();
      });
  TWINSET_TRY(status);
  side->bad = bad_;
  SideRead& read = sides->emplace_back();
  read.side = is_b ? "B" : "A";
  read.input = path;
  read.unit = "address";
  read.records = side->lines;
  read.used = side->addresses;
  read.quarantined = side->lines - side->addresses;
  if (!side->bad.empty())
    read.problem = "the first reason is " + side->bad.begin()->first;
  return CheckSide(read,
                   "name the format with --input-format, or the field of the "
                   "address with --url-field");
}

}  // namespace twinset
