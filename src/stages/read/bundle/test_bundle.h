// Archives made by hand, byte for byte, for tests.
#ifndef TWINSET_SRC_STAGES_READ_BUNDLE_TEST_BUNDLE_H_
#define TWINSET_SRC_STAGES_READ_BUNDLE_TEST_BUNDLE_H_

#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace twinset::test {

using Files = std::vector<std::pair<std::string, std::string>>;

inline std::string Octal(uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits,
                static_cast<unsigned long long>(number));
  return text;
}

// A header of tar with its checksum.
inline std::string TarBlock(const std::string& name, uint64_t size,
                            char type = '0', const std::string& prefix = "") {
  std::string block(512, '\0');
  const auto put = [&](size_t at, const std::string& text) {
    block.replace(at, text.size(), text);
  };
  put(0, name.substr(0, 100));
  put(100, "0000644");
  put(124, Octal(size, 11));
  put(136, Octal(0, 11));
  put(148, "        ");
  block[156] = type;
  put(257, std::string("ustar\0", 6) + "00");
  put(345, prefix);
  uint64_t sum = 0;
  for (const char c : block) sum += static_cast<uint8_t>(c);
  put(148, Octal(sum, 6) + std::string("\0 ", 2));
  return block;
}

inline std::string Padded(std::string bytes) {
  bytes.resize((bytes.size() + 511) / 512 * 512);
  return bytes;
}

inline std::string TarEntry(const std::string& name, const std::string& bytes,
                            char type = '0') {
  return TarBlock(name, bytes.size(), type) + Padded(bytes);
}

inline std::string Tar(const Files& files) {
  std::string all;
  for (const auto& [name, bytes] : files) all += TarEntry(name, bytes);
  return all + std::string(1024, '\0');
}

inline std::string PaxRecord(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  size_t size = rest.size() + 1;
  while (std::to_string(size).size() + rest.size() != size) ++size;
  return std::to_string(size) + rest;
}

inline std::string Deflated(const std::string& bytes) {
  z_stream z = {};
  deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 1024, '\0');
  std::string copy = bytes;
  z.next_in = reinterpret_cast<Bytef*>(copy.data());
  z.avail_in = static_cast<unsigned>(copy.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<unsigned>(packed.size());
  deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}

struct ZipStyle {
  bool stored = false;      // not deflated
  bool descriptor = false;  // sizes behind the file
  bool zip64 = false;
};

inline std::string Zip(const Files& files, ZipStyle style = {},
                       const std::string& comment = "") {
  std::string all, list;
  for (const auto& file : files) {
    // Names that lambdas can capture: clang 14 lets them capture no binding.
    const std::string& name = file.first;
    const std::string& bytes = file.second;
    const std::string packed = style.stored ? bytes : Deflated(bytes);
    const auto crc = static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()),
              static_cast<unsigned>(bytes.size())));
    const auto sizes = [&](std::string* to, bool known, bool wide) {
      AppendLE<uint32_t>(to, known ? crc : 0);
      const auto narrow = [&](size_t n) {
        return static_cast<uint32_t>(!known ? 0 : wide ? 0xffffffff : n);
      };
      AppendLE<uint32_t>(to, narrow(packed.size()));
      AppendLE<uint32_t>(to, narrow(bytes.size()));
    };
    const uint64_t at = all.size();
    std::string extra;
    if (style.zip64) {
      AppendLE<uint16_t>(&extra, 1);
      AppendLE<uint16_t>(&extra, 24);
      AppendLE<uint64_t>(&extra, bytes.size());
      AppendLE<uint64_t>(&extra, packed.size());
      AppendLE<uint64_t>(&extra, at);
    }
    const auto head = [&](std::string* to, bool known) {
      AppendLE<uint16_t>(to, style.zip64 ? 45 : 20);
      AppendLE<uint16_t>(to, style.descriptor ? 8 : 0);
      AppendLE<uint16_t>(to, style.stored ? 0 : 8);
      AppendLE<uint32_t>(to, 0);
      sizes(to, known, style.zip64);
      AppendLE<uint16_t>(to, static_cast<uint16_t>(name.size()));
      AppendLE<uint16_t>(to, static_cast<uint16_t>(extra.size()));
    };
    all += "PK\3\4";
    head(&all, !style.descriptor);
    all += name + extra + packed;
    if (style.descriptor) {
      all += "PK\7\10";
      AppendLE<uint32_t>(&all, crc);
      AppendLE<uint32_t>(&all, static_cast<uint32_t>(packed.size()));
      AppendLE<uint32_t>(&all, static_cast<uint32_t>(bytes.size()));
    }
    list += "PK\1\2";
    AppendLE<uint16_t>(&list, 20);
    head(&list, true);
    AppendLE<uint16_t>(&list, 0);  // comment
    AppendLE<uint16_t>(&list, 0);
    AppendLE<uint16_t>(&list, 0);
    AppendLE<uint32_t>(&list, 0);
    AppendLE<uint32_t>(&list,
                       style.zip64 ? 0xffffffff : static_cast<uint32_t>(at));
    list += name + extra;
  }
  const uint64_t begin = all.size();
  all += list;
  if (style.zip64) {
    const uint64_t at = all.size();
    all += "PK\6\6";
    AppendLE<uint64_t>(&all, 44);
    AppendLE<uint32_t>(&all, 45 << 16 | 45);
    AppendLE<uint64_t>(&all, 0);
    AppendLE<uint64_t>(&all, files.size());
    AppendLE<uint64_t>(&all, files.size());
    AppendLE<uint64_t>(&all, list.size());
    AppendLE<uint64_t>(&all, begin);
    all += "PK\6\7";
    AppendLE<uint32_t>(&all, 0);
    AppendLE<uint64_t>(&all, at);
    AppendLE<uint32_t>(&all, 1);
  }
  all += "PK\5\6";
  AppendLE<uint32_t>(&all, 0);
  const auto count = static_cast<uint16_t>(style.zip64 ? 0xffff : files.size());
  AppendLE<uint16_t>(&all, count);
  AppendLE<uint16_t>(&all, count);
  AppendLE<uint32_t>(
      &all, style.zip64 ? 0xffffffff : static_cast<uint32_t>(list.size()));
  AppendLE<uint32_t>(&all,
                     style.zip64 ? 0xffffffff : static_cast<uint32_t>(begin));
  AppendLE<uint16_t>(&all, static_cast<uint16_t>(comment.size()));
  return all + comment;
}

}  // namespace twinset::test

#endif  // TWINSET_SRC_STAGES_READ_BUNDLE_TEST_BUNDLE_H_
