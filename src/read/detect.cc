#include "read/detect.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "read/codec.h"
#include "read/utf8.h"
#include "read/xml_prolog.h"

namespace twinset::inline v1 {
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

}  // namespace twinset::inline v1
