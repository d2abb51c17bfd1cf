// Little-endian loads and stores, and the text forms of bytes (hex, base32).
#ifndef TWINSET_SRC_GROUND_BASE_BYTES_H_
#define TWINSET_SRC_GROUND_BASE_BYTES_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace twinset {

static_assert(
    std::endian::native == std::endian::little,
    "binary formats are little-endian; a big-endian port must swap here");

template <typename T>
T LoadLE(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void StoreLE(void* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
void AppendLE(std::string* to, T value) {
  to->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// Appends a 32-bit length and the bytes.
inline void AppendSized(std::string* to, std::string_view bytes) {
  AppendLE<uint32_t>(to, static_cast<uint32_t>(bytes.size()));
  to->append(bytes);
}

// Seven bits per byte, the lowest first.
inline void AppendVarint(std::string* to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to += static_cast<char>(value | 0x80);
  *to += static_cast<char>(value);
}

// Bounded decoder of what the functions above wrote. After a read past the
// end `ok` is false and every further value is zero or empty: check once at the
// end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T Read() {
    if (rest_.size() < sizeof(T)) return Bad<T>();
    const T value = LoadLE<T>(rest_.data());
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view ReadSized() { return ReadBytes(Read<uint32_t>()); }
  std::string_view ReadBytes(uint64_t size) {
    if (!ok_ || rest_.size() < size) return Bad<std::string_view>();
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  uint64_t ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = Read<uint8_t>();
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return ok_ ? value : 0;
    }
    return Bad<uint64_t>();
  }
  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }

 private:
  template <typename T>
  T Bad() {
    ok_ = false;
    rest_ = {};
    return T{};
  }
  std::string_view rest_;
  bool ok_ = true;
};

// Lower-case hex, two digits a byte.
std::string ToHex(std::string_view bytes);
// `value` as 16 (or `digits`) lower-case hex digits, most significant first.
std::string ToHex(uint64_t value, int digits = 16);
// With padding (RFC 4648, section 4).
std::string ToBase64(std::string_view bytes);
// RFC 4648 base32, upper case, without padding.
std::string ToBase32(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_BYTES_H_
