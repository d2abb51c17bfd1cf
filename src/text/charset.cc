// Which encoding a document is in.
#include "text/charset.h"

#include <uchardet/uchardet.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace twinset {
namespace {

constexpr size_t kPrescanBytes = 1024;
constexpr size_t kDetectBytes = 256 << 10;

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char l, char c) { return l == Lower(c); });
}

// "Extracting a character encoding from a meta element" (HTML standard):
// charset=X inside the content attribute.
std::string_view CharsetInContent(std::string_view content) {
  for (size_t at = 0; at < content.size(); ++at) {
    if (!StartsWithIgnoringCase(content.substr(at), "charset")) continue;
    size_t i = at + 7;
    while (i < content.size() && IsSpace(content[i])) ++i;
    if (i >= content.size() || content[i] != '=') {
      at = i - 1;
      continue;
    }
    ++i;
    while (i < content.size() && IsSpace(content[i])) ++i;
    if (i >= content.size()) return {};
    if (content[i] == '"' || content[i] == '\'') {
      const size_t end = content.find(content[i], i + 1);
      if (end == std::string_view::npos) return {};
      return CharsetForLabel(content.substr(i + 1, end - i - 1));
    }
    size_t end = i;
    while (end < content.size() && !IsSpace(content[end]) &&
           content[end] != ';') {
      ++end;
    }
    return CharsetForLabel(content.substr(i, end - i));
  }
  return {};
}

// The byte-level scanner of the prescan. Every step moves forward: linear.
class MetaPrescan {
 public:
  explicit MetaPrescan(std::string_view bytes) : bytes_(bytes) {}

  std::string_view Run() {
    while (at_ < bytes_.size()) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.substr(0, 4) == "<!--") {
        const size_t end = bytes_.find("-->", at_ + 2);
        if (end == std::string_view::npos) return {};
        at_ = end + 3;
      } else if (StartsWithIgnoringCase(rest, "<meta") && rest.size() > 5 &&
                 (IsSpace(rest[5]) || rest[5] == '/')) {
        at_ += 5;
        const std::string_view found = ReadMeta();
        if (!found.empty()) return found;
      } else if (rest.size() > 1 && rest[0] == '<' &&
                 (IsLetter(rest[1]) ||
                  (rest[1] == '/' && rest.size() > 2 && IsLetter(rest[2])))) {
        while (at_ < bytes_.size() && !IsSpace(bytes_[at_]) &&
               bytes_[at_] != '>') {
          ++at_;
        }
        while (ReadAttribute()) {
        }
        ++at_;
      } else if (rest.size() > 1 && rest[0] == '<' &&
                 (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        const size_t end = bytes_.find('>', at_);
        if (end == std::string_view::npos) return {};
        at_ = end + 1;
      } else {
        ++at_;
      }
    }
    return {};
  }

 private:
  std::string_view ReadMeta() {
    bool got_pragma = false;
    std::optional<bool> need_pragma;
    std::string_view charset;
    std::string seen;  // names met: only the first of a kind counts
    while (ReadAttribute()) {
      if (name_ == "http-equiv" && seen.find('h') == std::string::npos) {
        seen += 'h';
        got_pragma = value_ == "content-type";
      } else if (name_ == "content" && seen.find('c') == std::string::npos) {
        seen += 'c';
        const std::string_view found = CharsetInContent(value_);
        if (!found.empty() && charset.empty()) {
          charset = found;
          need_pragma = true;
        }
      } else if (name_ == "charset" && seen.find('s') == std::string::npos) {
        seen += 's';
        charset = CharsetForLabel(value_);
        need_pragma = false;
      }
    }
    if (at_ >= bytes_.size()) return {};  // cut off: not to be trusted
    if (!need_pragma.has_value() || (*need_pragma && !got_pragma)) return {};
    return charset;
  }

  // "Get an attribute": false at the end of the tag or of the bytes.
  bool ReadAttribute() {
    name_.clear();
    value_.clear();
    const auto skip_spaces = [&] {
      while (at_ < bytes_.size() && IsSpace(bytes_[at_])) ++at_;
    };
    while (at_ < bytes_.size() &&
           (IsSpace(bytes_[at_]) || bytes_[at_] == '/')) {
      ++at_;
    }
    if (at_ >= bytes_.size() || bytes_[at_] == '>') return false;
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_];
      if ((c == '=' && !name_.empty()) || c == '/' || c == '>' || IsSpace(c)) {
        break;
      }
      name_ += Lower(c);
      ++at_;
    }
    skip_spaces();
    if (at_ >= bytes_.size() || bytes_[at_] != '=') return true;
    ++at_;
    skip_spaces();
    if (at_ >= bytes_.size()) return true;
    const char quote = bytes_[at_];
    if (quote == '"' || quote == '\'') {
      for (++at_; at_ < bytes_.size() && bytes_[at_] != quote; ++at_) {
        value_ += Lower(bytes_[at_]);
      }
      if (at_ < bytes_.size()) ++at_;
      return true;
    }
    while (at_ < bytes_.size() && !IsSpace(bytes_[at_]) && bytes_[at_] != '>') {
      value_ += Lower(bytes_[at_++]);
    }
    return true;
  }

  const std::string_view bytes_;
  size_t at_ = 0;
  std::string name_, value_;  // of the last attribute, lower case
};

