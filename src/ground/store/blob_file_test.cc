#include "store/blob_file.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/bytes.h"
#include "base/for_each.h"
#include "base/hash.h"
#include "store/blob_frame.h"
#include "store/test_util.h"

namespace twinset {
namespace {

using Blobs = std::vector<std::string>;

std::string RandomBytes(SplitMix64* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random->Next());
  return bytes;
}

// Mostly short, some empty, a few larger than any buffer.
Blobs RandomBlobs(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  Blobs blobs;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t kind = random.Below(100);
    const uint64_t bound = kind < 10   ? 1
                           : kind < 90 ? 300
                           : kind < 99 ? 5000
                                       : 200000;
    blobs.push_back(RandomBytes(&random, random.Below(bound)));
  }
  return blobs;
}

void Write(const std::string& path, const Blobs& blobs,
           uint64_t parameters = 3) {
  auto writer = BlobWriter::Create(path, parameters);
  ASSERT_TRUE(writer.has_value());
  for (const std::string& blob : blobs) ASSERT_TRUE(writer->Append(blob));
  EXPECT_EQ(writer->count(), blobs.size());
  ASSERT_TRUE(writer->Finish());
}

Result<Blobs> ReadInOrder(const std::string& path) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(path, 3));
  Blobs blobs;
  TWINSET_TRY(ForEach<std::string_view>(
      &reader, [&](std::string_view bytes) { blobs.emplace_back(bytes); }));
  if (blobs.size() != reader.count())
    return Fail(ErrorCode::kInternal, "count is wrong");
  return blobs;
}

Result<Blobs> ReadBehindEachOther(const std::string& path) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(path, 3));
  Blobs blobs;
  std::string bytes;
  for (;;) {
    const size_t begin = bytes.size();
    TWINSET_ASSIGN(const bool more, reader.AppendNext(&bytes));
    if (!more) return blobs;
    blobs.push_back(bytes.substr(begin));
  }
}

// In steps that reach every blob out of order.
Result<Blobs> ReadAtRandom(const std::string& path) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(path, 3));
  Blobs blobs(reader.count());
  for (size_t i = blobs.size(); i-- > 0;) {
    TWINSET_TRY(reader.ReadOne(i, &blobs[i]));
    TWINSET_ASSIGN(const uint32_t length, reader.Length(i));
    if (length != blobs[i].size())
      return Fail(ErrorCode::kInternal, "length is wrong");
  }
  return blobs;
}

Result<Blobs> ReadInBatch(const std::string& path) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(path, 3));
  MemoryBudget budget(1 << 20);
  BlobBatch batch(&reader, 1 << 20, &budget);
  for (size_t i = 0; i < reader.count(); ++i) {
    TWINSET_ASSIGN(const bool taken, batch.Request(i));
    if (!taken) return Fail(ErrorCode::kInternal, "no room");
  }
  TWINSET_TRY(batch.Load(1));
  Blobs blobs;
  for (size_t i = 0; i < reader.count(); ++i) blobs.emplace_back(batch.Get(i));
  return blobs;
}

TEST(BlobFile, RoundTripAroundPageBoundaries) {
  TestDir dir;
  const std::string path = dir / "b";
  for (size_t count :
       {size_t{0}, size_t{1}, size_t{kBlobsPerPage - 1}, size_t{kBlobsPerPage},
        size_t{kBlobsPerPage + 1}, size_t{2 * kBlobsPerPage}, size_t{3000}}) {
    const Blobs blobs = RandomBlobs(count, count);
    Write(path, blobs);
    const Result<Blobs> in_order = ReadInOrder(path);
    ASSERT_TRUE(in_order.has_value()) << in_order.error().ToString();
    EXPECT_TRUE(*in_order == blobs);
    const Result<Blobs> at_random = ReadAtRandom(path);
    ASSERT_TRUE(at_random.has_value()) << at_random.error().ToString();
    EXPECT_TRUE(*at_random == blobs);
    uint64_t bytes = 0;
    for (const std::string& blob : blobs) bytes += 20 + blob.size();
    EXPECT_EQ(ReadAll(path).size(), 64 + bytes + 32);
    const uint64_t rest = count % kBlobsPerPage;
    EXPECT_EQ(ReadAll(path + ".idx").size(),
              64 + 4096 * (count / kBlobsPerPage) +
                  (rest > 0 ? 16 + 8 * rest : 0) + 32);
  }
}

