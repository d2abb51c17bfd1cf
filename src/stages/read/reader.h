// Bytes to records: the face of this folder.
#ifndef TWINSET_SRC_STAGES_READ_READER_H_
#define TWINSET_SRC_STAGES_READ_READER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "read/input_list.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

// Everything that decides which records a source yields.
struct ReadOptions : RecordOptions {
  std::vector<std::string>
      fields;  // further fields to hand on in Document::fields
  // A record that does not end within so many bytes is left, and the rest of
  // its source with it.
  uint64_t max_skip_bytes = uint64_t{1} << 36;
  const std::atomic<bool>* stop = nullptr;  // set: reading is kInterrupted
  // Nobody wants the bytes of a file again soon: what was read leaves the page
  // cache.
  bool once = false;
  int ahead_threads = 0;        // as ByteStreamOptions has it
  bool keep_truncated = false;  // what is cut off inside its compressed member
                                // is a document, as far as it goes
  bool keep_raw = false;        // fill Record::raw; not of MediaWiki exports
  bool keep_stored = false;     // fill Record::stored
  // Without keep_raw: rows of JSON in no archive, of up to 1 MB, come as kRow,
  // for a RowParser.
  bool defers_rows = false;
};

// Sets the fields of a named preset ("jsonl": id, text, metadata.url,
// metadata.date; "clueweb22": ClueWeb22-ID, Clean-Text, URL, ...). kUsage names
// the known ones.
void ApplyFieldPreset(FieldPreset preset, ReadOptions* options);

struct ListingOptions {
  // The files of the first of two sides, whose names are their own; 0: one
  // side.
  size_t first_side = 0;
  // The same by the number of arguments of the first side; 0: as `first_side`.
  size_t first_words = 0;
  // What a folder that twinset has written may hold.
  std::string_view holding = "documents";
  bool checks_marks = true;  // false: folders of ours are as any other
  // Folders of the run itself, which are left alone.
  std::vector<std::string> own = {};
  // What remote inputs may be read from although it is not of the public
  // internet.
  std::vector<std::string> networks = {};
  // Set: listing objects is kInterrupted.
  const std::atomic<bool>* stop = nullptr;
};

// Expands files, directories (recursively, by path bytes; hidden files are left
// out), globs and
// "-", in the order of the command line, and names each side apart
// (input_list.h). kUsage if an argument matches nothing
// or is a device, and if it is, holds or stands in a folder that twinset has
// written and that holds no inputs (docs/formats/inputs.md); kIo if it cannot
// be opened for reading.
Result<InputList> ListInputs(const std::vector<std::string>& arguments);
Result<InputList> ListInputs(const std::vector<std::string>& arguments,
                             const ListingOptions& options);

// The inputs of options, from the networks that these name.
Result<InputList> ListInputs(const InputOptions& input,
                             ListingOptions how = {});

// kIo when `file` is another than it was when it was listed, or was written
// since: for what is read twice.
Status CheckUnchanged(const InputFile& file);

// Records of one source, front to back. Damage in the data is a kQuarantined
// record and reading goes on behind it; an Error means that the source itself
// failed (vanished, I/O error). Memory: buffers of at most 1 MB plus one record
// (max_document_bytes). One thread at a time.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // False at the end of the source.
  virtual Result<bool> Next(Record* record) = 0;
  // Nobody wants more than place and raw of records whose ordinal is below
  // `ordinal`. Where that is cheaper they come as kPassed, whatever they are;
  // but what is quarantined before it is parsed still comes as that. Their
  // number stays the same.
  virtual void PassOver(uint64_t /*ordinal*/) {}
  // How the source turned out to be written: the same after every call of Open.
  virtual InputFormat format() const = 0;
  // Compressed bytes consumed so far, for progress.
  virtual uint64_t consumed_bytes() const = 0;
};

class JsonRowParser;

// Makes of each kRow what it would have been without `defers_rows`, in any
// thread: most of the work of reading rows is theirs. One thread at a time.
class RowParser {
 public:
  // The options of the reader.
  explicit RowParser(const ReadOptions& options);
  ~RowParser();
  // `row`: what Record::row was.
  void Parse(std::string_view row, Record* record);
  // Bytes that a row of this many takes while it is parsed.
  static uint64_t Cost(uint64_t row_bytes) { return 8 * row_bytes; }

 private:
  const uint64_t max_field_bytes_;
  const std::unique_ptr<JsonRowParser> parser_;
};

// Opens `input` (source number `source` in all provenances) and recognises
// compression and format by content. An empty file has no records.
Result<std::unique_ptr<RecordReader>> OpenRecordReader(
    const InputFile& input, uint32_t source, const ReadOptions& options);

// kUsage when one of several tables among files [begin, end) lacks a column
// that is asked for: for what works for long before it opens the last one.
// Every file of this machine is looked at; of more than a thousand objects a
// thousand, spread evenly, since a store is asked three times for each.
Status CheckColumns(const InputList& files, size_t begin, size_t end,
                    const ReadOptions& options);

// As OpenRecordReader over bytes in memory: for a file that is sent, for tests
// and fuzzing. `name` stands for the path.
std::unique_ptr<RecordReader> ReadRecordsFromMemory(std::string bytes,
                                                    const std::string& name,
                                                    const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_READER_H_
