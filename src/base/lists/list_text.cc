#include "base/lists/list_text.h"

#include <algorithm>
#include <utility>

#include "base/file.h"

namespace twinset::inline v1 {
namespace {

// Without a mark UTF-16 of Latin text is told by a NUL in every second byte.
bool HasZeroAtEvery(std::string_view bytes, size_t parity) {
  constexpr size_t kLeastUnits = 4;
  if (bytes.size() / 2 < kLeastUnits) return false;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (bytes[i + parity] != '\0' || bytes[i + 1 - parity] == '\0')
      return false;
  }
  return true;
}

// The name that iconv has for the coding; empty for what may be UTF-8.
std::string_view OtherCodingOf(std::string_view bytes) {
  using std::string_view_literals::operator""sv;
  if (bytes.starts_with("\xff\xfe\0\0"sv) ||
      bytes.starts_with("\0\0\xfe\xff"sv))
    return "UTF-32";
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv))
    return "UTF-16";
  if (HasZeroAtEvery(bytes, 1)) return "UTF-16LE";
  if (HasZeroAtEvery(bytes, 0)) return "UTF-16BE";
  return {};
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
  return Fail(
      ErrorCode::kCorrupt, "is " + coding, path,
      "convert it to UTF-8, for example with iconv -f " + coding + " -t UTF-8");
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

}  // namespace twinset::inline v1
