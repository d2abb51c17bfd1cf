// What all drawings are written with: numbers, texts and lines of SVG. Places
// are tenths of a pixel.
#ifndef TWINSET_SRC_STAGES_REPORT_SVG_PARTS_H_
#define TWINSET_SRC_STAGES_REPORT_SVG_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// Width of every drawing in pixels; the page scales it.
inline constexpr int kDrawingWidth = 640;

void AppendTenths(std::string* to, int64_t tenths);
// name="12.3", with a blank before it.
void AppendPlace(std::string* to, std::string_view name, int64_t tenths);
// `attributes` begin with a blank. The text is escaped.
void AppendText(std::string* to, std::string_view attributes, int64_t x,
                int64_t y, std::string_view text);
void AppendLine(std::string* to, std::string_view kind, int64_t x1, int64_t y1,
                int64_t x2, int64_t y2);
// `tip`: what is said of it where the mouse rests; may be empty.
void AppendRect(std::string* to, std::string_view kind, int64_t x, int64_t y,
                int64_t width, int64_t height, std::string_view tip = {});

// The begin of a drawing with its title and description. `number` makes the ids
// of the element unique within its page.
std::string BeginSvg(const std::string& title, const std::string& description,
                     int height, int number, std::string_view attributes = {});

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_SVG_PARTS_H_
