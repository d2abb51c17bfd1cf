#include "read/line_reader.h"

#include <algorithm>

#include "read/record_base.h"

namespace twinset {

Result<LineReader::Line> LineReader::Next() {
  stream_->Consume(taken_);
  taken_ = 0;
  Line line;
  line.offset = stream_->offset();
  size_t scanned = 0;
  for (uint64_t want = kHoldBack;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(want));
    const StreamFault* fault = stream_->UpcomingFault();
    const size_t newline = view.find('\n', scanned);
    const bool whole = newline != std::string_view::npos;
    const size_t size = whole ? newline + 1 : view.size();
    const bool last = view.size() < want;  // a gap or the end is behind it
    if (fault && (Poisons(*fault, line.offset + size) ||
                  (!whole && (size == 0 || Cuts(*fault))))) {
      return TakeFault(stream_, view, &swallowed_);
    }
    if (size == 0 && last) return line;
    if (whole || (last && size <= max_line_)) {
      line.kind = size > max_line_ ? Line::kTooLong : Line::kLine;
      line.text = view.substr(0, size);
      line.size = size;
      taken_ = size;
      return line;
    }
    if (size > max_line_) return SkipLong();
    scanned = size;
    want = std::min<uint64_t>(want + want / 4, max_line_ + kHoldBack);
  }
}

Result<LineReader::Line> LineReader::SkipLong() {
  Line line;
  line.kind = Line::kTooLong;
  line.offset = stream_->offset();
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
    const size_t newline = view.find('\n');
    const size_t size =
        newline == std::string_view::npos ? view.size() : newline + 1;
    stream_->Consume(size);
    line.size += size;
    TWINSET_TRY(CheckSkipped(line.size, max_skip_));
    if (size == 0 || newline != std::string_view::npos) return line;
  }
}

LineReader::Line LineReader::TakeFault(ByteStream* stream,
                                       std::string_view view,
                                       std::string* swallowed) {
  Line line;
  line.kind = Line::kFault;
  line.offset = stream->offset();
  *swallowed = view;
  stream->Consume(swallowed->size());
  line.text = *swallowed;
  line.fault = stream->TakeFault();
  return line;
}

std::string_view WithoutLineEnd(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace twinset
