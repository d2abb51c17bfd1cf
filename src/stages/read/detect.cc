#include "read/detect.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/lists/list_text.h"
#include "base/lists/wide_text.h"
#include "read/codec.h"
#include "read/utf8.h"
#include "read/xml_prolog.h"

namespace twinset {
namespace {

void SkipSpace(std::string_view* text) {
  text->remove_prefix(
      std::min(text->find_first_not_of(" \t\r\n\f\v"), text->size()));
}

// Drops comments and processing instructions in front of the first element.
std::string_view FirstElement(std::string_view text) {
  for (;;) {
    SkipSpace(&text);
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?")) return text;
    const std::string_view close = comment ? "-->" : "?>";
    const size_t end = text.find(close);
    // A comment longer than what we see is still markup.
    if (end == std::string_view::npos) return comment ? "<html" : "";
    text.remove_prefix(end + close.size());
  }
}

// Behind any document type; of one that is longer than what is seen the name
// tells. The name may have the prefix of a namespace.
bool IsMediaWiki(std::string_view text) {
  constexpr std::string_view kDoctype = "<!DOCTYPE ";
  text = FirstElement(text);
  if (const std::string_view root = RootElement(text); !root.empty())
    text = root;
  if (!text.starts_with('<')) return false;
  text.remove_prefix(text.starts_with(kDoctype) ? kDoctype.size() : 1);
  std::string_view name = text.substr(0, text.find_first_of("> \t\r\n["));
  if (const size_t colon = name.find(':'); colon != name.npos)
    name.remove_prefix(colon + 1);
  return name == "mediawiki";
}

bool IsMarkup(std::string_view bytes) {
  const std::string lower = ToLowerAscii(FirstElement(bytes).substr(0, 64));
  if (lower.starts_with("<!doctype html")) return true;
  if (!lower.starts_with("<")) return false;
  static constexpr std::string_view kElements[] = {
      "html",  "head",    "body", "title",    "meta",   "link",    "script",
      "style", "base",    "div",  "p",        "h1",     "h2",      "h3",
      "table", "span",    "a",    "b",        "i",      "br",      "center",
      "font",  "ul",      "ol",   "frameset", "iframe", "article", "section",
      "main",  "header",  "nav",  "form",     "img",    "pre",     "hr",
      "dl",    "noscript"};
  const std::string_view name =
      std::string_view(lower).substr(1, lower.find_first_of(" \t\r\n\f/>") - 1);
  return std::find(std::begin(kElements), std::end(kElements), name) !=
         std::end(kElements);
}

// '{' and then a key or nothing: code and prose go on differently.
bool IsJsonObject(std::string_view text) {
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  SkipSpace(&text);
  return text.starts_with('"') || text.starts_with('}');
}

// Parquet, Arrow files (Feather), Arrow streams, ORC. Text may begin with the
// same letters, but has no NUL near, nor what follows them in any Parquet: the
// head of the first field of a page or of a footer. It is not these letters
// alone either, as of a file that was cut off.
bool IsTable(std::string_view bytes) {
  if (bytes == "PAR1" || bytes == "ARROW1" || bytes.starts_with("PAR1\x15"))
    return true;
  static constexpr std::string_view kMagics[] = {"PAR1", "ARROW1", "ORC"};
  // A stream begins with the mark of a message and its length, of which eight
  // is a divisor: its schema, whose last length bytes are zero.
  if (bytes.size() >= 8 && bytes.starts_with("\xff\xff\xff\xff"))
    return bytes[4] % 8 == 0 && bytes[7] == 0 &&
           bytes.substr(4, 3) != std::string_view("\0\0\0", 3);
  return std::any_of(std::begin(kMagics), std::end(kMagics),
                     [&](std::string_view magic) {
                       return bytes.starts_with(magic);
                     }) &&
         bytes.substr(0, kDetectFormatBytes).find('\0') != bytes.npos;
}

InputFormat FormatOfSuffix(std::string_view path) {
  static constexpr struct {
    std::string_view suffix;
    InputFormat format;
  } kRows[] = {
      {".warc", InputFormat::kWarc},    {".wet", InputFormat::kWarc},
      {".wat", InputFormat::kWarc},     {".arc", InputFormat::kArc},
      {".trec", InputFormat::kTrec},    {".jsonl", InputFormat::kJsonl},
      {".ndjson", InputFormat::kJsonl}, {".json", InputFormat::kJsonl},
      {".csv", InputFormat::kCsv},      {".tsv", InputFormat::kTsv},
      {".html", InputFormat::kHtml},    {".htm", InputFormat::kHtml},
      {".xhtml", InputFormat::kHtml},   {".txt", InputFormat::kText}};
  const std::string name = ToLowerAscii(WithoutCompressionSuffix(path));
  for (const auto& row : kRows) {
    if (name.ends_with(row.suffix)) return row.format;
  }
  return InputFormat::kText;
}

// Formats of one document per file, whatever its coding.
bool IsWhole(InputFormat format) {
  return format == InputFormat::kText || format == InputFormat::kHtml;
}

// The format of a table whose first line names the field of the text as a
// column; prose has blanks around its commas.
std::optional<InputFormat> TableOf(std::string_view text,
                                   const ReadOptions& options) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool is_tsv = line.find('\t') != line.npos;
  bool has_field = false, has_several = false;
  for (bool is_last = false; !is_last; has_several = has_several || !is_last) {
    const size_t end = line.find(is_tsv ? '\t' : ',');
    std::string_view cell = line.substr(0, end);
    is_last = end == line.npos;
    line.remove_prefix(is_last ? line.size() : end + 1);
    if (cell.starts_with(' ') || cell.ends_with(' ')) return {};
    if (cell.size() > 2 && cell.starts_with('"') && cell.ends_with('"'))
      cell = cell.substr(1, cell.size() - 2);
    for (const std::string* field :
         {&options.text_field, &options.html_field, &options.features_field})
      has_field = has_field || (!field->empty() && cell == *field);
  }
  if (!has_field || !has_several) return {};
  return is_tsv ? InputFormat::kTsv : InputFormat::kCsv;
}

}  // namespace

