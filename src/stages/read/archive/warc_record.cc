#include "read/archive/warc_record.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace twinset {
namespace {

constexpr std::string_view kMagic = "WARC/";
constexpr size_t kMaxVersionLine = 64;
constexpr size_t kMaxBegin = 512;  // what decides whether a record begins
constexpr size_t npos = std::string_view::npos;

// Size of the line "WARC/<digits>.<digits>" with its end, 0 if text does not
// begin with one.
size_t VersionLine(std::string_view text) {
  text = text.substr(0, kMaxVersionLine);
  if (text.substr(0, kMagic.size()) != kMagic) return 0;
  size_t at = kMagic.size();
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && IsAsciiDigit(text[at])) ++at;
    return at > begin;
  };
  if (!digits() || at >= text.size() || text[at++] != '.' || !digits())
    return 0;
  while (at < text.size() &&
         (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'))
    ++at;
  return at < text.size() && text[at] == '\n' ? at + 1 : 0;
}

// A field that WARC headers have: WARC-* or Content-*.
bool IsWarcField(std::string_view line) {
  return (EqualsIgnoreCase(line.substr(0, 5), "warc-") ||
          EqualsIgnoreCase(line.substr(0, 8), "content-")) &&
         LooksLikeField(line.substr(0, line.find('\n')));
}

// A version line and a field of WARC behind it: text that is no record has
// hardly both.
bool SurelyBegins(std::string_view text) {
  const size_t size = VersionLine(text);
  return size > 0 && IsWarcField(text.substr(size, 256));
}

class WarcSyntaxImpl : public RecordSyntax {
 public:
  bool Begins(std::string_view text) const override {
    if (text.size() <= kMagic.size())
      return !text.empty() && kMagic.substr(0, text.size()) == text;
    return text.substr(0, kMagic.size()) == kMagic &&
           IsAsciiDigit(text[kMagic.size()]);
  }

  size_t FindBegin(std::string_view text, size_t from, bool) const override {
    size_t at = text.find(kMagic, from);
    while (at != npos && !SurelyBegins(text.substr(at)))
      at = text.find(kMagic, at + 1);
    return at;
  }

  Header ReadHeader(std::string_view text) const override {
    Header header;
    std::string_view rest = text, line;
    if (!TakeLine(&rest, &line)) return header;
    header.bare_lf = text[line.size()] == '\n';
    while (!rest.empty()) {
      const size_t line_end = rest.find('\n');
      if (line_end == npos) return Header{};
      TakeLine(&rest, &line);
      if (!line.empty()) {
        NoteLength(line, &header);
      } else if (header.length || !IsWarcField(rest)) {
        // An empty line ends the header, unless it goes on and the length is
        // still to come.
        header.complete = true;
        header.size = text.size() - rest.size();
        // With another record inside, the header has lost its end.
        return FindBegin(text.substr(0, header.size + kMaxBegin), 1, false) <
                       header.size
                   ? Header{}
                   : header;
      }
    }
    return Header{};
  }

  bool Separates(std::string_view text, const Header& header) const override {
    if (header.bare_lf) return !text.empty() && text[0] == '\n';
    return text.substr(0, 4) == "\r\n\r\n" || text.substr(0, 2) == "\n\n";
  }

  size_t TrailingSeparator(std::string_view block,
                           const Header& header) const override {
    const auto ends = [block](std::string_view end) {
      return block.size() >= end.size() &&
             block.substr(block.size() - end.size()) == end;
    };
    if (header.bare_lf) return ends("\n") ? 1 : 0;
    for (std::string_view end : {"\r\n\r\n", "\n\n", "\r\n", "\n"})
      if (ends(end)) return end.size();
    return 0;
  }

  // The begin is recognised by a magic that no part of a header has.
  bool SplitsHeader(std::string_view, size_t) const override { return false; }

  size_t separator_slack() const override { return 0; }

 private:
  static void NoteLength(std::string_view line, Header* header) {
    constexpr std::string_view kName = "content-length";
    if (header->length ||
        !EqualsIgnoreCase(line.substr(0, kName.size()), kName))
      return;
    std::string_view value = TrimBlanks(line.substr(kName.size()));
    if (value.empty() || value[0] != ':') return;
    header->length = ParseDecimal(value.substr(1));
  }
};

std::string StripBrackets(std::string_view uri) {
  uri = TrimBlanks(uri);
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>')
    uri = uri.substr(1, uri.size() - 2);
  return std::string(uri);
}

}  // namespace

const RecordSyntax& WarcSyntax() {
  static const WarcSyntaxImpl syntax;
  return syntax;
}

HeaderFields ParseWarcFields(std::string_view header) {
  HeaderFields fields;
  std::string_view line;
  TakeLine(&header, &line);  // the version
  while (TakeLine(&header, &line))
    if (!line.empty()) fields.AddLine(line, true);
  return fields;
}

const std::string& WarcRecord::Get(std::string_view name) const {
  static const std::string kNone;
  const std::string* value = fields.Find(name);
  return value ? *value : kNone;
}

WarcRecordParser::WarcRecordParser(std::unique_ptr<ByteStream> stream,
                                   FramerOptions options)
    : framer_(std::move(stream), &WarcSyntax(), std::move(options)) {}

Result<bool> WarcRecordParser::Next(WarcRecord* record) {
  TWINSET_ASSIGN(const bool more, framer_.Next(&record->frame));
  if (!more) return false;
  record->fields = ParseWarcFields(record->frame.header);
  record->type = ToLowerAscii(record->Get("WARC-Type"));
  record->target_uri = StripBrackets(record->Get("WARC-Target-URI"));
  return true;
}

}  // namespace twinset
