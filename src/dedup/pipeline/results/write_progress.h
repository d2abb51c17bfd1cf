// How far the write stage is, so that a resumed run goes on where it was.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITE_PROGRESS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITE_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

// A place in the records of a source and in the file that is written of it.
struct WritePlace {
  uint64_t records = 0;            // of the source, done
  uint64_t document = 0;           // of the run, the next one
  uint64_t bytes = 0, hash = 0;    // of the file so far
  std::optional<uint64_t> closed;  // a JSON array has its last bracket
  WriteCounts counts;              // of the part so far
  std::vector<std::string> warnings;

  static void Fields(auto& place, auto& field) {
    field("records", place.records);
    field("document", place.document);
    field("bytes", place.bytes);
    field("hash", place.hash);
    field("closed", place.closed);
    field("counts", place.counts);
    field("warnings", place.warnings);
  }
};

// Sources that one thread writes, one after the other.
struct WritePart {
  uint64_t begin = 0, end = 0;  // its sources
  uint64_t source = 0;          // the current one; end: it is done
  uint64_t files = 0;           // a hash of those before it
  WritePlace first, now;        // in the current source

  static void Fields(auto& part, auto& field) {
    field("begin", part.begin);
    field("end", part.end);
    field("source", part.source);
    field("files", part.files);
    field("first", part.first);
    field("now", part.now);
  }
  // The current source is done; what it made hashes to `file_hash`.
  void AddFile(uint64_t file_hash);
  void NextSource();
};

struct WriteParts {
  std::vector<WritePart> parts;
  static void Fields(auto& all, auto& field) { field("parts", all.parts); }
};

// The parts of the stage, kept in the journal. Thread-safe.
class WriteProgress {
 public:
  explicit WriteProgress(Run* run) : run_(run) {}

  // As a former run left them, as far as its files are what it wrote; else new
  // ones.
  Status Open();
  size_t parts() const { return all_.parts.size(); }
  const WritePart& Get(size_t part) const { return all_.parts[part]; }
  // Returns true iff the part is one source, so large that others are done long
  // before.
  bool IsLarge(size_t part) const;
  // Remembers how far a part is, which is synced. kNow: the journal has it when
  // the call returns; else it does after the period of checkpoints.
  enum Urgency { kSoon, kNow };
  Status Set(size_t part, const WritePart& state, Urgency urgency);
  // For the progress of the run: a part stands before this document.
  void Tell(size_t part, uint64_t document);
  // Counts and warnings of all parts, into the run.
  Status Finish();

 private:
  Status Take(const std::string& saved);
  void Divide();
  void Recheck(WritePart* part) const;
  bool HoldsFiles(const WritePart& part) const;
  bool HoldsBegun(const WritePart& part) const;
  std::string PathOf(uint64_t source) const;
  void Report(bool resumed);
  Status Save();

  Run* run_;
  std::mutex mutex_;
  WriteParts all_;
  std::vector<uint64_t> first_documents_;           // of the parts
  std::vector<uint64_t> documents_;                 // of the parts, done
  uint64_t first_source_ = 0, first_document_ = 0;  // that are written
  uint64_t sources_ = 0, bytes_ = 0, all_documents_ = 0;
  std::chrono::steady_clock::time_point saved_ =
      std::chrono::steady_clock::now();
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITE_PROGRESS_H_
