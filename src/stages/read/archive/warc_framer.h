// Where a record of a web archive ends, when the lengths may lie. Shared by
// WARC and ARC.
#ifndef TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_FRAMER_H_
#define TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_FRAMER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "read/byte_stream.h"
#include "twinset/error.h"

namespace twinset {

// What a framer has to know about a container format. Stateless. The views may
// end anywhere.
class RecordSyntax {
 public:
  struct Header {
    bool complete =
        false;        // false: `text` ended first, or no header stands there
    size_t size = 0;  // with the line or lines that end it
    std::optional<uint64_t> length;  // of the block; none: missing or no number
    bool bare_lf = false;            // lines end by LF alone
  };

  virtual ~RecordSyntax() = default;
  // Returns true iff a record begins at text[0], at a place where one is due.
  virtual bool Begins(std::string_view text) const = 0;
  // The first place >= from at which a record surely begins, npos if there is
  // none. `line_begin`: text[from] is the first byte of a line.
  virtual size_t FindBegin(std::string_view text, size_t from,
                           bool line_begin) const = 0;
  virtual Header ReadHeader(std::string_view text) const = 0;
  // Returns true iff text begins with what separates a record from the next
  // one.
  virtual bool Separates(std::string_view text, const Header& header) const = 0;
  // Size of that separator at the end of `block`.
  virtual size_t TrailingSeparator(std::string_view block,
                                   const Header& header) const = 0;
  // Returns true iff `at` lies within the first line of a record that surely
  // begins in front of it: where a wrong length may lead to.
  virtual bool SplitsHeader(std::string_view text, size_t at) const = 0;
  // A separator of this many damaged bytes does not hide the record behind it.
  virtual size_t separator_slack() const = 0;
};

struct FramerOptions {
  uint64_t max_block_bytes = 9 << 20;  // of a block that is kept
  bool keep_raw = false;
  // Returns true iff the block is wanted, by the header; empty: it always is.
  std::function<bool(std::string_view header)> want_block;
};

// One record as framed.
struct Frame {
  uint64_t ordinal = 0;      // 0-based, counting damaged ones
  uint64_t offset = 0;       // of its first byte in the decompressed stream
  std::string header;        // empty: no header could be found
  std::string block;         // as far as wanted, at most max_block_bytes
  uint64_t block_bytes = 0;  // its real size
  bool repaired = false;     // the declared length was missing or wrong
  std::string damage;        // empty: sound; else the reason of the quarantine
  std::string detail;
  std::string raw;  // with keep_raw, separators included
  bool raw_complete =
      true;  // false: beyond max_block_bytes + 1 MB; raw is empty then
};

// Cuts a stream into records. A declared length is believed when a record, the
// end or a gap stands behind it; else the places where records surely begin
// decide (docs/formats/warc.md, "Lengths"). So damage within one record costs
// that record at most. Memory: about twice max_block_bytes. Time: linear. One
// thread at a time.
class RecordFramer {
 public:
  RecordFramer(std::unique_ptr<ByteStream> stream, const RecordSyntax* syntax,
               FramerOptions options);

  // False at the end of the source.
  Result<bool> Next(Frame* frame);
  const ByteStream& stream() const { return *stream_; }

 private:
  using Header = RecordSyntax::Header;
  enum class Boundary { kNone, kSeparator, kRecord };

  Result<bool> AtEnd(Frame* frame);
  Status TakeRecord(Frame* frame);
  Status TakeBroken(Frame* frame);
  Status TakeDeclared(const Header& header, Frame* frame);
  Status TakeLong(const Header& header, Frame* frame);
  Status TakeUntilBegin(size_t from, Frame* frame);
  Status TakeNewlines(Frame* frame);
  Status NoteGap(Frame* frame);
  Result<Header> PeekHeader(std::string_view* view);

  void ForgiveLength(Frame* frame);
  void Take(std::string_view bytes, Frame* frame);
  void TakeHeader(std::string_view view, const Header& header, Frame* frame);
  void CutBlock(const Header& header, Frame* frame);
  Boundary BoundaryAt(std::string_view view, size_t at, const Header& header,
                      bool final) const;
  Result<size_t> FindContradiction(const Header& header, size_t end,
                                   Boundary boundary, std::string_view* view);
  size_t BeginBehindHttp(std::string_view view, const Header& header,
                         size_t end) const;
  Result<bool> LastInnerDenies(size_t from, size_t end, std::string_view* view);
  Result<bool> InnerIsSound(size_t at);
  Result<size_t> FindSoundInner(std::string_view view, size_t limit);

  const std::unique_ptr<ByteStream> stream_;
  const RecordSyntax* const syntax_;
  const FramerOptions options_;
  std::optional<StreamFault> pending_fault_;
  uint64_t ordinal_ = 0;
  char last_byte_ = '\n';  // in front of the first unread one
  uint64_t rescan_credit_ =
      0;  // bytes that may still be looked at once more: keeps time linear
  bool in_block_ = false;  // what is taken belongs to the block
  bool keep_block_ = true;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ARCHIVE_WARC_FRAMER_H_
