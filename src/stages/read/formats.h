// The readers behind OpenRecordReader, one a format. Each takes over the
// stream.
#ifndef TWINSET_SRC_STAGES_READ_FORMATS_H_
#define TWINSET_SRC_STAGES_READ_FORMATS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_row.h"
#include "read/byte_source.h"
#include "read/byte_stream.h"
#include "read/reader.h"

namespace twinset {

using StreamPtr = std::unique_ptr<ByteStream>;
using ReaderPtr = std::unique_ptr<RecordReader>;

// How the bytes of an input are read.
inline ByteStreamOptions StreamOptionsOf(const ReadOptions& options) {
  ByteStreamOptions of_stream;
  of_stream.max_window_bytes = options.max_window_bytes;
  of_stream.stop = options.stop;
  of_stream.once = options.once;
  of_stream.ahead_threads = options.ahead_threads;
  return of_stream;
}

// How the rows of CSV or TSV are written.
inline CsvForm CsvFormOf(InputFormat format, const ReadOptions& options) {
  CsvForm form(format == InputFormat::kTsv ? '\t' : ',');
  if (options.quoting) form.quotes = *options.quoting == Quoting::kCsv;
  return form;
}

// A reader of rows, whose parts have names.
class RowReader : public RecordReader {
 public:
  // The names in the row read last: paths of its first values, or the columns.
  virtual std::vector<std::string> FieldNames() const = 0;
};
// The name of the field that a row's payload comes from; several with commas.
inline const std::string& PayloadField(const ReadOptions& options) {
  if (!options.features_field.empty()) return options.features_field;
  return options.html_field.empty() ? options.text_field : options.html_field;
}
using RowReaderPtr = std::unique_ptr<RowReader>;

ReaderPtr MakeWarcReader(StreamPtr stream, const InputFile& input,
                         uint32_t source,
                         const ReadOptions& options);  // WARC 0.17-1.1, WET
ReaderPtr MakeArcReader(StreamPtr stream, const InputFile& input,
                        uint32_t source,
                        const ReadOptions& options);  // ARC v1, v2
ReaderPtr MakeTrecReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options);
ReaderPtr MakeMediaWikiReader(StreamPtr stream, const InputFile& input,
                              uint32_t source, const ReadOptions& options);
// Rows as lines or, with `is_array`, as the elements of one array.
RowReaderPtr MakeJsonReader(StreamPtr stream, const InputFile& input,
                            uint32_t source, const ReadOptions& options,
                            bool is_array);
RowReaderPtr MakeCsvReader(StreamPtr stream, const InputFile& input,
                           uint32_t source, const ReadOptions& options,
                           InputFormat format);
ReaderPtr MakeFileReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options,
                         InputFormat format);  // kHtml, kText: one document
// One quarantined record that says `detail`.
ReaderPtr MakeRefusedReader(StreamPtr stream, const InputFile& input,
                            uint32_t source, const ReadOptions& options,
                            InputFormat format, std::string detail);
// Why that reader skips or quarantines a file that begins so, and what to do
// about it; empty where it is a document.
std::string RefusalOfFile(std::string_view first_bytes,
                          const ReadOptions& options, InputFormat format);

// A table whose rows a helper reads (table/). kIo when there is none, kUsage
// when the table lacks a column that is asked for.
Result<RowReaderPtr> MakeTableReader(const InputFile& input, uint32_t source,
                                     const ReadOptions& options);

// kUsage when one of these tables lacks a column that is asked for. What cannot
// be looked at, and what is no table, its reader will tell of.
Status CheckTables(const std::vector<std::string>& paths,
                   const std::shared_ptr<TableHelpers>& helpers,
                   const ReadOptions& options);

// Archives of files (bundle/).
enum class BundleKind { kNone, kTar, kZip };
// By the first bytes of the decompressed source or, where they are damaged, by
// its name.
BundleKind BundleOf(std::string_view first_bytes, std::string_view path);

// Reads one file of an archive as if it were a source of its own.
using OpenMember = Result<ReaderPtr> (*)(StreamPtr stream,
                                         const InputFile& input,
                                         uint32_t source,
                                         const ReadOptions& options);
// The records of all files of an archive, each in its own format.
ReaderPtr MakeTarReader(StreamPtr stream, const InputFile& input,
                        uint32_t source, const ReadOptions& options,
                        OpenMember open);
// `file` can be sought.
Result<ReaderPtr> MakeZipReader(std::unique_ptr<ByteSource> file,
                                const InputFile& input, uint32_t source,
                                const ReadOptions& options, OpenMember open);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_FORMATS_H_
