#include "read/archive/warc_framer.h"

#include <algorithm>
#include <utility>

#include "read/http_message.h"
#include "read/record_base.h"

namespace twinset {
namespace {

constexpr size_t kStep = 256 << 10;
// More than the longest begin of a record that is looked for.
constexpr size_t kSlack = 32 << 10;
constexpr size_t kHeaderSteps[] = {16 << 10, 128 << 10, 1 << 20};
constexpr size_t kRawSlack = 1 << 20;
constexpr size_t kMaxHead = 64 << 10;
constexpr size_t kMaxSeparator = 8;
constexpr size_t kMaxNewlines = 64 << 10;
constexpr uint64_t kFreeRescan = 64 << 20;
constexpr uint64_t kRescanPerByte = 4;
constexpr size_t npos = std::string_view::npos;

size_t CountNewlines(std::string_view text) {
  return std::min(text.find_first_not_of("\r\n"), text.size());
}

std::string FaultDetail(const StreamFault& fault) {
  return fault.detail + " (compressed offset " +
         std::to_string(fault.compressed_offset) + ")";
}

// How long the HTTP message at the begin of the block is by its own account: a
// second opinion on a length that cannot be checked otherwise.
std::optional<uint64_t> HttpMessageBytes(std::string_view block) {
  const std::optional<HttpHead> head = ParseHttpHead(block);
  if (!head) return std::nullopt;
  const std::string* value = head->fields.Find("content-length");
  const std::optional<uint64_t> body =
      value ? ParseDecimal(*value) : std::nullopt;
  if (!body) return std::nullopt;
  return head->size + *body;
}

}  // namespace

RecordFramer::RecordFramer(std::unique_ptr<ByteStream> stream,
                           const RecordSyntax* syntax, FramerOptions options)
    : stream_(std::move(stream)),
      syntax_(syntax),
      options_(std::move(options)),
      rescan_credit_(kFreeRescan) {}

// Moves bytes, which are the first unread ones, into what the frame keeps of
// them.
void RecordFramer::Take(std::string_view bytes, Frame* frame) {
  if (bytes.empty()) return;
  last_byte_ = bytes.back();
  if (in_block_) {
    frame->block_bytes += bytes.size();
    if (keep_block_) {
      const size_t room = options_.max_block_bytes - frame->block.size();
      frame->block.append(bytes.substr(0, room));
    }
  }
  if (options_.keep_raw && frame->raw_complete) {
    if (frame->raw.size() + bytes.size() >
        options_.max_block_bytes + kRawSlack) {
      frame->raw_complete = false;
      std::string().swap(frame->raw);
    } else {
      frame->raw.append(bytes);
    }
  }
  rescan_credit_ += kRescanPerByte * bytes.size();
  stream_->Consume(bytes.size());
}

void RecordFramer::TakeHeader(std::string_view view, const Header& header,
                              Frame* frame) {
  in_block_ = false;
  Take(view.substr(0, header.size), frame);
  in_block_ = true;
}

Status RecordFramer::TakeNewlines(Frame* frame) {
  in_block_ = false;
  for (size_t total = 0; total < kMaxNewlines;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
    const size_t count = std::min(CountNewlines(view), kMaxNewlines - total);
    Take(view.substr(0, count), frame);
    total += count;
    if (view.empty() || count < view.size()) break;
  }
  return {};
}

Result<bool> RecordFramer::Next(Frame* frame) {
  *frame = Frame{};
  frame->ordinal = ordinal_;
  if (!pending_fault_) TWINSET_TRY(TakeNewlines(frame));
  frame->offset = stream_->offset();
  if (pending_fault_) return AtEnd(frame);
  TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kHeaderSteps[0]));
  if (view.empty()) return AtEnd(frame);
  if (syntax_->Begins(view)) {
    TWINSET_TRY(TakeRecord(frame));
  } else {
    TWINSET_TRY(TakeBroken(frame));
  }
  TWINSET_TRY(TakeNewlines(frame));
  TWINSET_TRY(NoteGap(frame));
  if (frame->damage == "truncated") ForgiveLength(frame);
  ++ordinal_;
  return true;
}

