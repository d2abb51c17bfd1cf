// The tags and texts of XML as they come, for readers of large exports. No DTD
// is read, no entity but the five of XML and references to characters is known,
// and nothing is fetched.
#ifndef TWINSET_SRC_STAGES_READ_WIKI_XML_SCANNER_H_
#define TWINSET_SRC_STAGES_READ_WIKI_XML_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "read/byte_stream.h"

namespace twinset {

// Replaces the references in `text`; empty on success, else what is wrong.
std::string DecodeXmlReferences(std::string_view text, std::string* decoded);

// The value of an attribute, references and all replaced; empty when there is
// none of the name. `attributes`: what stands behind the name of an element.
std::string XmlAttribute(std::string_view attributes, std::string_view name);

struct XmlToken {
  // kBad: what is no XML; the scanner stands behind its first byte. kFault: a
  // gap of the stream stands here or cuts what stands here; it is still to be
  // taken.
  enum Kind { kOpen, kClose, kText, kEnd, kFault, kBad } kind = kEnd;
  // Valid until the next call. kOpen and kClose: the name. kText: a piece, with
  // its references replaced; a text comes in any number of pieces. kBad: why.
  std::string_view text;
  std::string_view attributes;  // kOpen, as they are written
  bool is_empty = false;        // kOpen: closed at once, no kClose follows
};

// Tokens of a stream, front to back. Comments, processing instructions and the
// document type are passed over; CDATA is text. That tags nest is not checked.
// What does not end within kMostBytes (a tag, a comment), or kMostDataBytes
// (CDATA), is bad: so damage costs no more than that before the scanner says
// so. Memory: 512 KB beside the stream's own, however long a text is. Linear
// time.
class XmlScanner {
 public:
  static constexpr size_t kMostBytes = 64 << 10;
  static constexpr size_t kMostDataBytes = 16 << 20;

  // `stream` outlives the scanner; nobody else moves it on in between.
  explicit XmlScanner(ByteStream* stream) : stream_(stream) {}

  Result<XmlToken> Next();

  // Goes to the next `mark` that is followed by '>' or white space, or to a gap
  // or the end. `most`: an Error beyond so many bytes.
  Status SkipTo(std::string_view mark, uint64_t most);

  // The fault of the stream that is noticed `bytes` ahead, if any.
  Result<const StreamFault*> LookAhead(size_t bytes);
  // Takes all that is left in front of the gap, and the gap.
  Result<StreamFault> TakeFault();

  // The offset of the first byte that no token had yet.
  uint64_t offset() const { return stream_->offset() + at_; }

 private:
  Result<std::string_view> View();
  size_t EndOfAside(std::string_view view, size_t begin, std::string_view close,
                    uint64_t* none) const;
  Result<bool> PassAside(std::string_view view);
  XmlToken Tag(std::string_view view);
  XmlToken Text(std::string_view view);
  XmlToken Data(std::string_view view);
  // `is_cut`: more bytes could make it good.
  XmlToken Bad(std::string_view why, bool is_cut);
  bool AtGap() const { return stream_->UpcomingFault() != nullptr; }

  ByteStream* stream_;
  std::string_view view_;  // of the stream, from its place on
  size_t at_ = 0;          // in view_
  bool in_data_ = false;   // CDATA
  size_t data_bytes_ = 0;
  // Offsets before which none begins, of those that are not passed yet.
  uint64_t no_comment_end_ = 0, no_instruction_end_ = 0;
  bool is_whole_ = false;  // the view reaches a gap or the end
  std::string decoded_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_WIKI_XML_SCANNER_H_
