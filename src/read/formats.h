// The readers behind OpenRecordReader, one a format. Each takes over the
// stream.
#ifndef TWINSET_SRC_READ_FORMATS_H_
#define TWINSET_SRC_READ_FORMATS_H_

#include <memory>

#include "read/byte_stream.h"
#include "read/reader.h"

namespace twinset::inline v1 {

using StreamPtr = std::unique_ptr<ByteStream>;
using ReaderPtr = std::unique_ptr<RecordReader>;

ReaderPtr MakeWarcReader(StreamPtr stream, const InputFile& input,
                         uint32_t source,
                         const ReadOptions& options);  // WARC 0.17-1.1, WET
ReaderPtr MakeArcReader(StreamPtr stream, const InputFile& input,
                        uint32_t source,
                        const ReadOptions& options);  // ARC v1, v2
ReaderPtr MakeTrecReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options);
ReaderPtr MakeJsonlReader(StreamPtr stream, const InputFile& input,
                          uint32_t source, const ReadOptions& options);
ReaderPtr MakeCsvReader(StreamPtr stream, const InputFile& input,
                        uint32_t source, const ReadOptions& options,
                        char separator);
ReaderPtr MakeFileReader(StreamPtr stream, const InputFile& input,
                         uint32_t source, const ReadOptions& options,
                         InputFormat format);  // kHtml, kText: one document

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_READ_FORMATS_H_