// Nothing unread: the end, or a gap without a record in front of it that would
// stand for it.
Result<bool> RecordFramer::AtEnd(Frame* frame) {
  if (!pending_fault_) {
    if (!stream_->AtGap()) return false;
    pending_fault_ = stream_->TakeFault();
    last_byte_ = '\n';
  }
  frame->damage = FaultReason(pending_fault_->kind);
  frame->detail = FaultDetail(*pending_fault_);
  pending_fault_.reset();
  ++ordinal_;
  return true;
}

// A gap right behind the record: it is the record's own if the damaged member
// holds nothing in front of the record, or if the record breaks off there; else
// it is a record of its own.
Status RecordFramer::NoteGap(Frame* frame) {
  TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
  if (!view.empty() || !stream_->AtGap()) return {};
  StreamFault fault = stream_->TakeFault();
  last_byte_ = '\n';
  const bool of_this_record = fault.kind != StreamFault::kTrailingJunk &&
                              fault.member_begin >= frame->offset &&
                              fault.member_begin < stream_->offset();
  if (of_this_record || !frame->damage.empty()) {
    frame->damage = FaultReason(fault.kind);
    frame->detail = FaultDetail(fault);
  } else {
    pending_fault_ = std::move(fault);
  }
  return {};
}

// The source ends before the record does; if the HTTP message in it is complete
// by its own account, then only the declared length was wrong.
void RecordFramer::ForgiveLength(Frame* frame) {
  const std::optional<uint64_t> bytes = HttpMessageBytes(frame->block);
  if (!bytes || *bytes > frame->block_bytes) return;
  frame->damage.clear();
  frame->detail.clear();
  frame->repaired = true;
}

// Bytes where a record is due, but none begins.
Status RecordFramer::TakeBroken(Frame* frame) {
  in_block_ = false;
  TWINSET_TRY(TakeUntilBegin(1, frame));
  frame->damage = "bad-header";
  frame->detail = std::to_string(stream_->offset() - frame->offset) +
                  " bytes without a record";
  return {};
}

Result<RecordSyntax::Header> RecordFramer::PeekHeader(std::string_view* view) {
  Header header;
  for (size_t want : kHeaderSteps) {
    TWINSET_ASSIGN(*view, stream_->Peek(want));
    header = syntax_->ReadHeader(*view);
    if (header.complete || view->size() < want) break;
  }
  return header;
}

Status RecordFramer::TakeRecord(Frame* frame) {
  std::string_view view;
  TWINSET_ASSIGN(const Header header, PeekHeader(&view));
  if (!header.complete) {
    const bool cut_off = view.size() < kHeaderSteps[0] &&
                         syntax_->FindBegin(view, 1, false) == npos;
    TWINSET_TRY(TakeBroken(frame));
    if (cut_off) {
      frame->damage = "truncated";
      frame->detail = "the source ends inside the header of the record";
    }
    return {};
  }
  frame->header.assign(view.substr(0, header.size));
  keep_block_ = !options_.want_block || options_.want_block(frame->header);
  if (!header.length) {
    TakeHeader(view, header, frame);
    TWINSET_TRY(TakeUntilBegin(0, frame));
    CutBlock(header, frame);
    return {};
  }
  if (*header.length > options_.max_block_bytes) return TakeLong(header, frame);
  return TakeDeclared(header, frame);
}

// The block ends where another record begins: what separates the two is not
// part of it.
void RecordFramer::CutBlock(const Header& header, Frame* frame) {
  frame->repaired = true;
  if (frame->block.size() < frame->block_bytes) return;
  const size_t size = syntax_->TrailingSeparator(frame->block, header);
  frame->block.resize(frame->block.size() - size);
  frame->block_bytes -= size;
}

// Takes everything up to the next place >= from at which a record surely
// begins, or the end, or a gap.
Status RecordFramer::TakeUntilBegin(size_t from, Frame* frame) {
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kStep));
    if (view.empty()) return {};
    const bool line_begin = (from == 0 ? last_byte_ : view[from - 1]) == '\n';
    const size_t begin = syntax_->FindBegin(view, from, line_begin);
    if (begin != npos) {
      Take(view.substr(0, begin), frame);
      return {};
    }
    const bool final = view.size() < kStep;
    Take(view.substr(0, final ? view.size() : view.size() - kSlack), frame);
    if (final) return {};
    from = 0;
  }
}

