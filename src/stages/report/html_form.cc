// Forms of pages that a server sends.
#include "report/html_report.h"

namespace twinset {

namespace {

void AppendAttribute(std::string* to, std::string_view name,
                     std::string_view value) {
  *to += ' ';
  *to += name;
  *to += "=\"";
  AppendHtml(to, value);
  *to += '"';
}

// Its label, what may be typed, and a hint that is tied to it.
void AppendField(std::string* to, const html::FormField& field) {
  const bool is_long = field.kind == html::FormField::kText;
  *to += "<label";
  AppendAttribute(to, "for", field.name);
  *to += '>';
  AppendHtml(to, field.label);
  *to += "</label>\n";
  *to += is_long ? "<textarea rows=\"10\" spellcheck=\"false\" dir=\"auto\""
                 : "<input type=\"text\" dir=\"auto\"";
  AppendAttribute(to, "id", field.name);
  AppendAttribute(to, "name", field.name);
  if (!field.hint.empty())
    AppendAttribute(to, "aria-describedby", field.name + "-hint");
  if (is_long) {
    *to += ">\n";  // the parser drops this line feed, and no other
    AppendHtml(to, field.value);
    *to += "</textarea>\n";
  } else {
    AppendAttribute(to, "value", field.value);
    *to += "/>\n";
  }
  if (field.hint.empty()) return;
  *to += "<p class=\"note\"";
  AppendAttribute(to, "id", field.name + "-hint");
  *to += '>';
  AppendHtml(to, field.hint);
  *to += "</p>\n";
}

}  // namespace

HtmlReport& HtmlReport::Add(const html::Form& form) {
  html_ += "<form";
  AppendAttribute(&html_, "action", form.action);
  AppendAttribute(&html_, "method", form.posts ? "post" : "get");
  html_ += ">\n";
  for (const html::FormField& field : form.fields) AppendField(&html_, field);
  html_ += "<button>";
  AppendHtml(&html_, form.button);
  html_ += "</button>\n</form>\n";
  return *this;
}

}  // namespace twinset
