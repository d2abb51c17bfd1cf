#include "text/tokens/feature_hash.h"

#include <charconv>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/math/rabin.h"

namespace twinset {
namespace {

uint64_t BigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

uint64_t Md5High(std::string_view text) {
  return BigEndian(std::string_view(Md5(text)).substr(0, 8));
}

uint64_t OfDigits(std::string_view text, int base) {
  const bool binary = base == 2;
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc() || rest != end ||
      (binary && text.size() > 64)) {
    return Md5High(text);
  }
  return binary ? value << (64 - text.size()) : value;
}

uint64_t RabinOf(std::string_view text) {
  static const RabinFingerprint rabin =
      *RabinFingerprint::Create(kRabinPolynomial);
  return rabin.Of(text);
}

}  // namespace

uint64_t HashFeature(FeatureHash hash, std::string_view text) {
  switch (hash) {
    case FeatureHash::kMd5:
      return Md5High(text);
    case FeatureHash::kMd5Low:
      return BigEndian(std::string_view(Md5(text)).substr(8));
    case FeatureHash::kSha1_32:
      return LittleEndian(std::string_view(Sha1(text)).substr(0, 4));
    case FeatureHash::kSha1_64:
      return LittleEndian(std::string_view(Sha1(text)).substr(0, 8));
    case FeatureHash::kXxh3_32:
      return Hash64(text) & 0xffffffff;
    case FeatureHash::kRabin:
      return RabinOf(text);
    case FeatureHash::kRabinMixed:
      return Mix64(RabinOf(text));
    case FeatureHash::kBinary:
      return OfDigits(text, 2);
    case FeatureHash::kDecimal:
      return OfDigits(text, 10);
    case FeatureHash::kSpec:
    case FeatureHash::kXxh3:
      break;
  }
  return Hash64(text);
}

}  // namespace twinset
