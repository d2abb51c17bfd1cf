// Bytes of UTF-8.
#ifndef TWINSET_SRC_BASE_UTF8_H_
#define TWINSET_SRC_BASE_UTF8_H_

namespace twinset::inline v1 {

// Whether `byte` is not the first one of its code point.
constexpr bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_BASE_UTF8_H_
