#include "store/file_header.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/test_util.h"

namespace twinset {
namespace {

const FileHeader kHeader{"model", 3, 24, 0x1122334455667788};

// Recomputes the checksum after `edit`, as a writer of another version would.
template <typename Edit>
std::array<char, kFileHeaderBytes> Edited(Edit edit) {
  auto bytes = EncodeFileHeader(kHeader);
  edit(bytes.data());
  StoreLE<uint64_t>(&bytes[56], Hash64(std::string_view(bytes.data(), 56)));
  return bytes;
}

ErrorCode CodeOf(const Status& status) {
  return status ? ErrorCode::kInternal : status.error().code;
}

// The worked example of src/ground/store/FORMAT.md.
TEST(FileHeader, Layout) {
  const auto bytes = EncodeFileHeader({"run", 1, 16, 0x0123456789abcdef});
  EXPECT_EQ(ToHex(std::string_view(bytes.data(), bytes.size())),
            "7477696e7365740a"
            "0100020001000000"
            "72756e0000000000"
            "1000000000000000"
            "efcdab8967452301"
            "0000000000000000"
            "0000000000000000" +
                ToHex(std::string_view(bytes.data() + 56, 8)));
  EXPECT_EQ(LoadLE<uint64_t>(&bytes[56]),
            Hash64(std::string_view(bytes.data(), 56)));
  const auto footer = EncodeFileFooter({2, 0xff});
  EXPECT_EQ(ToHex(std::string_view(footer.data(), 24)),
            "7477696e656e640a"
            "0200000000000000"
            "ff00000000000000");
}

TEST(FileHeader, RoundTrip) {
  for (const char* kind : {"", "run", "12345678"}) {
    FileHeader header = kHeader;
    header.kind = kind;
    const auto bytes = EncodeFileHeader(header);
    const Result<FileHeader> decoded = DecodeFileHeader(bytes, "f");
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, header);
    EXPECT_TRUE(CheckFileHeader(bytes, header, "f").has_value());
  }
}

TEST(FileHeader, EveryFlippedBitIsFound) {
  const auto good = EncodeFileHeader(kHeader);
  for (size_t bit = 0; bit < 8 * kFileHeaderBytes; ++bit) {
    auto bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const Result<FileHeader> decoded = DecodeFileHeader(bytes, "f");
    ASSERT_FALSE(decoded.has_value()) << bit;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(decoded.error().where, "f at byte 0");
  }
}

TEST(FileHeader, WhatIsIntactButUnknownIsUnsupported) {
  const auto code = [](const std::array<char, kFileHeaderBytes>& bytes) {
    const Result<FileHeader> decoded = DecodeFileHeader(bytes, "f");
    return decoded ? ErrorCode::kInternal : decoded.error().code;
  };
  EXPECT_EQ(code(Edited([](char* at) { at[8] = 9; })),
            ErrorCode::kUnsupported);  // spec
  EXPECT_EQ(code(Edited([](char* at) { at[28] = 1; })),
            ErrorCode::kUnsupported);  // padding
  EXPECT_EQ(code(Edited([](char* at) { at[48] = 1; })),
            ErrorCode::kUnsupported);  // padding
  EXPECT_EQ(code(Edited([](char* at) { at[16] = '\n'; })),
            ErrorCode::kUnsupported);  // kind
  EXPECT_EQ(code(Edited([](char* at) { at[0] = 'T'; })),
            ErrorCode::kCorrupt);  // magic
}

TEST(FileHeader, CheckComparesEveryField) {
  const auto bytes = EncodeFileHeader(kHeader);
  FileHeader expected = kHeader;
  expected.kind = "run";
  EXPECT_EQ(CodeOf(CheckFileHeader(bytes, expected, "f")), ErrorCode::kCorrupt);
  expected = kHeader;
  expected.version = 2;
  EXPECT_EQ(CodeOf(CheckFileHeader(bytes, expected, "f")),
            ErrorCode::kUnsupported);
  expected = kHeader;
  expected.element_bytes = 8;
  EXPECT_EQ(CodeOf(CheckFileHeader(bytes, expected, "f")), ErrorCode::kCorrupt);
  expected = kHeader;
  expected.parameters_hash = 0;
  EXPECT_EQ(CodeOf(CheckFileHeader(bytes, expected, "f")),
            ErrorCode::kUnsupported);
}

TEST(FileFooter, EveryDamageIsFound) {
  TestDir dir;
  const std::string path = dir / "f";
  const auto header = EncodeFileHeader(kHeader);
  const auto footer = EncodeFileFooter({5, 6});
  WriteAll(path, std::string(header.data(), header.size()) +
                     std::string(footer.data(), footer.size()));
  const auto read = [&] {
    Result<File> file = File::OpenRead(path);
    EXPECT_TRUE(file.has_value());
    return ReadFileFooter(*file, file->Size().value());
  };
  EXPECT_EQ(read().value(), (FileFooter{5, 6}));
  int good = 0;
  ForEachDamage(path, [&](const std::string& what) {
    const Result<FileFooter> damaged = read();
    if (damaged) {
      ++good;  // damage to the header, or a whole copy added
      EXPECT_EQ(*damaged, (FileFooter{5, 6})) << what;
    } else {
      ExpectDamageError(damaged.error(), path, what);
    }
  });
  EXPECT_EQ(good, 64 + 1);
}

}  // namespace
}  // namespace twinset