bool IsJsonArray(std::string_view first_bytes) {
  std::string_view text = first_bytes.substr(0, kDetectFormatBytes);
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  SkipSpace(&text);
  if (!text.starts_with('[')) return false;
  text.remove_prefix(1);
  SkipSpace(&text);
  if (IsJsonObject(text)) return true;
  if (!text.starts_with(']')) return false;
  text.remove_prefix(1);
  SkipSpace(&text);
  return text.empty();
}

InputFormat DetectFormat(std::string_view first_bytes, std::string_view path) {
  std::string_view text = first_bytes.substr(0, kDetectFormatBytes);
  if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
  SkipSpace(&text);
  if (IsTable(first_bytes)) return InputFormat::kTable;
  if (text.starts_with("WARC/")) return InputFormat::kWarc;
  if (text.starts_with("filedesc:")) return InputFormat::kArc;
  if (text.starts_with("<DOC>")) return InputFormat::kTrec;
  if (IsMediaWiki(text)) return InputFormat::kMediaWiki;
  const InputFormat named = FormatOfSuffix(path);
  // A table's header row may be anything.
  if (named == InputFormat::kCsv || named == InputFormat::kTsv) return named;
  if (IsJsonObject(text)) return InputFormat::kJsonl;
  if (IsJsonArray(text)) return InputFormat::kJsonl;
  if (DeclaresXhtml(first_bytes) || IsMarkup(text)) return InputFormat::kHtml;
  return named;
}

Recognised Recognise(std::string_view first_bytes, std::string_view path,
                     const ReadOptions& options) {
  const bool is_said = options.format != InputFormat::kAuto;
  const InputFormat seen =
      is_said ? options.format : DetectFormat(first_bytes, path);
  const WideText wide = ReadWideText(first_bytes.substr(0, kDetectFormatBytes));
  if (wide.coding.empty() || (is_said && IsWhole(seen))) return {seen, {}};
  const InputFormat by_text = DetectFormat(wide.text, {});
  if (!IsWhole(by_text))
    return {is_said ? seen : DetectFormat(wide.text, path), wide.coding};
  if (const auto table = TableOf(wide.text, options); table && !is_said)
    return {*table, wide.coding};
  if (!IsWhole(seen))
    return {seen, CheckListBytes(first_bytes, "") ? "" : wide.coding};
  return {wide.is_marked && by_text == InputFormat::kHtml ? by_text : seen, {}};
}

}  // namespace twinset
