#include "read/archive/arc_record.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "read/http_message.h"

namespace twinset {
namespace {

constexpr size_t kMaxLine = 16 << 10;
constexpr size_t kMaxScheme = 32;
constexpr std::string_view kFiledesc = "filedesc://";
constexpr size_t npos = std::string_view::npos;

// "scheme:" at the begin of the line.
bool HasScheme(std::string_view line) {
  if (line.empty() || !IsAsciiLetter(line[0])) return false;
  for (size_t i = 1; i < std::min(line.size(), kMaxScheme); ++i) {
    if (line[i] == ':') return true;
    if (!IsAsciiLetter(line[i]) && !IsAsciiDigit(line[i]) && line[i] != '+' &&
        line[i] != '-' && line[i] != '.')
      return false;
  }
  return false;
}

bool IsAddress(std::string_view word) {
  if (word == "-" || word == "0") return true;
  bool separated = false;
  for (char c : word) {
    const bool separator = c == '.' || c == ':';
    separated = separated || separator;
    if (!separator && !IsAsciiDigit(c) && !(c >= 'a' && c <= 'f') &&
        !(c >= 'A' && c <= 'F'))
      return false;
  }
  return separated && word.size() >= 2 && word.size() <= 45;
}

bool IsDate(std::string_view word) {
  return word.size() >= 12 && word.size() <= 18 &&
         std::all_of(word.begin(), word.end(), IsAsciiDigit);
}

std::vector<std::string_view> SplitWords(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t end = line.find(' ');
    words.push_back(line.substr(0, end));
    line.remove_prefix(end == npos ? line.size() : end + 1);
  }
  return words;
}

// Position of the address, if a date and at least two words follow it; 0 if
// there is none.
size_t FindAddress(const std::vector<std::string_view>& words) {
  for (size_t at = words.size() < 4 ? 0 : words.size() - 4; at > 0; --at)
    if (IsAddress(words[at]) && IsDate(words[at + 1])) return at;
  return 0;
}

// The first line of text, if it ends within the limit.
std::optional<std::string_view> FirstLine(std::string_view text) {
  const size_t end = text.substr(0, kMaxLine).find('\n');
  if (end == npos) return std::nullopt;
  std::string_view line = text.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

class ArcSyntaxImpl : public RecordSyntax {
 public:
  bool Begins(std::string_view text) const override {
    if (!HasScheme(text)) return false;
    const auto line = FirstLine(text);
    return line && ParseArcHeader(*line, ArcCertainty::kDue);
  }

  size_t FindBegin(std::string_view text, size_t from,
                   bool line_begin) const override {
    if (!line_begin) from = NextLine(text, from);
    for (; from < text.size(); from = NextLine(text, from)) {
      if (SurelyBegins(text.substr(from))) return from;
    }
    return npos;
  }

  Header ReadHeader(std::string_view text) const override {
    Header header;
    const auto line = FirstLine(text);
    if (!line) return header;
    const auto parsed = ParseArcHeader(*line, ArcCertainty::kDue);
    if (!parsed) return header;
    header.complete = true;
    header.size = text.find('\n') + 1;
    header.length = parsed->length;
    header.bare_lf = true;
    return header;
  }

  bool Separates(std::string_view text, const Header&) const override {
    return !text.empty() && text[0] == '\n';
  }

  size_t TrailingSeparator(std::string_view block,
                           const Header&) const override {
    return !block.empty() && block.back() == '\n' ? 1 : 0;
  }

  // The rest of a URL still looks like a URL, so that a header can seem to
  // begin inside itself.
  bool SplitsHeader(std::string_view text, size_t at) const override {
    const size_t window = at < kMaxLine ? 0 : at - kMaxLine;
    const size_t newline = text.substr(window, at - window).rfind('\n');
    if (newline == npos) return false;
    const size_t begin = window + newline + 1;
    return begin < at && SurelyBegins(text.substr(begin));
  }

  // An ARC header has no magic that could be found inside a line.
  size_t separator_slack() const override { return 2; }

 private:
  static bool SurelyBegins(std::string_view text) {
    if (!HasScheme(text)) return false;
    const auto line = FirstLine(text);
    return line && ParseArcHeader(*line, ArcCertainty::kSure);
  }
  static size_t NextLine(std::string_view text, size_t from) {
    const size_t end = text.find('\n', from);
    return end == npos ? text.size() : end + 1;
  }
};

}  // namespace

std::optional<ArcHeader> ParseArcHeader(std::string_view line,
                                        ArcCertainty certainty) {
  if (!HasScheme(line)) return std::nullopt;
  const std::vector<std::string_view> words = SplitWords(line);
  ArcHeader header;
  header.length = words.empty() ? std::nullopt : ParseDecimal(words.back());
  size_t address = FindAddress(words);
  if (address == 0) {
    if (certainty == ArcCertainty::kSure || words.size() < 5 || !header.length)
      return std::nullopt;
    address = words.size() - 4;
  }
  const char* url_end = words[address].data() - 1;
  header.url.assign(line.data(), url_end);
  header.ip = words[address];
  header.date = words[address + 1];
  header.mime = ToLowerAscii(words[address + 2]);
  if (words.size() - address ==
      9) {  // version 2: status, checksum, location, offset, filename
    const auto status = ParseDecimal(words[address + 3]);
    if (status && *status >= 100 && *status < 1000)
      header.status = static_cast<int>(*status);
  }
  return header;
}

std::string ArcDate(std::string_view digits) {
  const auto number = [digits](size_t at) {
    return (digits[at] - '0') * 10 + digits[at + 1] - '0';
  };
  std::string date(digits);
  if (digits.size() != 14 ||
      !std::all_of(digits.begin(), digits.end(), IsAsciiDigit))
    return date;
  if (number(4) < 1 || number(4) > 12 || number(6) < 1 || number(6) > 31 ||
      number(8) > 23 || number(10) > 59 || number(12) > 60)
    return date;
  date.insert(12, ":").insert(10, ":").insert(8, "T").insert(6, "-").insert(
      4, "-");
  date.push_back('Z');
  return date;
}

const RecordSyntax& ArcSyntax() {
  static const ArcSyntaxImpl syntax;
  return syntax;
}

ArcRecordParser::ArcRecordParser(std::unique_ptr<ByteStream> stream,
                                 FramerOptions options)
    : framer_(std::move(stream), &ArcSyntax(), std::move(options)) {}

Result<bool> ArcRecordParser::Next(ArcRecord* record) {
  TWINSET_ASSIGN(const bool more, framer_.Next(&record->frame));
  if (!more) return false;
  record->header = {};
  std::string_view rest = record->frame.header, line;
  if (TakeLine(&rest, &line)) {
    auto header = ParseArcHeader(line, ArcCertainty::kDue);
    if (header) record->header = *std::move(header);
  }
  record->is_filedesc =
      record->header.url.substr(0, kFiledesc.size()) == kFiledesc;
  return true;
}

}  // namespace twinset
