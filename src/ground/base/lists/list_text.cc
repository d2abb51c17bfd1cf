#include "base/lists/list_text.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/lists/wide_text.h"

namespace twinset {
namespace {

// The name that iconv has for the coding; empty for what may be UTF-8. Without
// a mark every unit is Latin text.
std::string_view OtherCodingOf(std::string_view bytes) {
  constexpr size_t kLeastBytes = 8, kMostRest = 3;
  const WideText wide = ReadWideText(bytes);
  if (wide.is_marked) return wide.coding;
  const bool is_all = wide.latin_bytes >= kLeastBytes &&
                      wide.latin_bytes + kMostRest >= bytes.size();
  return is_all ? wide.coding : std::string_view();
}

bool IsCompressed(std::string_view bytes) {
  constexpr std::string_view kMagics[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd",
                                          "\xfd\x37zXZ", "BZh9"};
  return std::any_of(
      std::begin(kMagics), std::end(kMagics),
      [&](std::string_view magic) { return bytes.starts_with(magic); });
}

}  // namespace

Status CheckListBytes(std::string_view first_bytes, const std::string& path) {
  const std::string coding(
      OtherCodingOf(first_bytes.substr(0, kListHeadBytes)));
  if (coding.empty()) return {};
  return RefuseCoding(coding, path);
}

tl::unexpected<Error> RefuseCoding(std::string_view coding,
                                   const std::string& path) {
  const std::string name(coding);
  return Fail(
      ErrorCode::kCorrupt, "is " + name, path,
      "convert it to UTF-8, for example with iconv -f " + name + " -t UTF-8");
}

Result<std::string> ListTextOf(std::string bytes, const std::string& path) {
  TWINSET_TRY(CheckListBytes(bytes, path));
  if (IsCompressed(bytes))
    return Fail(ErrorCode::kCorrupt, "is compressed", path,
                "decompress it first");
  if (const size_t zero = bytes.find('\0'); zero != std::string::npos) {
    const auto line = std::count(
        bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(zero), '\n');
    return Fail(ErrorCode::kCorrupt, "holds a NUL byte, so it is no text",
                path + ":" + std::to_string(line + 1));
  }
  std::string text;
  text.reserve(bytes.size());
  for (std::string_view rest = bytes; !rest.empty();) {
    const size_t end = rest.find('\n');
    std::string_view line = WithoutMark(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    text += line;
    if (end != std::string_view::npos) text += '\n';
  }
  return text;
}

Result<std::string> ReadListText(const std::string& path, uint64_t most_bytes) {
  TWINSET_ASSIGN(std::string bytes, ReadWholeFile(path, most_bytes));
  return ListTextOf(std::move(bytes), path);
}

}  // namespace twinset
