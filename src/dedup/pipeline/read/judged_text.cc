#include "pipeline/read/judged_text.h"

#include <algorithm>
#include <functional>

#include "base/bytes.h"

namespace twinset {

std::string EncodeJudged(const JudgedText& text,
                         const std::vector<uint64_t>& layout) {
  const bool is_another = text.other && *text.other != text.compared;
  std::string bytes;
  bytes.reserve(text.compared.size() + (is_another ? text.other->size() : 0) +
                layout.size() * sizeof(uint64_t) + 16);
  AppendSized(&bytes, text.compared);
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
  if (is_another > 1 || text.other == text.compared || !reader.ok() ||
      !reader.AtEnd() ||
      !std::is_sorted(layout->begin(), layout->end(), std::less_equal<>())) {
    return Fail(ErrorCode::kCorrupt, "a stored text is damaged");
  }
  return text;
}

}  // namespace twinset