// Every way of going on, drawn for each blob.
TEST(BlobFile, AppendedAndSkipped) {
  TestDir dir;
  const Blobs blobs = RandomBlobs(4, 1200);
  Write(dir / "b", blobs);
  auto reader = BlobReader::Open(dir / "b", 3);
  ASSERT_TRUE(reader.has_value());
  SplitMix64 random(5);
  std::string expected, appended;
  for (const std::string& blob : blobs) {
    ASSERT_EQ(reader->NextLength(), blob.size());
    const uint64_t kind = random.Below(4);
    if (kind == 0) {
      ASSERT_EQ(reader->Skip(), true);
    } else if (kind == 1) {
      std::string_view bytes;
      ASSERT_EQ(reader->Next(&bytes), true);
      ASSERT_TRUE(bytes == blob);
    } else {
      ASSERT_EQ(reader->AppendNext(&appended), true);
      expected += blob;
    }
  }
  EXPECT_TRUE(appended == expected);
  EXPECT_EQ(reader->NextLength(), 0u);
  EXPECT_EQ(reader->Skip(), false);
  EXPECT_EQ(reader->AppendNext(&appended), false);
  EXPECT_EQ(appended.size(), expected.size());
}

TEST(BlobFile, SeekThenNext) {
  TestDir dir;
  const Blobs blobs = RandomBlobs(1, 1200);
  Write(dir / "b", blobs);
  auto reader = BlobReader::Open(dir / "b", 3);
  ASSERT_TRUE(reader.has_value());
  SplitMix64 random(2);
  std::string_view bytes;
  for (int round = 0; round < 300; ++round) {
    const uint64_t index = round == 0 ? 1200 : random.Below(1200);
    ASSERT_TRUE(reader->Seek(index));
    for (uint64_t i = index; i < index + 4; ++i) {
      const Result<bool> more = reader->Next(&bytes);
      ASSERT_TRUE(more.has_value()) << more.error().ToString();
      ASSERT_EQ(*more, i < 1200);
      if (*more) {
        ASSERT_TRUE(bytes == blobs[i]) << i;
      }
    }
  }
  EXPECT_FALSE(reader->Seek(1201).has_value());
  std::string one;
  EXPECT_FALSE(reader->ReadOne(1200, &one).has_value());
  EXPECT_FALSE(reader->Length(~uint64_t{0}).has_value());
}

TEST(BlobFile, WrongExpectationsAreRefused) {
  TestDir dir;
  Write(dir / "b", {"x"});
  const auto code = [](const Result<BlobReader>& reader) {
    return reader ? ErrorCode::kInternal : reader.error().code;
  };
  EXPECT_EQ(code(BlobReader::Open(dir / "b", 4)), ErrorCode::kUnsupported);
  EXPECT_EQ(code(BlobReader::Open(dir / "b.idx", 3)), ErrorCode::kCorrupt);
  EXPECT_EQ(code(BlobReader::Open(dir / "missing", 3)), ErrorCode::kIo);
  std::filesystem::remove(dir / "b.idx");
  EXPECT_EQ(code(BlobReader::Open(dir / "b", 3)), ErrorCode::kIo);
}

TEST(BlobFile, AnIndexOfAnotherFileIsFound) {
  TestDir dir;
  Write(dir / "a", {"one", "two", "three"});
  Write(dir / "b", {"ONE", "TWO", "THREE"});
  Write(dir / "c", {"three", "two", "one"});
  const std::string index_of_c = ReadAll(dir / "c.idx");
  // Equal lengths: the index of b fits a exactly.
  WriteAll(dir / "a.idx", ReadAll(dir / "b.idx"));
  EXPECT_EQ(ReadAtRandom(dir / "a").value(), (Blobs{"one", "two", "three"}));
  WriteAll(dir / "a.idx", index_of_c);
  EXPECT_FALSE(ReadAtRandom(dir / "a").has_value());
  EXPECT_FALSE(ReadInBatch(dir / "a").has_value());
}

TEST(BlobFile, EveryDamageIsFound) {
  TestDir dir;
  for (const Blobs& blobs :
       {Blobs{}, Blobs{""}, Blobs{"first", "", "the third one", "4"}}) {
    Write(dir / "b", blobs);
    const auto in_data = [&](const std::string& what) {
      for (const Result<Blobs>& read :
           {ReadInOrder(dir / "b"), ReadBehindEachOther(dir / "b"),
            ReadAtRandom(dir / "b"), ReadInBatch(dir / "b")}) {
        if (read) {
          ADD_FAILURE() << what << " went unnoticed";
        } else {
          ExpectDamageError(read.error(), dir / "b", what);
        }
      }
    };
    ForEachDamage(dir / "b", in_data);
    ForEachDamage(dir / "b.idx", [&](const std::string& what) {
      // Reading in order needs no entry of the index.
      const Result<Blobs> in_order = ReadInOrder(dir / "b");
      if (in_order) {
        EXPECT_TRUE(*in_order == blobs) << what;
      } else {
        ExpectDamageError(in_order.error(), dir / "b", what);
      }
      for (const Result<Blobs>& read :
           {ReadAtRandom(dir / "b"), ReadInBatch(dir / "b")}) {
        if (read) {
          ADD_FAILURE() << what << " of the index went unnoticed";
        } else {
          ExpectDamageError(read.error(), dir / "b", what);
        }
      }
    });
  }
}