// encoding="..." of an XML declaration at the very start ("get an XML
// encoding").
std::string_view CharsetInXmlDeclaration(std::string_view bytes) {
  if (bytes.substr(0, 5) != "<?xml") return {};
  bytes = bytes.substr(0, bytes.find('>'));
  size_t at = bytes.find("encoding");
  if (at == std::string_view::npos) return {};
  at += 8;
  const auto skip = [&] {
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) <= ' ') {
      ++at;
    }
  };
  skip();
  if (at >= bytes.size() || bytes[at] != '=') return {};
  ++at;
  skip();
  if (at >= bytes.size() || (bytes[at] != '"' && bytes[at] != '\'')) return {};
  const size_t end = bytes.find(bytes[at], at + 1);
  if (end == std::string_view::npos) return {};
  return CharsetForLabel(bytes.substr(at + 1, end - at - 1));
}

struct DeleteDetector {
  void operator()(uchardet* detector) const { uchardet_delete(detector); }
};

std::string_view AskUchardet(std::string_view bytes) {
  const std::unique_ptr<uchardet, DeleteDetector> detector(uchardet_new());
  if (detector == nullptr) return {};
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) {
    return {};
  }
  uchardet_data_end(detector.get());
  return CharsetForLabel(uchardet_get_charset(detector.get()));
}

}  // namespace

std::string_view CharsetForBom(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") return "UTF-8";
  if (bytes.substr(0, 2) == "\xFE\xFF") return "UTF-16BE";
  if (bytes.substr(0, 2) == "\xFF\xFE") return "UTF-16LE";
  return {};
}

std::string_view PrescanMarkup(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kPrescanBytes);
  std::string_view charset = MetaPrescan(head).Run();
  if (charset.empty()) charset = CharsetInXmlDeclaration(head);
  if (charset == "UTF-16LE" || charset == "UTF-16BE") return "UTF-8";
  if (charset == "x-user-defined") return "windows-1252";
  return charset;
}

std::string_view DetectCharset(std::string_view bytes) {
  size_t first = 0;
  while (first < bytes.size() &&
         static_cast<unsigned char>(bytes[first]) < 0x80) {
    ++first;
  }
  const bool ascii = first == bytes.size();
  if (ValidUtf8Prefix(bytes) == bytes.size()) {
    // ISO-2022-JP is the one encoding of the standard that looks like ASCII.
    if (ascii &&
        (bytes.find("\x1B$") != std::string_view::npos ||
         bytes.find("\x1B(") != std::string_view::npos) &&
        AskUchardet(bytes.substr(0, kDetectBytes)) == "ISO-2022-JP") {
      return "ISO-2022-JP";
    }
    return "UTF-8";
  }
  const std::string_view guess = AskUchardet(bytes.substr(first, kDetectBytes));
  // Undeclared UTF-16 without a mark is not something the standard reads; the
  // encodings that it replaces wholesale would lose the document.
  if (guess.empty() || guess == "replacement" || guess == "UTF-16LE" ||
      guess == "UTF-16BE" || guess == "x-user-defined") {
    return "windows-1252";
  }
  return guess;
}

std::string_view ChooseCharset(std::string_view bytes,
                               std::string_view declared, bool is_html) {
  std::string_view charset = CharsetForBom(bytes);
  if (charset.empty() && !declared.empty()) charset = CharsetForLabel(declared);
  if (charset.empty() && is_html) charset = PrescanMarkup(bytes);
  if (charset.empty()) charset = DetectCharset(bytes);
  return charset;
}

}  // namespace twinset
