#include "pipeline/read/judged_text.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace twinset::inline v1 {

std::string EncodeJudged(const JudgedText& text,
                         const std::vector<uint64_t>& layout) {
  std::string bytes;
  const size_t other =
      text.other && *text.other != text.compared ? text.other->size() : 0;
  bytes.reserve(text.compared.size() + other + layout.size() * 8 + 16);
  AppendSized(&bytes, text.compared);
  const bool is_another = text.other && *text.other != text.compared;
  AppendLE<uint8_t>(&bytes, is_another);
  if (is_another) AppendSized(&bytes, *text.other);
  AppendLE<uint32_t>(&bytes, static_cast<uint32_t>(layout.size()));
  for (const uint64_t shingle : layout) AppendLE<uint64_t>(&bytes, shingle);
  return bytes;
}

Result<JudgedText> DecodeJudged(std::string_view bytes,
                                std::vector<uint64_t>* layout) {
  ByteReader reader(bytes);
  JudgedText text;
  text.compared = reader.ReadSized();
  const auto is_another = reader.Read<uint8_t>();
  if (is_another == 1) text.other = reader.ReadSized();
  const auto shingles = reader.Read<uint32_t>();
  layout->clear();
  for (uint32_t i = 0; i < shingles && reader.ok(); ++i)
    layout->push_back(reader.Read<uint64_t>());
  if (is_another > 1 || !reader.ok() || !reader.AtEnd() ||
      !std::is_sorted(layout->begin(), layout->end(), std::less_equal<>())) {
    return Fail(ErrorCode::kCorrupt, "a stored text is damaged");
  }
  return text;
}

}  // namespace twinset::inline v1