TEST(BlobFile, SingleBitDamageInALargeFileIsFound) {
  TestDir dir;
  const Blobs blobs = RandomBlobs(5, 1500);
  Write(dir / "b", blobs);
  const std::string good = ReadAll(dir / "b");
  SplitMix64 random(6);
  for (int round = 0; round < 40; ++round) {
    std::string bytes = good;
    const uint64_t at = random.Below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
    WriteAll(dir / "b", bytes);
    for (const Result<Blobs>& read :
         {ReadInOrder(dir / "b"), ReadBehindEachOther(dir / "b")}) {
      ASSERT_FALSE(read.has_value()) << at;
      ExpectDamageError(read.error(), dir / "b", std::to_string(at));
    }
  }
}

// Hostile numbers under good checksums: nothing beyond the files may be read or
// allocated.
TEST(BlobFile, ImpossibleCountsAndOffsetsAreRefused) {
  TestDir dir;
  Write(dir / "b", {"first", "second"});
  const std::string data = ReadAll(dir / "b"), index = ReadAll(dir / "b.idx");
  const auto with_footer = [](const std::string& file, uint64_t count,
                              uint64_t bytes) {
    const auto footer = EncodeFileFooter({count, bytes});
    return file.substr(0, file.size() - 32) +
           std::string(footer.data(), footer.size());
  };
  const uint64_t data_bytes = data.size() - 96;
  for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{3},
                         uint64_t{1} << 60, ~uint64_t{0}}) {
    for (uint64_t bytes : {data_bytes, data_bytes + 1, ~uint64_t{0}}) {
      WriteAll(dir / "b", with_footer(data, count, bytes));
      WriteAll(dir / "b.idx", with_footer(index, count, bytes));
      EXPECT_FALSE(ReadInOrder(dir / "b").has_value()) << count << ' ' << bytes;
    }
  }
  WriteAll(dir / "b", data);
  for (uint64_t offset : {uint64_t{0}, uint64_t{63}, uint64_t{64}, uint64_t{83},
                          uint64_t{1} << 40, ~uint64_t{0}}) {
    std::string page(3 * 8, '\0');
    StoreLE<uint64_t>(page.data(), 64);
    StoreLE<uint64_t>(page.data() + 8, offset);
    StoreLE<uint64_t>(page.data() + 16, 64 + data_bytes);
    AppendLE<uint64_t>(&page, BlobPageChecksum(page.data(), page.size(), 0));
    std::string bytes = index;
    WriteAll(dir / "b.idx", bytes.replace(64, page.size(), page));
    EXPECT_FALSE(ReadAtRandom(dir / "b").has_value()) << offset;
    EXPECT_FALSE(ReadInBatch(dir / "b").has_value()) << offset;
  }
}

// A writer that dies anywhere after a checkpoint: resuming gives the file that
// an undisturbed writer makes, byte for byte.
TEST(BlobWriter, ResumesFromAnyMark) {
  TestDir dir;
  const Blobs blobs = RandomBlobs(7, 2 * kBlobsPerPage + 100);
  Write(dir / "whole", blobs);
  SplitMix64 random(8);
  for (size_t at : {size_t{0}, size_t{1}, size_t{kBlobsPerPage - 1},
                    size_t{kBlobsPerPage}, size_t{kBlobsPerPage + 1},
                    size_t{700}, size_t{2 * kBlobsPerPage}, blobs.size()}) {
    BlobMark mark;
    {
      auto writer = BlobWriter::Create(dir / "b", 3);
      for (size_t i = 0; i < at; ++i) ASSERT_TRUE(writer->Append(blobs[i]));
      const Result<BlobMark> marked = writer->Checkpoint();
      ASSERT_TRUE(marked.has_value());
      if (at > 0) mark = *marked;  // else BlobMark{} must do
      EXPECT_EQ(marked->count, at);
      // Other blobs than those that follow after the resume.
      for (uint64_t i = random.Below(1000); i > 0; --i)
        ASSERT_TRUE(writer->Append("garbage"));
      if (at % 2 == 0) {
        ASSERT_TRUE(writer->Finish());
      }
    }
    auto writer = BlobWriter::Resume(dir / "b", 3, mark);
    ASSERT_TRUE(writer.has_value()) << writer.error().ToString();
    EXPECT_EQ(writer->count(), at);
    for (size_t i = at; i < blobs.size(); ++i)
      ASSERT_TRUE(writer->Append(blobs[i]));
    ASSERT_TRUE(writer->Finish());
    EXPECT_TRUE(ReadAll(dir / "b") == ReadAll(dir / "whole")) << at;
    EXPECT_TRUE(ReadAll(dir / "b.idx") == ReadAll(dir / "whole.idx")) << at;
  }
}

