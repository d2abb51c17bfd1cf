#include "pipeline/results/write_progress.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "pipeline/run/output_names.h"

namespace twinset {

namespace {

constexpr size_t kPartsPerThread = 4;

}  // namespace

void WritePart::AddFile(uint64_t file_hash) {
  files = Mix64(files ^ file_hash) + 1;
}

void WritePart::NextSource() {
  ++source;
  now.records = now.bytes = now.hash = 0;
  now.closed.reset();
  first = now;
}

Status WriteProgress::Open() {
  const Plan& plan = run_->plan;
  // A match writes only the first collection.
  sources_ = plan.inputs.first_side != 0 ? plan.inputs.first_side
                                         : plan.inputs.files.size();
  // What saved runs have read is not written again.
  first_source_ = plan.inputs.first_own();
  const std::vector<uint64_t>& of_source = run_->counts.read.source_documents;
  for (uint64_t source = 0; source < first_source_; ++source)
    first_document_ += of_source[source];
  for (uint64_t source = first_source_; source < sources_; ++source) {
    bytes_ += plan.inputs.files[source].state.size + 1;
    all_documents_ += of_source[source];
  }
  const std::string saved = run_->journal.Progress("write");
  if (saved.empty()) {
    Divide();
  } else {
    TWINSET_TRY(Take(saved));
  }
  for (const WritePart& part : all_.parts)
    documents_.push_back(part.now.document);
  for (size_t part = 0; part < parts(); ++part)
    documents_[part] -= first_documents_[part];
  if (!saved.empty()) Report(/*resumed=*/true);
  return {};
}

// As many parts as keep the threads busy, of about equal numbers of bytes.
void WriteProgress::Divide() {
  const Plan& plan = run_->plan;
  const uint64_t parts = std::min<uint64_t>(
      sources_ - first_source_,
      static_cast<uint64_t>(plan.machine.threads) * kPartsPerThread);
  uint64_t source = first_source_, document = first_document_, bytes = 0;
  for (uint64_t part = 1; part <= parts && source < sources_; ++part) {
    WritePart made;
    made.begin = made.source = source;
    made.first.document = made.now.document = document;
    // 128 bits: so many bytes times so many parts.
    const auto until = static_cast<uint64_t>(
        static_cast<unsigned __int128>(bytes_) * part / parts);
    while (source < sources_ &&
           (source == made.begin || part == parts ||
            bytes + plan.inputs.files[source].state.size + 1 <= until)) {
      bytes += plan.inputs.files[source].state.size + 1;
      document += run_->counts.read.source_documents[source];
      ++source;
    }
    made.end = source;
    first_documents_.push_back(made.first.document);
    all_.parts.push_back(std::move(made));
  }
}

Status WriteProgress::Take(const std::string& saved) {
  if (!FieldsFromJson(Json::Parse(saved), run_->plan.inputs.files.size(),
                      &all_))
    return run_->WrongJournal();
  const std::vector<uint64_t>& of_source = run_->counts.read.source_documents;
  uint64_t source = first_source_, document = first_document_;
  for (const WritePart& part : all_.parts) {
    if (part.begin != source || part.source < part.begin ||
        part.source > part.end || part.end > sources_ ||
        part.first.document < document || part.now.document < document)
      return run_->WrongJournal();
    first_documents_.push_back(document);
    for (; source < part.end; ++source) document += of_source[source];
  }
  if (source != sources_) return run_->WrongJournal();
  ParallelFor(parts(), 1, run_->plan.machine.threads,
              [this](size_t begin, size_t end) {
                for (; begin < end; ++begin) Recheck(&all_.parts[begin]);
              });
  return {};
}

// What somebody changed or removed meanwhile is made anew.
void WriteProgress::Recheck(WritePart* part) const {
  if (!HoldsFiles(*part)) {
    WritePart anew;
    anew.begin = anew.source = part->begin;
    anew.end = part->end;
    anew.first.document = anew.now.document =
        first_documents_[static_cast<size_t>(part - all_.parts.data())];
    *part = std::move(anew);
  } else if (part->now.records > 0 && !HoldsBegun(*part)) {
    part->now = part->first;
  }
}

std::string WriteProgress::PathOf(uint64_t source) const {
  return WrittenPath(run_->plan.options, run_->plan.inputs.files[source]);
}

bool WriteProgress::HoldsFiles(const WritePart& part) const {
  WritePart found;
  for (uint64_t source = part.begin; source < part.source; ++source) {
    auto file = File::OpenRead(PathOf(source));
    if (!file) continue;  // left out, or missed by the sum
    Hasher64 hash;
    const auto size = file->Size();
    if (!size || !HashFile(&*file, *size, &hash)) return false;
    found.AddFile(hash.Digest());
  }
  return found.files == part.files;
}

// A run that was killed when it had renamed the file has left it whole.
bool WriteProgress::HoldsBegun(const WritePart& part) const {
  const std::string path = PathOf(part.source);
  const bool is_whole = !FileExists(path + ".part");
  auto begun = File::OpenRead(is_whole ? path : path + ".part");
  if (!begun) return false;
  const auto size = begun->Size();
  Hasher64 hash;
  if (!size || (is_whole && *size != part.now.bytes) ||
      !HashFile(&*begun, part.now.bytes, &hash) ||
      hash.Digest() != part.now.hash)
    return false;
  return !is_whole || RenameFile(path, path + ".part").has_value();
}

bool WriteProgress::IsLarge(size_t part) const {
  const WritePart& of = all_.parts[part];
  const uint64_t size = run_->plan.inputs.files[of.begin].state.size;
  const auto threads = static_cast<uint64_t>(run_->plan.machine.threads);
  return of.end == of.begin + 1 && size / 3 * 2 >= bytes_ / threads;
}

Status WriteProgress::Set(size_t part, const WritePart& state,
                          Urgency urgency) {
  const std::lock_guard lock(mutex_);
  all_.parts[part] = state;
  const std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - saved_;
  const bool is_due = since.count() >= run_->plan.options.checkpoint_seconds;
  return urgency == kNow || is_due ? Save() : Status();
}

Status WriteProgress::Save() {
  saved_ = std::chrono::steady_clock::now();
  return run_->journal.SaveProgress("write", FieldsToJson(all_).dump());
}

void WriteProgress::Tell(size_t part, uint64_t document) {
  const std::lock_guard lock(mutex_);
  documents_[part] = document - first_documents_[part];
  Report(/*resumed=*/false);
}

void WriteProgress::Report(bool resumed) {
  Progress progress;
  progress.done =
      std::accumulate(documents_.begin(), documents_.end(), uint64_t{0});
  progress.total = all_documents_;
  progress.resumed = resumed;
  progress.kept = true;
  run_->Report(std::move(progress));
}

Status WriteProgress::Finish() {
  const std::lock_guard lock(mutex_);
  WriteCounts& counts = run_->counts.write.emplace();
  for (const WritePart& part : all_.parts) {
    counts.Add(part.now.counts);
    for (const std::string& warning : part.now.warnings)
      if (std::find(begin(run_->warnings), end(run_->warnings), warning) ==
          end(run_->warnings))
        run_->warnings.push_back(warning);
  }
  return Save();
}

}  // namespace twinset
