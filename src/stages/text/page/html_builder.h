// Collects visible text: collapses white space, separates blocks, keeps
// offsets.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_HTML_BUILDER_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_HTML_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "text/page/clean_text.h"

namespace twinset {

class TextBuilder {
 public:
  TextBuilder(bool keep_offsets, CleanText* out)
      : keep_offsets_(keep_offsets), out_(out) {}

  // Source bytes that stand for themselves; `source` is the position of the
  // first.
  void Text(std::string_view utf8, uint32_t source);
  // What one character reference at `source` decodes to.
  void Piece(std::string_view utf8, uint32_t source);
  // A soft hyphen stood here. It leaves nothing. (Text and Piece pass over
  // those in their bytes too.)
  void SoftHyphen() { after_return_ = false; }
  // A block begins or ends: one line feed between what stands on both sides.
  void Break(uint32_t source) { Separate(kLine, source); }
  // A table cell begins or ends: one tab, unless a line feed separates already.
  void Cell(uint32_t source) { Separate(kTab, source); }
  // White space is kept from now on, or collapsed again. Nests.
  void BeginPreserve() { ++preserve_; }
  void EndPreserve() { --preserve_; }
  // Drops white space at the end of the text. To be called once, last.
  void Finish();

 private:
  enum Pending { kNone, kSpace, kTab, kLine };

  void Separate(Pending pending, uint32_t source);
  void Append(std::string_view utf8, uint32_t source, bool is_piece);
  void FlushPending();
  void Put(std::string_view bytes, uint32_t source);
  void AddOffset(uint32_t clean, uint32_t source);

  const bool keep_offsets_;
  CleanText* const out_;
  Pending pending_ = kNone;
  uint32_t pending_source_ = 0;
  int preserve_ = 0;
  bool after_return_ =
      false;  // kept white space: the last character was a carriage return
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_HTML_BUILDER_H_