TEST(BlobWriter, ResumeRefusesWhatDoesNotMatchTheMark) {
  TestDir dir;
  const auto code = [&](const BlobMark& mark, uint64_t parameters = 3) {
    const auto writer = BlobWriter::Resume(dir / "b", parameters, mark);
    return writer ? ErrorCode::kInternal : writer.error().code;
  };
  EXPECT_EQ(code({}), ErrorCode::kIo);
  EXPECT_EQ(dir.FileCount(), 0u) << "a refused resume left files";
  Write(dir / "b", {"first", "second", "third"});
  const std::string data = ReadAll(dir / "b"), index = ReadAll(dir / "b.idx");
  EXPECT_EQ(code({}, 4), ErrorCode::kUnsupported);
  EXPECT_EQ(code({2, 50}), ErrorCode::kCorrupt);  // not the end of a frame
  EXPECT_EQ(code({1, 51}), ErrorCode::kCorrupt);  // the end of the second frame
  EXPECT_EQ(code({3, 51}), ErrorCode::kCorrupt);
  EXPECT_EQ(code({2, 1000}), ErrorCode::kCorrupt);  // beyond the file
  EXPECT_EQ(code({1000, 51}), ErrorCode::kCorrupt);
  EXPECT_EQ(code({~uint64_t{0}, ~uint64_t{0}}), ErrorCode::kCorrupt);
  EXPECT_EQ(code({0, 25}), ErrorCode::kCorrupt);
  EXPECT_TRUE(ReadAll(dir / "b") == data && ReadAll(dir / "b.idx") == index)
      << "a refused resume changed the files";
  EXPECT_EQ(code({2, 51}), ErrorCode::kInternal);  // the good one
}

TEST(BlobWriter, AFullDiskFailsTheWriterButNotTheMark) {
  TestDir dir;
  const Blobs blobs = RandomBlobs(9, 1000);
  Write(dir / "whole", blobs);
  const uint64_t total =
      ReadAll(dir / "whole").size() + ReadAll(dir / "whole.idx").size();
  for (uint64_t room = 0; room < total; room += total / 13) {
    BlobMark mark;
    bool created = false;
    {
      WriteLimit limit(room);
      auto writer = BlobWriter::Create(dir / "b", 3);
      created = writer.has_value();
      bool failed = !created;
      for (size_t i = 0; i < blobs.size() && !failed; ++i) {
        failed = !writer->Append(blobs[i]);
        if (failed || i % 100 != 0) continue;
        const Result<BlobMark> marked = writer->Checkpoint();
        failed = !marked;
        if (marked) mark = *marked;
      }
      EXPECT_TRUE(failed || !writer->Finish()) << room;
      if (!created) continue;
      SetFileFault({});
      EXPECT_FALSE(writer->Append("x").has_value());
      EXPECT_FALSE(writer->Checkpoint().has_value());
      EXPECT_FALSE(writer->Finish().has_value());
    }
    auto writer = BlobWriter::Resume(dir / "b", 3, mark);
    ASSERT_TRUE(writer.has_value()) << writer.error().ToString();
    for (size_t i = mark.count; i < blobs.size(); ++i)
      ASSERT_TRUE(writer->Append(blobs[i]));
    ASSERT_TRUE(writer->Finish());
    EXPECT_TRUE(ReadAll(dir / "b") == ReadAll(dir / "whole"));
    EXPECT_TRUE(ReadAll(dir / "b.idx") == ReadAll(dir / "whole.idx"));
  }
}

TEST(BlobWriter, AnUnfinishedFileIsCorruptToAReader) {
  TestDir dir;
  {
    auto writer = BlobWriter::Create(dir / "b", 3);
    ASSERT_TRUE(writer->Append("x"));
    ASSERT_TRUE(writer->Checkpoint().has_value());
  }
  const auto reader = BlobReader::Open(dir / "b", 3);
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinset
