#include "read/wiki/xml_scanner.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "read/record_base.h"
#include "read/xml_prolog.h"

namespace twinset {
namespace {

constexpr size_t npos = std::string_view::npos;
constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kLongestReference = 12;  // "&#x0010FFFF;"
constexpr size_t kPiece = 32 << 10;       // of a text
constexpr std::string_view kOpenData = "<![CDATA[", kCloseData = "]]>";

bool IsSpace(char c) { return kSpace.find(c) != npos; }

void AppendAnyCodePoint(uint32_t code_point, std::string* text) {
  if (code_point < 0x10000) return AppendCodePoint(code_point, text);
  for (const uint32_t byte :
       {0xF0 | code_point >> 18, 0x80 | (code_point >> 12 & 0x3F),
        0x80 | (code_point >> 6 & 0x3F), 0x80 | (code_point & 0x3F)})
    *text += static_cast<char>(byte);
}

// The digits of "#38" or "#x26". Nothing for what is no character of XML.
std::optional<uint32_t> CharacterOf(std::string_view digits) {
  const bool is_hex = digits.starts_with('x');
  if (is_hex) digits.remove_prefix(1);
  const uint32_t base = is_hex ? 16 : 10;
  if (digits.empty() || digits.size() > 8) return std::nullopt;
  uint32_t value = 0;
  for (const char c : digits) {
    const char lower = ToLowerAscii(c);
    const uint32_t digit = IsAsciiDigit(c) ? static_cast<uint32_t>(c - '0')
                           : lower >= 'a' && lower <= 'f'
                               ? static_cast<uint32_t>(lower - 'a') + 10
                               : base;
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
    if (value > 0x10FFFF) return std::nullopt;
  }
  const bool is_control =
      value < 0x20 && value != '\t' && value != '\n' && value != '\r';
  const bool is_surrogate = value >= 0xD800 && value < 0xE000;
  if (is_control || is_surrogate) return std::nullopt;
  return value;
}

bool DecodeReference(std::string_view name, std::string* decoded) {
  static constexpr struct {
    std::string_view name;
    char value;
  } kEntities[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& entity : kEntities) {
    if (name != entity.name) continue;
    *decoded += entity.value;
    return true;
  }
  if (!name.starts_with('#')) return false;
  const std::optional<uint32_t> value = CharacterOf(name.substr(1));
  if (value) AppendAnyCodePoint(*value, decoded);
  return value.has_value();
}

// Position behind the '>' that ends the tag, 0 where it is not there. Quoted
// values may hold one, but no '<': a lost quote costs one tag.
size_t EndOfTag(std::string_view view) {
  char quote = 0;
  for (size_t i = 1; i < view.size(); ++i) {
    const char c = view[i];
    if (c == '<') return 0;
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace

std::string DecodeXmlReferences(std::string_view text, std::string* decoded) {
  for (;;) {
    const size_t at = text.find('&');
    decoded->append(text.substr(0, at));
    if (at == npos) return {};
    text.remove_prefix(at + 1);
    const size_t end = text.substr(0, kLongestReference).find(';');
    if (end == npos) return "an & begins no reference";
    if (!DecodeReference(text.substr(0, end), decoded))
      return "unknown reference &" + std::string(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
}

std::string XmlAttribute(std::string_view attributes, std::string_view name) {
  while (!attributes.empty()) {
    const size_t begin =
        std::min(attributes.find_first_not_of(kSpace), attributes.size());
    attributes.remove_prefix(begin);
    const size_t equals = attributes.find('=');
    if (equals == npos) return {};
    const std::string_view key = Trim(attributes.substr(0, equals), kSpace);
    attributes.remove_prefix(equals + 1);
    attributes.remove_prefix(
        std::min(attributes.find_first_not_of(kSpace), attributes.size()));
    if (attributes.empty()) return {};
    const size_t end = attributes.find(attributes[0], 1);
    if (end == npos) return {};
    std::string value;
    if (key == name) {
      const std::string wrong =
          DecodeXmlReferences(attributes.substr(1, end - 1), &value);
      return wrong.empty() ? value : std::string();
    }
    attributes.remove_prefix(end + 1);
  }
  return {};
}

Result<std::string_view> XmlScanner::View() {
  if (view_.size() - at_ < kMostBytes) {
    stream_->Consume(at_);
    at_ = 0;
    TWINSET_ASSIGN(view_, stream_->Peek(kHoldBack));
    is_whole_ = view_.size() < kHoldBack;
  }
  return view_.substr(at_);
}

Result<const StreamFault*> XmlScanner::LookAhead(size_t bytes) {
  stream_->Consume(at_);
  at_ = 0;
  TWINSET_ASSIGN(view_, stream_->Peek(bytes));
  is_whole_ = view_.size() < bytes;
  return stream_->UpcomingFault();
}

Result<StreamFault> XmlScanner::TakeFault() {
  while (!stream_->AtGap()) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
    if (view.empty() && !stream_->AtGap()) break;  // the end: there is none
    stream_->Consume(view.size());
  }
  at_ = 0;
  view_ = {};
  in_data_ = false;
  no_comment_end_ = no_instruction_end_ = 0;
  return stream_->TakeFault();
}

XmlToken XmlScanner::Bad(std::string_view why, bool is_cut) {
  XmlToken token;
  token.kind =
      is_cut && is_whole_ && AtGap() ? XmlToken::kFault : XmlToken::kBad;
  token.text = why;
  at_ += token.kind == XmlToken::kBad && at_ < view_.size();
  in_data_ = false;
  return token;
}

Result<XmlToken> XmlScanner::Next() {
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, View());
    if (view.empty()) {
      XmlToken token;
      if (AtGap()) {
        token.kind = XmlToken::kFault;
      } else if (in_data_) {
        return Bad("CDATA does not end", true);
      }
      return token;
    }
    if (in_data_) {
      const XmlToken token = Data(view);
      if (token.kind == XmlToken::kText && token.text.empty()) continue;
      return token;
    }
    if (view[0] != '<') return Text(view);
    if (view.starts_with(kOpenData)) {
      at_ += kOpenData.size();
      in_data_ = true;
      data_bytes_ = 0;
      continue;
    }
    if (view.size() == 1 || (view[1] != '!' && view[1] != '?'))
      return Tag(view);
    TWINSET_ASSIGN(const bool passed, PassAside(view));
    if (!passed)
      return Bad("a comment, instruction or document type does not end",
                 view.size() < kMostBytes);
  }
}

// Position behind `close`, 0 where it is not there. What was looked through
// without success is not looked through again.
size_t XmlScanner::EndOfAside(std::string_view view, size_t begin,
                              std::string_view close, uint64_t* none) const {
  const uint64_t here = offset();
  if (*none > here + begin) begin = static_cast<size_t>(*none - here);
  const size_t at = view.find(close, begin);
  if (at != npos) return at + close.size();
  *none = here + view.size() - std::min(view.size(), close.size() - 1);
  return 0;
}

// A comment, an instruction or the document type; false where it has no end.
Result<bool> XmlScanner::PassAside(std::string_view view) {
  view = view.substr(0, kMostBytes);
  size_t end = 0;
  if (view.starts_with("<!--")) {
    end = EndOfAside(view, 4, "-->", &no_comment_end_);
  } else if (view.starts_with("<?")) {
    end = EndOfAside(view, 2, "?>", &no_instruction_end_);
  } else if (BeginsDoctype(view)) {
    end = EndOfDoctype(view);
  }
  at_ += end;
  return end > 0;
}

XmlToken XmlScanner::Tag(std::string_view view) {
  const size_t size = EndOfTag(view.substr(0, kMostBytes));
  if (size == 0) return Bad("a tag does not end", view.size() < kMostBytes);
  const bool closes = view[1] == '/';
  std::string_view inside = view.substr(1, size - 2);
  XmlToken token;
  token.kind = closes ? XmlToken::kClose : XmlToken::kOpen;
  if (closes) inside.remove_prefix(1);
  token.is_empty = !closes && inside.ends_with('/');
  if (token.is_empty) inside.remove_suffix(1);
  token.text = inside.substr(0, inside.find_first_of(kSpace));
  if (token.text.empty()) return Bad("a tag without a name", false);
  token.attributes = inside.substr(token.text.size());
  at_ += size;
  return token;
}

XmlToken XmlScanner::Text(std::string_view view) {
  std::string_view piece = view.substr(0, std::min(view.find('<'), kPiece));
  // A reference is not cut.
  if (piece.size() == kPiece) {
    const size_t last = piece.rfind('&');
    if (last != npos && last > 0 && kPiece - last < kLongestReference + 1 &&
        piece.find(';', last) == npos)
      piece = piece.substr(0, last);
  }
  XmlToken token;
  token.kind = XmlToken::kText;
  token.text = piece;
  if (piece.find('&') != npos) {
    decoded_.clear();
    const std::string wrong = DecodeXmlReferences(piece, &decoded_);
    if (!wrong.empty()) {
      decoded_ = wrong;
      return Bad(decoded_, piece.size() == view.size());
    }
    token.text = decoded_;
  }
  at_ += piece.size();
  return token;
}

XmlToken XmlScanner::Data(std::string_view view) {
  view = view.substr(0, kPiece);
  const size_t close = view.find(kCloseData);
  if (close == npos && view.size() < kCloseData.size())
    return Bad("CDATA does not end", true);
  XmlToken token;
  token.kind = XmlToken::kText;
  token.text = view.substr(
      0, close == npos ? view.size() - (kCloseData.size() - 1) : close);
  data_bytes_ += token.text.size();
  if (data_bytes_ > kMostDataBytes) return Bad("CDATA does not end", false);
  at_ += token.text.size() + (close == npos ? 0 : kCloseData.size());
  in_data_ = close == npos;
  return token;
}

Status XmlScanner::SkipTo(std::string_view mark, uint64_t most) {
  in_data_ = false;
  uint64_t skipped = 0;
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, View());
    if (view.empty()) return {};
    const size_t found = view.find(mark);
    const size_t behind = found + mark.size();
    if (found != npos && behind < view.size()) {
      const bool ends = view[behind] == '>' || IsSpace(view[behind]);
      at_ += ends ? found : behind;
      if (ends) return {};
      continue;
    }
    // What may be the begin of a mark stays, unless nothing follows.
    const size_t kept = is_whole_ && view.size() <= mark.size()
                            ? 0
                            : std::min(mark.size(), view.size() - 1);
    at_ += view.size() - kept;
    skipped += view.size() - kept;
    TWINSET_TRY(CheckSkipped(skipped, most));
  }
}

}  // namespace twinset
