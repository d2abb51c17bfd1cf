#include "text/page/html_builder.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/html/html_scan.h"

namespace twinset {

void TextBuilder::Text(std::string_view utf8, uint32_t source) {
  Append(utf8, source, false);
}

void TextBuilder::Piece(std::string_view utf8, uint32_t source) {
  Append(utf8, source, true);
}

void TextBuilder::Append(std::string_view utf8, uint32_t source,
                         bool is_piece) {
  size_t at = 0;
  const auto position = [&](size_t i) {
    return is_piece ? source : source + static_cast<uint32_t>(i);
  };
  while (at < utf8.size()) {
    const char c = utf8[at];
    if (c == '\0') {  // the parser drops it; it means nothing in text
      ++at;
      continue;
    }
    if (IsAsciiSpace(c)) {
      if (preserve_ == 0) {
        if (pending_ == kNone) Separate(kSpace, position(at));
      } else if (c == '\n' && after_return_) {
        // second half of a line end that was written already
      } else {
        FlushPending();
        Put(c == '\r' ? "\n" : utf8.substr(at, 1), position(at));
      }
      after_return_ = c == '\r';
      ++at;
      continue;
    }
    after_return_ = false;
    if (IsSoftHyphen(utf8, at)) {
      at += kSoftHyphen.size();
      continue;
    }
    size_t end = at + 1;
    while (end < utf8.size() && !IsAsciiSpace(utf8[end]) && utf8[end] != '\0' &&
           !IsSoftHyphen(utf8, end)) {
      ++end;
    }
    FlushPending();
    if (is_piece) {
      for (size_t i = at; i < end;) {
        size_t next = i + 1;
        while (next < end && IsContinuation(utf8[next])) ++next;
        Put(utf8.substr(i, next - i), source);
        i = next;
      }
    } else {
      Put(utf8.substr(at, end - at), position(at));
    }
    at = end;
  }
}

void TextBuilder::Separate(Pending pending, uint32_t source) {
  after_return_ = false;
  if (pending <= pending_) return;
  if (pending_ == kNone) pending_source_ = source;
  pending_ = pending;
}

void TextBuilder::FlushPending() {
  const Pending pending = pending_;
  pending_ = kNone;
  if (pending == kNone || out_->text.empty()) return;
  const char last = out_->text.back();
  if (last == '\n' || (pending != kLine && IsAsciiSpace(last))) return;
  Put(pending == kLine ? "\n" : pending == kTab ? "\t" : " ", pending_source_);
}

void TextBuilder::Put(std::string_view bytes, uint32_t source) {
  if (keep_offsets_) {
    AddOffset(static_cast<uint32_t>(out_->text.size()), source);
  }
  out_->text.append(bytes);
}

void TextBuilder::AddOffset(uint32_t clean, uint32_t source) {
  if (!out_->offsets.empty()) {
    const OffsetEntry& last = out_->offsets.back();
    if (last.source + (clean - last.clean) == source) return;
  }
  out_->offsets.push_back({clean, source});
}

void TextBuilder::Finish() {
  pending_ = kNone;
  while (!out_->text.empty() && IsAsciiSpace(out_->text.back())) {
    out_->text.pop_back();
  }
  while (!out_->offsets.empty() &&
         out_->offsets.back().clean >= out_->text.size()) {
    out_->offsets.pop_back();
  }
}

}  // namespace twinset
