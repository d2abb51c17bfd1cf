#include "report/svg_parts.h"

#include "report/html_report.h"

namespace twinset {

void AppendTenths(std::string* to, int64_t tenths) {
  *to += std::to_string(tenths / 10);
  if (tenths % 10 != 0) *to += "." + std::to_string(tenths % 10);
}

void AppendPlace(std::string* to, std::string_view name, int64_t tenths) {
  *to += ' ';
  *to += name;
  *to += "=\"";
  AppendTenths(to, tenths);
  *to += '"';
}

void AppendText(std::string* to, std::string_view attributes, int64_t x,
                int64_t y, std::string_view text) {
  *to += "<text";
  AppendPlace(to, "x", x);
  AppendPlace(to, "y", y);
  *to += attributes;
  *to += '>';
  AppendHtml(to, text);
  *to += "</text>\n";
}

void AppendLine(std::string* to, std::string_view kind, int64_t x1, int64_t y1,
                int64_t x2, int64_t y2) {
  *to += "<line class=\"";
  *to += kind;
  *to += '"';
  AppendPlace(to, "x1", x1);
  AppendPlace(to, "y1", y1);
  AppendPlace(to, "x2", x2);
  AppendPlace(to, "y2", y2);
  *to += "/>\n";
}

void AppendRect(std::string* to, std::string_view kind, int64_t x, int64_t y,
                int64_t width, int64_t height, std::string_view tip) {
  *to += "<rect class=\"";
  *to += kind;
  *to += '"';
  AppendPlace(to, "x", x);
  AppendPlace(to, "y", y);
  AppendPlace(to, "width", width);
  AppendPlace(to, "height", height);
  if (tip.empty()) {
    *to += "/>\n";
    return;
  }
  *to += "><title>";
  AppendHtml(to, tip);
  *to += "</title></rect>\n";
}

std::string BeginSvg(const std::string& title, const std::string& description,
                     int height, int number, std::string_view attributes) {
  const std::string id = std::to_string(number);
  std::string svg = "<svg viewBox=\"0 0 " + std::to_string(kDrawingWidth) +
                    " " + std::to_string(height) + "\"" +
                    std::string(attributes) +
                    " role=\"img\" aria-labelledby=\"t" + id + " d" + id +
                    "\">\n<title id=\"t" + id + "\">";
  AppendHtml(&svg, title);
  svg += "</title>\n<desc id=\"d" + id + "\">";
  AppendHtml(&svg, description);
  return svg + "</desc>\n";
}

}  // namespace twinset
