// Lines of a byte stream, in bounded memory, with its gaps.
#ifndef TWINSET_SRC_STAGES_READ_LINE_READER_H_
#define TWINSET_SRC_STAGES_READ_LINE_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "read/byte_stream.h"
#include "read/reader.h"

namespace twinset {

// Splits at '\n'. A line in front of a gap that the damage cut or may have
// altered (Poisons, Cuts) is no line: it comes with the gap. Memory: max_line +
// 512 KB, whatever the source.
class LineReader {
 public:
  struct Line {
    // kBad: of an array, bytes that are no element; fault.detail says why.
    enum Kind { kLine, kTooLong, kBad, kFault, kEnd } kind = kEnd;
    // kLine: with its '\n', which only the last line may lack. kFault: what
    // goes with the gap. Valid until the next call.
    std::string_view text;
    uint64_t offset = 0;  // stream offset of the first byte
    uint64_t size = 0;    // kTooLong: length, '\n' included
    StreamFault fault;    // kFault
  };

  // `stream` must outlive the reader and be used by nobody else.
  // A line that does not end within `max_skip` bytes is an Error.
  LineReader(ByteStream* stream, uint64_t max_line,
             uint64_t max_skip = ReadOptions().max_skip_bytes)
      : stream_(stream), max_line_(max_line), max_skip_(max_skip) {}

  Result<Line> Next();

  // The gap that stands behind `view`, what is left in front of it, with these
  // bytes, which `swallowed` keeps.
  static Line TakeFault(ByteStream* stream, std::string_view view,
                        std::string* swallowed);

 private:
  Result<Line> SkipLong();

  ByteStream* stream_;
  const uint64_t max_line_, max_skip_;
  size_t taken_ = 0;  // bytes of the last line, consumed by the next call
  std::string swallowed_;
};

// `line` without its '\n' or "\r\n".
std::string_view WithoutLineEnd(std::string_view line);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_LINE_READER_H_
