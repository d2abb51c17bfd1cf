// Damage inside one record costs that record at most.
#include <gtest/gtest.h>
#include <zlib.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "read/formats.h"

namespace twinset {
namespace {

ReadOptions Everything() {
  ReadOptions options;
  options.statuses = {};
  options.mimes = {"*"};
  return options;
}

std::string WarcRecordText(const std::string& type, const std::string& id,
                           const std::string& content_type,
                           const std::string& block) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <urn:" + id +
         ">\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Target-URI: "
         "http://example.org/" +
         id + "\r\nContent-Type: " + content_type +
         "\r\nContent-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
         block + "\r\n\r\n";
}

std::string Response(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string RandomBody(SplitMix64* random, size_t size) {
  static const char* const kWords[] = {"alpha ",   "beta\n", "<p>", "gamma\r\n",
                                       "\r\n\r\n", "WARC ",  "12 ", "</p>\n\n"};
  std::string body;
  while (body.size() < size) body += kWords[random->Below(8)];
  return body;
}

// Records of many sizes; every third payload holds an archive of its own.
std::vector<std::string> MakeRecords(uint64_t seed, bool embed) {
  SplitMix64 random(seed);
  std::vector<std::string> records;
  for (int i = 0; i < 10; ++i) {
    const std::string id = "id" + std::to_string(i);
    std::string body = RandomBody(&random, 20 + random.Below(3000));
    if (embed && i % 3 == 1) {
      body += "\n";
      for (int j = 0; j < 3; ++j) {
        body += WarcRecordText("response", "inner", "application/http",
                               Response(RandomBody(&random, 200)));
      }
      if (i % 2 == 0) body += RandomBody(&random, 300);
    }
    if (i == 4) {
      records.push_back(WarcRecordText("resource", id, "text/plain", body));
    } else {
      records.push_back(
          WarcRecordText("response", id, "application/http", Response(body)));
    }
  }
  return records;
}

std::string Gzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Flips, inserts or deletes a few bytes; sometimes aims at the length.
void Damage(SplitMix64* random, std::string* record) {
  size_t at = random->Below(record->size());
  const size_t count = 1 + random->Below(random->Below(2) == 0 ? 3 : 200);
  if (random->Below(3) == 0) {
    const size_t length = record->find("Content-Length: ");
    if (length != std::string::npos) at = length + 16 + random->Below(4);
  }
  const size_t span = std::min(count, record->size() - at);
  switch (random->Below(4)) {
    case 0:
      for (size_t i = 0; i < span; ++i) {
        (*record)[at + i] =
            static_cast<char>((*record)[at + i] ^ (1 + random->Below(255)));
      }
      break;
    case 1: {
      std::string junk;
      for (size_t i = 0; i < count; ++i) {
        junk.push_back(static_cast<char>(random->Below(256)));
      }
      record->insert(at, junk);
      break;
    }
    case 2:
      record->erase(at, span);
      break;
    case 3:  // one digit becomes another one
      (*record)[at] = static_cast<char>('0' + random->Below(10));
      break;
  }
}

std::set<std::pair<std::string, std::string>> Payloads(
    const std::string& bytes) {
  const ReaderPtr reader =
      MakeWarcReader(ByteStreamFromMemory(bytes, {}), {}, 0, Everything());
  std::set<std::pair<std::string, std::string>> payloads;
  Record record;
  while (reader->Next(&record).value()) {
    if (record.kind != RecordKind::kDocument) continue;
    payloads.emplace(record.document.id, record.document.payload);
  }
  return payloads;
}

// What the stream delivers at all, gaps as line feeds.
std::string Delivered(const std::string& bytes) {
  const auto stream = ByteStreamFromMemory(bytes, {});
  std::string delivered;
  for (;;) {
    const std::string_view view = stream->Peek(1 << 16).value();
    delivered.append(view);
    stream->Consume(view.size());
    if (!view.empty()) continue;
    if (!stream->AtGap()) return delivered;
    stream->TakeFault();
    delivered.push_back('\n');
  }
}

enum class Packing { kPlain, kMembers, kDamagedMember };

std::string Pack(const std::vector<std::string>& records, Packing packing) {
  std::string bytes;
  for (const std::string& record : records) {
    bytes += packing == Packing::kPlain ? record : Gzip(record);
  }
  return bytes;
}

void CheckDamage(Packing packing, bool embed, int rounds) {
  int lost = 0, swallowed = 0;
  for (int round = 0; round < rounds; ++round) {
    SplitMix64 random(1000 + round);
    std::vector<std::string> records = MakeRecords(round % 50, embed);
    const auto before = Payloads(Pack(records, Packing::kPlain));
    ASSERT_EQ(before.size(), records.size());
    const size_t victim = random.Below(records.size());
    std::string bytes;
    if (packing == Packing::kDamagedMember) {
      for (size_t i = 0; i < records.size(); ++i) {
        std::string member = Gzip(records[i]);
        if (i == victim) Damage(&random, &member);
        bytes += member;
      }
    } else {
      Damage(&random, &records[victim]);
      bytes = Pack(records, packing);
    }
    const auto after = Payloads(bytes);
    for (const auto& [id, payload] : before) {
      if (id == "<urn:id" + std::to_string(victim) + ">") continue;
      if (after.count({id, payload})) continue;
      // A broken member may swallow the next one before anybody notices.
      if (packing == Packing::kDamagedMember &&
          Delivered(bytes).find(id) == std::string::npos) {
        ++swallowed;
        continue;
      }
      ++lost;
      ADD_FAILURE() << "round " << round << " victim " << victim << " lost "
                    << id;
    }
    if (lost > 5) break;
  }
  EXPECT_LE(swallowed, rounds / 200);
}

constexpr int kRounds = TWINSET_SLOW_BUILD ? 300 : 2000;

TEST(WarcDamage, Plain) { CheckDamage(Packing::kPlain, false, kRounds); }
TEST(WarcDamage, PlainWithArchivesInside) {
  CheckDamage(Packing::kPlain, true, kRounds);
}
TEST(WarcDamage, CompressedAfterwards) {
  CheckDamage(Packing::kMembers, true, kRounds / 10);
}
TEST(WarcDamage, CompressedBefore) {
  CheckDamage(Packing::kDamagedMember, true, kRounds / 10);
}

}  // namespace
}  // namespace twinset
