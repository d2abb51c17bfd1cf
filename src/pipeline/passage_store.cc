#include "pipeline/passage_store.h"

#include "base/bytes.h"
#include "base/keyed_hash.h"

namespace twinset {

namespace {

// Code points in front of byte offsets that only grow.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view text) : text_(text) {}
  uint32_t Before(size_t offset) {
    for (; at_ < offset && at_ < text_.size(); ++at_)
      count_ += (text_[at_] & 0xC0) != 0x80;
    return count_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t count_ = 0;
};

constexpr size_t kTokenBytes = 16;
constexpr uint64_t kPassageStream = 0x7061737361676573;  // "passages"

}  // namespace

std::string EncodePassages(const Plan& plan, std::string_view text) {
  const std::vector<Token> tokens = plan.extractors[0]->Tokens(text);
  const HashKey key = KeyStream(plan.key, kPassageStream).NextKey();
  std::string bytes;
  bytes.reserve(tokens.size() * kTokenBytes);
  // A token may begin where the one before it ends, never before.
  CodePointCounter begins(text), ends(text);
  for (const Token& token : tokens) {
    AppendLE(&bytes, SipHash13(key, token.text));
    AppendLE(&bytes, begins.Before(token.begin));
    AppendLE(&bytes, ends.Before(token.end));
  }
  return bytes;
}

Result<PassageTokens> DecodePassages(std::string_view bytes) {
  if (bytes.size() % kTokenBytes != 0) {
    return Fail(ErrorCode::kCorrupt, "the stored tokens are damaged");
  }
  PassageTokens tokens;
  const size_t count = bytes.size() / kTokenBytes;
  tokens.hashes.reserve(count);
  tokens.begins.reserve(count);
  tokens.ends.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const char* at = bytes.data() + i * kTokenBytes;
    tokens.hashes.push_back(LoadLE<uint64_t>(at));
    tokens.begins.push_back(LoadLE<uint32_t>(at + 8));
    tokens.ends.push_back(LoadLE<uint32_t>(at + 12));
  }
  return tokens;
}

}  // namespace twinset