RecordFramer::Boundary RecordFramer::BoundaryAt(std::string_view view,
                                                size_t at, const Header& header,
                                                bool final) const {
  if (syntax_->SplitsHeader(view, at)) return Boundary::kNone;
  const std::string_view behind = view.substr(at);
  const std::string_view rest = behind.substr(CountNewlines(behind));
  if (rest.empty())
    return final || behind.size() >= kSlack ? Boundary::kRecord
                                            : Boundary::kNone;
  if (syntax_->Begins(rest)) return Boundary::kRecord;
  for (size_t skip = 1;
       skip <= syntax_->separator_slack() && skip < behind.size(); ++skip)
    if (syntax_->Begins(behind.substr(skip))) return Boundary::kRecord;
  return syntax_->Separates(behind, header) ? Boundary::kSeparator
                                            : Boundary::kNone;
}

Status RecordFramer::TakeDeclared(const Header& header, Frame* frame) {
  const size_t end = header.size + *header.length;
  TWINSET_ASSIGN(std::string_view view, stream_->Peek(end + kSlack));
  const bool final = view.size() < end + kSlack;
  const auto cut = [&](size_t begin) {
    TakeHeader(view, header, frame);
    Take(view.substr(header.size, begin - header.size), frame);
    CutBlock(header, frame);
  };

  if (view.size() < end) {
    const size_t inner = syntax_->FindBegin(view, header.size, true);
    if (inner != npos) {
      cut(inner);
      return {};
    }
    frame->damage = "truncated";
    frame->detail = "the source ends after " +
                    std::to_string(view.size() - header.size) + " of " +
                    std::to_string(*header.length) + " bytes";
    TakeHeader(view, header, frame);
    Take(view.substr(header.size), frame);
    return {};
  }
  const Boundary boundary = BoundaryAt(view, end, header, final);
  TWINSET_ASSIGN(const size_t inner,
                 FindContradiction(header, end, boundary, &view));
  if (inner != npos) {
    cut(inner);
    return {};
  }
  TakeHeader(view, header, frame);
  Take(view.substr(header.size, *header.length), frame);
  if (boundary == Boundary::kNone) {
    // Too short: the block goes on up to the next record.
    TWINSET_TRY(TakeUntilBegin(0, frame));
    CutBlock(header, frame);
  }
  return {};
}

// The first begin of a record inside the block that disproves the declared
// length, npos if there is none. Behind a sound end only two things do: an HTTP
// message that ends by its own account where a record begins, and, if the
// separator is not whole, a last record inside that owns the separator.
// Refreshes *view, which keeps its content.
Result<size_t> RecordFramer::FindContradiction(const Header& header, size_t end,
                                               Boundary boundary,
                                               std::string_view* view) {
  if (boundary == Boundary::kRecord) {
    const size_t behind_http = BeginBehindHttp(*view, header, end);
    if (behind_http != npos) return behind_http;
    if (syntax_->Separates(view->substr(end), header)) return npos;
  }
  const size_t inner = syntax_->FindBegin(*view, header.size, true);
  if (inner >= end) return npos;
  if (boundary == Boundary::kNone) return inner;
  TWINSET_ASSIGN(const bool wrong, LastInnerDenies(inner, end, view));
  return wrong ? inner : npos;
}

// The place where a record surely begins right behind the HTTP message in the
// block, npos if the message does not end in front of `end` or nothing begins
// there.
size_t RecordFramer::BeginBehindHttp(std::string_view view,
                                     const Header& header, size_t end) const {
  const std::optional<uint64_t> bytes = HttpMessageBytes(
      view.substr(header.size, std::min<size_t>(end - header.size, kMaxHead)));
  if (!bytes || *bytes >= end - header.size) return npos;
  size_t at = header.size + *bytes;
  at += CountNewlines(view.substr(at, kMaxSeparator));
  if (at >= end) return npos;
  const size_t begin =
      syntax_->FindBegin(view.substr(0, at + kSlack), at, view[at - 1] == '\n');
  return begin == at ? at : npos;
}

