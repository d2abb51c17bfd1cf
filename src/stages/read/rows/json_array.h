// The elements of a JSON array, in bounded memory, with the gaps of its stream.
#ifndef TWINSET_SRC_STAGES_READ_ROWS_JSON_ARRAY_H_
#define TWINSET_SRC_STAGES_READ_ROWS_JSON_ARRAY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "read/byte_stream.h"
#include "read/line_reader.h"

namespace twinset {

// Yields each element as a line without white space around it. What is no JSON
// is one kBad up to the next element that can be found: an object behind a
// comma which begins with the same key as the elements before, or stands on a
// line of its own as they do, and which is whole. Linear time: looking again
// has a budget. Memory: as LineReader.
class JsonArrayReader {
 public:
  using Line = LineReader::Line;

  // `stream` must outlive the reader and be used by nobody else.
  JsonArrayReader(ByteStream* stream, uint64_t max_element, uint64_t max_skip)
      : stream_(stream), max_element_(max_element), max_skip_(max_skip) {}

  Result<Line> Next();

 private:
  enum class State {
    kOpen,     // in front of the bracket
    kElement,  // behind the bracket or a comma
    kBehind,   // behind an element
    kLost,     // somewhere: what begins next is not known
    kClosed,   // behind the last bracket
    kEnd
  };

  Result<char> SkipSpace();
  Result<Line> Element();
  Result<Line> Lost(std::string detail);
  Line BadUpTo(size_t next, std::string detail);
  Line Whole(std::string_view view, size_t size);
  Line TakeFault(std::string_view view);
  size_t FindElement(std::string_view view, size_t from, bool last);

  ByteStream* const stream_;
  const uint64_t max_element_, max_skip_;
  State state_ = State::kOpen;
  size_t taken_ = 0;       // bytes of the last element
  std::string space_;      // in front of what comes next
  std::string separator_;  // what stood between a comma and its element
  std::string first_key_;  // of the element before, with its quotes
  uint64_t rescanned_ = 0;
  std::string swallowed_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_JSON_ARRAY_H_
