#include "pipeline/units/substring_check.h"

#include <algorithm>
#include <cstring>

#include "pipeline/units/substring_places.h"

namespace twinset {

Status SubstringCheck::Add(uint64_t first, uint64_t place,
                           std::string_view text) {
  Piece piece;
  piece.first = first;
  piece.place = place;
  for (; !text.empty(); ++piece.number) {
    const size_t bytes = std::min<size_t>(text.size(), Piece::kBytes);
    piece.bytes = static_cast<uint32_t>(bytes);
    std::memset(piece.text, 0, sizeof piece.text);
    std::memcpy(piece.text, text.data(), bytes);
    TWINSET_TRY(pieces_.Add(piece));
    text.remove_prefix(bytes);
  }
  return {};
}

Result<bool> SubstringCheck::AreEqual() {
  TWINSET_TRY(pieces_.Finish());
  TWINSET_ASSIGN(auto texts, TokensOfPlaces::Open(*run_));
  Meter meter(*run_, "records", pieces_.added());
  Piece piece;
  for (uint64_t count = 0;; ++count) {
    if (count % (1 << 20) == 0) TWINSET_TRY(run_->CheckStop());
    TWINSET_ASSIGN(const bool more, pieces_.Next(&piece));
    if (!more) return true;
    meter.Add();
    TWINSET_ASSIGN(const std::string_view from, texts.From(piece.first));
    const uint64_t at = uint64_t{piece.number} * Piece::kBytes;
    if (at > from.size() || from.substr(at, piece.bytes) !=
                                std::string_view(piece.text, piece.bytes))
      return false;
  }
}

}  // namespace twinset