// Returns true iff the last record that begins in [from, end) of the unread
// bytes, well framed itself, runs over `end`, or owns the separator in which
// `end` lies: then the record around it does not end there. An archive inside a
// payload ends with the payload. Refreshes *view, which keeps its content.
Result<bool> RecordFramer::LastInnerDenies(size_t from, size_t end,
                                           std::string_view* view) {
  if (rescan_credit_ < end) return false;
  rescan_credit_ -= end;
  size_t last = from;
  for (size_t next = from; next < end;
       next = syntax_->FindBegin(*view, next + 1, false))
    last = next;
  const Header inner = syntax_->ReadHeader(view->substr(last));
  if (!inner.complete || !inner.length) return false;
  if (*inner.length > options_.max_block_bytes) return true;
  const size_t inner_end = last + inner.size + *inner.length;
  if (inner_end == end) return false;
  TWINSET_ASSIGN(*view,
                 stream_->Peek(std::max(inner_end + kSlack, view->size())));
  if (view->size() < inner_end) return false;
  const std::string_view behind = view->substr(inner_end);
  if (inner_end < end && (CountNewlines(behind) < end - inner_end ||
                          !syntax_->Separates(behind, inner)))
    return false;
  return BoundaryAt(*view, inner_end, inner,
                    view->size() < inner_end + kSlack) == Boundary::kRecord;
}

// Returns true iff the record that begins `at` bytes ahead is framed well.
Result<bool> RecordFramer::InnerIsSound(size_t at) {
  TWINSET_ASSIGN(std::string_view view, stream_->Peek(at + kHeaderSteps[1]));
  const Header inner =
      syntax_->ReadHeader(view.substr(std::min(at, view.size())));
  if (!inner.complete || !inner.length ||
      *inner.length > options_.max_block_bytes)
    return false;
  const size_t end = at + inner.size + *inner.length;
  TWINSET_ASSIGN(view, stream_->Peek(end + kSlack));
  if (view.size() < end) return false;
  return BoundaryAt(view, end, inner, view.size() < end + kSlack) ==
         Boundary::kRecord;
}

// The first place in front of `limit` at which a well-framed record begins;
// npos if none.
Result<size_t> RecordFramer::FindSoundInner(std::string_view view,
                                            size_t limit) {
  const size_t size = view.size();
  size_t begin = syntax_->FindBegin(view, 0, last_byte_ == '\n');
  while (begin < limit) {
    TWINSET_ASSIGN(const bool sound, InnerIsSound(begin));
    if (sound) return begin;
    TWINSET_ASSIGN(view, stream_->Peek(size));
    begin = syntax_->FindBegin(view.substr(0, size), begin + 1, false);
  }
  return npos;
}

// A block beyond the limit passes by in constant memory. What stands at its end
// cannot be looked at beforehand: unless its HTTP head confirms the length, a
// sound record inside ends it.
Status RecordFramer::TakeLong(const Header& header, Frame* frame) {
  TWINSET_ASSIGN(std::string_view view, stream_->Peek(header.size + kStep));
  const bool trusted =
      HttpMessageBytes(view.substr(header.size)) == *header.length;
  TakeHeader(view, header, frame);
  for (uint64_t left = *header.length; left > 0;) {
    const size_t want = std::min<uint64_t>(kStep, left + kSlack);
    TWINSET_ASSIGN(view, stream_->Peek(want));
    const size_t size = view.size();
    const size_t limit = std::min<uint64_t>(size, left);
    if (!trusted) {
      TWINSET_ASSIGN(const size_t inner, FindSoundInner(view, limit));
      TWINSET_ASSIGN(view, stream_->Peek(size));
      if (inner != npos) {
        Take(view.substr(0, inner), frame);
        CutBlock(header, frame);
        return {};
      }
    }
    const bool final = size < want;
    const size_t count = final ? limit : std::min<size_t>(limit, size - kSlack);
    Take(view.substr(0, count), frame);
    left -= count;
    if (final && left > 0) {
      frame->damage = "truncated";
      frame->detail = "the source ends " + std::to_string(left) +
                      " bytes before the record";
      return {};
    }
  }
  TWINSET_ASSIGN(view, stream_->Peek(kSlack));
  if (BoundaryAt(view, 0, header, view.size() < kSlack) == Boundary::kNone) {
    TWINSET_TRY(TakeUntilBegin(0, frame));
    CutBlock(header, frame);
  }
  return {};
}

}  // namespace twinset
