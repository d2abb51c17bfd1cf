// The row of `twinset text --json`.
#include "base/json_text.h"
#include "twinset/inspect.h"
#include "twinset/json.h"

namespace twinset {

namespace {

template <typename Items, typename AppendItem>
std::string JsonArray(const Items& items, const AppendItem& append) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    append(item, &text);
  }
  text += ']';
  return text;
}

std::string Links(const DocumentText& document) {
  return JsonArray(document.links,
                   [](const DocumentLink& link, std::string* to) {
                     *to += JsonRow()
                                .Text("href", link.href)
                                .Text("anchor", link.anchor)
                                .Text("rel", link.rel)
                                .Bool("hidden", link.hidden)
                                .Take();
                   });
}

std::string Blocks(const DocumentText& document) {
  return JsonArray(document.blocks,
                   [](const DocumentBlock& block, std::string* to) {
                     *to += JsonRow()
                                .Text("text", block.text)
                                .Bool("kept", block.kept)
                                .Bool("framed", block.framed)
                                .Value("score", Json(block.score).dump())
                                .Text("reason", block.reason)
                                .Integer("source_begin", block.source_begin)
                                .Integer("source_end", block.source_end)
                                .Take();
                   });
}

std::string Tokens(const DocumentText& document) {
  return JsonArray(document.tokens,
                   [](const std::string& token, std::string* to) {
                     AppendJsonString(to, token);
                   });
}

}  // namespace

std::string v1::TextRow(const DocumentText& document,
                        const TextDetails& details) {
  JsonRow row;
  row.Text("id", document.id);
  if (!document.original_id.empty())
    row.Text("original_id", document.original_id);
  row.Text("text", document.text)
      .Text("title", document.title)
      .Text("language", document.language)
      .Text("language_declared", document.language_declared)
      .Text("charset", document.charset)
      .Text("canonical", document.canonical)
      .Text("base", document.base)
      .Text("robots", document.robots)
      .Text("redirect", document.redirect);
  if (document.redirect_seconds >= 0) {
    row.Integer("redirect_seconds",
                static_cast<uint64_t>(document.redirect_seconds));
  } else {
    row.Value("redirect_seconds", "null");
  }
  row.Text("published", document.published)
      .Text("modified", document.modified)
      .Text("author", document.author)
      .Text("description", document.description)
      .Value("links", Links(document))
      .Text("url", document.url)
      .Text("date", document.date)
      .Text("source", document.source)
      .Integer("ordinal", document.ordinal);
  if (document.truncated) row.Bool("truncated", true);
  if (document.quoted_fields > 0)
    row.Integer("quoted_fields", document.quoted_fields);
  if (document.has_rows_in_field) row.Bool("rows_in_field", true);
  if (document.malformed_xml) row.Bool("malformed_xml", true);
  if (document.page_kind != PageKind::kNone)
    row.Text("page_kind", ChoiceName(document.page_kind));
  if (document.confidence >= 0) {
    row.Number("confidence", document.confidence / 1000.0)
        .Bool("unsure", document.unsure);
  }
  if (details.blocks && !document.confidence_reason.empty())
    row.Text("confidence_reason", document.confidence_reason);
  if (details.blocks) row.Value("blocks", Blocks(document));
  if (details.tokens) row.Value("tokens", Tokens(document));
  return row.Take();
}

}  // namespace twinset
