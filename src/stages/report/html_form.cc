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

void AppendChoices(std::string* to, const html::FormField& field) {
  *to += ">\n";
  for (const auto& [value, says] : field.choices) {
    *to += "<option";
    AppendAttribute(to, "value", value);
    if (value == field.value) AppendAttribute(to, "selected", "selected");
    *to += '>';
    AppendHtml(to, says);
    *to += "</option>\n";
  }
  *to += "</select>\n";
}

// What a field begins with; its attributes follow.
std::string_view BeginOf(html::FormField::Kind kind) {
  switch (kind) {
    case html::FormField::kText:
      return "<textarea rows=\"10\" spellcheck=\"false\" dir=\"auto\"";
    case html::FormField::kNumber:
      return "<input type=\"text\" inputmode=\"decimal\" size=\"6\"";
    case html::FormField::kChoice:
      return "<select";
    case html::FormField::kFile:
      return "<input type=\"file\"";
    case html::FormField::kLine:
      break;
  }
  return "<input type=\"text\" dir=\"auto\"";
}

// Its label, what may be typed, and a hint that is tied to it.
void AppendField(std::string* to, const html::FormField& field) {
  *to += "<div><label";
  AppendAttribute(to, "for", field.name);
  *to += '>';
  AppendHtml(to, field.label);
  *to += "</label>\n";
  *to += BeginOf(field.kind);
  AppendAttribute(to, "id", field.name);
  AppendAttribute(to, "name", field.name);
  if (!field.hint.empty())
    AppendAttribute(to, "aria-describedby", field.name + "-hint");
  if (field.kind == html::FormField::kText) {
    *to += ">\n";  // the parser drops this line feed, and no other
    AppendHtml(to, field.value);
    *to += "</textarea>\n";
  } else if (field.kind == html::FormField::kChoice) {
    AppendChoices(to, field);
  } else {
    if (field.kind != html::FormField::kFile)
      AppendAttribute(to, "value", field.value);
    *to += "/>\n";
  }
  if (!field.hint.empty()) {
    *to += "<p class=\"note\"";
    AppendAttribute(to, "id", field.name + "-hint");
    *to += '>';
    AppendHtml(to, field.hint);
    *to += "</p>\n";
  }
  *to += "</div>\n";
}

bool HasFile(const html::Form& form) {
  for (const html::FormField& field : form.fields)
    if (field.kind == html::FormField::kFile) return true;
  return false;
}

}  // namespace

HtmlReport& HtmlReport::Add(const html::Form& form) {
  html_ += "<form";
  AppendAttribute(&html_, "action", form.action);
  AppendAttribute(&html_, "method", form.posts ? "post" : "get");
  if (HasFile(form)) AppendAttribute(&html_, "enctype", "multipart/form-data");
  if (form.in_row) AppendAttribute(&html_, "class", "row");
  html_ += ">\n";
  for (const html::FormField& field : form.fields) AppendField(&html_, field);
  html_ += "<button>";
  AppendHtml(&html_, form.button);
  html_ += "</button>\n</form>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Links& links) {
  html_ += "<nav";
  AppendAttribute(&html_, "aria-label", links.label);
  html_ += ">\n";
  for (const auto& [says, address] : links.links) {
    html_ += address.empty() ? "<b" : "<a";
    AppendAttribute(&html_, address.empty() ? "aria-current" : "href",
                    address.empty() ? "page" : address);
    html_ += '>';
    AppendHtml(&html_, says);
    html_ += address.empty() ? "</b>\n" : "</a>\n";
  }
  html_ += "</nav>\n";
  return *this;
}

}  // namespace twinset
