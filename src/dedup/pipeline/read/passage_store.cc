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

Result<PassageTokens> DecodePassages(std::string_view bytes) {
  ByteReader reader(bytes);
  PassageTokens tokens;
  const size_t most = bytes.size() / kLeastBytes;
  for (auto* places : {&tokens.begins, &tokens.ends}) places->reserve(most);
  tokens.hashes.reserve(most);
  uint32_t begin = 0;
  while (!reader.AtEnd()) {
    tokens.hashes.push_back(reader.Read<uint64_t>());
    begin += static_cast<uint32_t>(reader.ReadVarint());
    tokens.begins.push_back(begin);
    tokens.ends.push_back(begin + static_cast<uint32_t>(reader.ReadVarint()));
  }
  if (!reader.ok())
    return Fail(ErrorCode::kCorrupt, "the stored tokens are damaged");
  return tokens;
}

}  // namespace twinset
