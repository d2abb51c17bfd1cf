#include "pipeline/read/passage_store.h"

#include "base/bytes.h"
#include "base/keyed_hash.h"
#include "base/utf8.h"

namespace twinset {

namespace {

// Code points in front of byte offsets that only grow.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view text) : text_(text) {}
  uint32_t Before(size_t offset) {
    for (; at_ < offset && at_ < text_.size(); ++at_)
      count_ += !IsContinuation(text_[at_]);
    return count_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t count_ = 0;
};

tl::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kCorrupt, "the stored tokens are damaged");
}

constexpr size_t kLeastBytes = 10;                       // of a stored token
constexpr uint64_t kPassageStream = 0x7061737361676573;  // "passages"

}  // namespace

// Stores for each token its hash, and, as varints, how far it begins behind the
// token before it and how long it is.
void AppendPassages(const Plan& plan, std::string_view text,
                    const std::vector<TextCut>& cuts, uint64_t tokens,
                    std::string* bytes) {
  bytes->reserve(bytes->size() + kLeastBytes * tokens);
  const HashKey key = KeyStream(plan.features.key, kPassageStream).NextKey();
  // No token begins before the one in front of it.
  CodePointCounter begins(text), ends(text);
  uint32_t last_begin = 0;
  size_t next_cut = 0;
  uint32_t shift = 0;
  plan.features.extractors[0]->ForEachToken(text, [&](const TokenView& token) {
    const uint32_t begin = begins.Before(token.begin);
    const uint32_t length = ends.Before(token.end) - begin;
    for (; next_cut < cuts.size() && cuts[next_cut].left <= begin; ++next_cut)
      shift = cuts[next_cut].whole - cuts[next_cut].left;
    AppendLE(bytes, SipHash13(key, token.text));
    AppendVarint(bytes, begin + shift - last_begin);
    AppendVarint(bytes, length);
    last_begin = begin + shift;
  });
}

size_t MostPassageTokens(size_t bytes) { return bytes / kLeastBytes; }

Result<std::vector<uint64_t>> DecodePassageHashes(std::string_view bytes) {
  ByteReader reader(bytes);
  std::vector<uint64_t> hashes;
  hashes.reserve(MostPassageTokens(bytes.size()));
  while (!reader.AtEnd()) {
    hashes.push_back(reader.Read<uint64_t>());
    reader.ReadVarint();
    reader.ReadVarint();
  }
  if (!reader.ok()) return Damaged();
  return hashes;
}

Result<std::vector<PassagePlace>> DecodePassagePlaces(
    std::string_view bytes, std::span<const uint32_t> tokens) {
  ByteReader reader(bytes);
  std::vector<PassagePlace> places;
  places.reserve(tokens.size());
  PassagePlace place;
  for (uint32_t number = 0; places.size() < tokens.size(); ++number) {
    reader.Read<uint64_t>();
    place.begin += static_cast<uint32_t>(reader.ReadVarint());
    place.end = place.begin + static_cast<uint32_t>(reader.ReadVarint());
    if (!reader.ok()) return Damaged();
    while (places.size() < tokens.size() && tokens[places.size()] == number)
      places.push_back(place);
  }
  return places;
}

}  // namespace twinset
