#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/hash.h"
#include "read/json_check.h"
#include "read/test_compress.h"
#include "read/test_records.h"
#include "read/utf8.h"

namespace twinset {
namespace {

using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

std::string Row(int i) {
  return "{\"id\":\"r" + std::to_string(i) + "\",\"text\":\"text " +
         std::to_string(i * 7919) + "\"}\n";
}

// What Briefly says about Row(i).
std::string Brief(int i) {
  std::string brief(1, 'r');
  brief.append(std::to_string(i)).append(":text ");
  return brief.append(std::to_string(i * 7919));
}

// Rows that are passed over are no more than places, and those behind them are
// what they always are.
TEST(Jsonl, PassesOverRowsWithoutLosingTheirPlaces) {
  std::string bytes = "\xef\xbb\xbf" + Row(0) + "\n";
  for (int i = 1; i < 40; ++i)
    bytes += i % 5 == 3 ? "no row\n \n" : i % 7 == 2 ? "[1]\r\n" : Row(i);
  ReadOptions options;
  options.keep_raw = true;
  for (const bool is_array : {false, true}) {
    std::string of = is_array ? "[" + Row(0) : bytes;
    for (int i = 1; is_array && i < 40; ++i) of += "," + Row(i);
    const auto whole = ReadAll(is_array ? of + "]" : of, "x.jsonl", options);
    ASSERT_GE(whole.size(), 40u);
    for (const uint64_t passed :
         {uint64_t{0}, uint64_t{1}, uint64_t{17}, uint64_t{40}, UINT64_MAX}) {
      const auto reader =
          ReadRecordsFromMemory(is_array ? of + "]" : of, "x.jsonl", options);
      reader->PassOver(passed);
      Record record;
      for (const Record& expected : whole) {
        ASSERT_TRUE(*reader->Next(&record));
        const Provenance& place = record.document.provenance;
        EXPECT_EQ(record.raw, expected.raw);
        EXPECT_EQ(place.ordinal, expected.document.provenance.ordinal);
        EXPECT_EQ(place.offset, expected.document.provenance.offset);
        if (place.ordinal < passed) {
          EXPECT_EQ(record.kind, RecordKind::kPassed);
          EXPECT_EQ(record.document.payload, "");
        } else {
          EXPECT_EQ(Briefly({record}), Briefly({expected}));
        }
      }
      EXPECT_FALSE(*reader->Next(&record));
    }
  }
}

TEST(Jsonl, ReadsRowsWithIdsUrlsDatesAndFields) {
  ReadOptions options;
  ApplyFieldPreset(FieldPreset::kJsonl, &options);
  options.fields = {"lang", "meta.n", "absent", "list", "metadata", "yes"};
  const std::string bytes =
      "\xef\xbb\xbf{\"id\":\"a\",\"text\":\"x\\u00e9\\n\",\"metadata\":"
      "{\"url\":\"http://h/\",\"date\":\"2020\"},\"lang\":\"en\","
      "\"meta\":{\"n\":1.50},\"list\":[1, \"b\"],\"yes\":true}\r\n"
      "\r\n"
      "  {\"text\":\"\", \"id\": 12345678901234567890123 }\n";
  options.keep_raw = true;
  const auto records = ReadAll(bytes, "x", options);
  ASSERT_EQ(records.size(), 2u);
  const Document& a = records[0].document;
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.payload, "x\xc3\xa9\n");
  EXPECT_EQ(a.kind, ContentKind::kText);
  EXPECT_EQ(a.provenance.url, "http://h/");
  EXPECT_EQ(a.provenance.date, "2020");
  Strings values;
  for (const auto& field : a.fields) values.push_back(field.second);
  EXPECT_EQ(values,
            (Strings{"en", "1.50", "", "[1, \"b\"]",
                     "{\"url\":\"http://h/\",\"date\":\"2020\"}", "true"}));
  EXPECT_EQ(records[1].document.id, "12345678901234567890123");
  EXPECT_EQ(records[1].document.payload, "");
  EXPECT_EQ(records[1].document.provenance.offset, bytes.find("  {\"text\""));
  EXPECT_EQ(test::Raws(records), bytes);
  // A row in memory is cited by its name.
  EXPECT_EQ(ReadRecordsFromMemory(bytes, "x", options)->format(),
            InputFormat::kJsonl);
}

TEST(Jsonl, DottedPathsReachKeysAndObjects) {
  ReadOptions options;
  options.id_field = "a.b.c";
  options.text_field = "t.x";
  EXPECT_EQ(Briefly(ReadAll("{\"a\":{\"b\":{\"c\":7}},\"t\":{\"x\":\"y\"}}\n"
                            "{\"a.b.c\":\"k\",\"t.x\":\"z\"}\n"
                            "{\"a\":{\"b\":3},\"t\":{\"x\":\"w\"}}\n",
                            "", options)),
            (Strings{"7:y", "k:z", ":w"}));
}

TEST(Jsonl, OneBadLineNeverEndsTheStream) {
  const auto records = ReadAll(
      "{\"id\":1,\"text\":\"a\"}\n"
      "{\"id\":2,\"text\":\"b\"} junk\n"
      "{\"id\":3,\"text\":\"c\",\"n\":[1 2]}\n"
      "[\"text\"]\n"
      "{\"id\":4}\n"
      "{\"id\":5,\"text\":null}\n"
      "{\"id\":6,\"text\":\"unterminated\n"
      "\x01\x02\n"
      "{\"id\":7,\"text\":\"d\",\"text\":\"second\"}",
      "x.jsonl");
  EXPECT_EQ(
      Briefly(records),
      (Strings{"1:a", "!bad-json", "!bad-json", "!bad-json", "!no-text-field",
               "!no-text-field", "!bad-json", "!bad-json", "7:d"}));
  EXPECT_EQ(records[1].detail, "more behind the value in column 21");
  EXPECT_EQ(records[4].document.id, "4");
}

TEST(Jsonl, MalformedUtf8AndSurrogatesAreReplaced) {
  EXPECT_EQ(Briefly(ReadAll("{\"id\":\"a\xff\",\"text\":\"x\xe2\x82y\xf0\x9f"
                            "\x98\x80\"}\n{\"id\":2,\"text\":\"\\ud800!"
                            "\\ud83d\\ude00\\\\ud800\"}\n",
                            "")),
            (Strings{"a\xef\xbf\xbd:x\xef\xbf\xbdy\xf0\x9f\x98\x80",
                     "2:\xef\xbf\xbd!\xf0\x9f\x98\x80\\ud800"}));
}

// RFC 8259, 8.3: names are equal once their escapes are undone.
TEST(Jsonl, NamesAreEqualOnceUnescaped) {
  ReadOptions options;
  options.id_field = "m.i/d";
  options.text_field = "\u0442,l.*.\U0001f600";
  options.fields = {"a\"b", "a\\b", "c\n"};
  const auto records = ReadAll(
      "{\"m\":{\"i\\/d\":7},\"\\u0442\":\"x\",\"l\":[{\"\\uD83d\\ude00\":"
      "\"y\"}],\"a\\\"b\":1,\"a\\\\b\":2,\"c\\n\":3}\n"
      "{\"a\\b\":0,\"\\u006d\":{\"i/\\u0064\":8},\"\u0442\":\"z\"}\n",
      "", options);
  EXPECT_EQ(Briefly(records), (Strings{"7:x\n\ny", "8:z"}));
  using Field = std::pair<std::string, std::string>;
  EXPECT_EQ(records[0].document.fields,
            (std::vector<Field>{{"a\"b", "1"}, {"a\\b", "2"}, {"c\n", "3"}}));
  EXPECT_EQ(records[1].document.fields,
            (std::vector<Field>{{"a\"b", ""}, {"a\\b", ""}, {"c\n", ""}}));
}

TEST(Jsonl, OfOneNameInTwoSpellingsTheFirstCounts) {
  EXPECT_EQ(Briefly(ReadAll("{\"id\":1,\"\\u0074ext\":\"a\",\"text\":\"b\"}\n"
                            "{\"id\":2,\"text\":\"b\",\"te\\u0078t\":\"a\"}\n"
                            "{\"\\ud800\":1,\"id\":3,\"text\":\"c\"}\n",
                            "")),
            (Strings{"1:a", "2:b", "3:c"}));
  // A name that holds a quotation mark reaches into nothing.
  ReadOptions options;
  options.text_field = "a\":1,\"b";
  EXPECT_EQ(Briefly(ReadAll("{\"a\":1,\"b\":\"no\"}\n", "", options)),
            (Strings{"!no-text-field"}));
}

TEST(Jsonl, MarkupOnRequest) {
  ReadOptions options;
  options.html_field = "page";
  const auto records =
      ReadAll("{\"id\":1,\"page\":\"<p>x\",\"text\":\"y\"}\n", "", options);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].document.kind, ContentKind::kHtml);
  EXPECT_EQ(records[0].document.payload, "<p>x");
}

TEST(Jsonl, LimitsAreExact) {
  ReadOptions options;
  options.max_document_bytes = 10;
  const auto row = [](int n) {
    return "{\"id\":1,\"text\":\"" + std::string(n, 'x') + "\"}\n";
  };
  const uint64_t longest = 2 * 10 + (64 << 10);
  // A row of exactly the longest raw form, and one byte more.
  std::string fits = "{\"id\":1,\"text\":\"y\"" + std::string(longest, ' ');
  fits.resize(longest - 2);
  fits += "}\n";
  const std::string over = fits.substr(0, 30) + " " + fits.substr(30);
  EXPECT_EQ(
      Briefly(ReadAll(row(10) + row(11) + fits + over + row(3), "", options)),
      (Strings{"1:xxxxxxxxxx", "!too-large", "1:y", "!too-large", "1:xxx"}));
}

// A sparse file: one line of 300 MB between rows.
TEST(Jsonl, HugeLineTakesConstantMemory) {
  const std::string path = testing::TempDir() + "huge_line_test.jsonl";
  {
    std::ofstream out(path, std::ios::binary);
    out << Row(1) << "{\"text\":\"";
    out.seekp(300 << 20, std::ios::cur);
    out << "\"}\n" << Row(2);
  }
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  auto reader = OpenRecordReader({path, "s", "r"}, 3, {});
  ASSERT_TRUE(reader.has_value());
  const auto records = test::DrainReader(reader->get());
  getrusage(RUSAGE_SELF, &after);
  std::filesystem::remove(path);
  EXPECT_EQ(Briefly(records),
            (Strings{"r1:text 7919", "!too-large", "r2:text 15838"}));
  EXPECT_EQ(records[2].document.provenance.source, 3u);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10);  // KB
}

// Members of three rows each, each byte flipped: rows of other members all come
// out, and no row comes out altered.
TEST(Jsonl, FlippedGzipMembersAreQuarantinedWhole) {
  std::string bytes;
  Strings members;
  std::vector<std::set<std::string>> rows;
  std::set<std::string> all;
  for (int m = 0; m < 4; ++m) {
    std::string text;
    rows.emplace_back();
    for (int i = 3 * m; i < 3 * m + 3; ++i) {
      text += Row(i);
      rows[m].insert(Brief(i));
    }
    all.insert(rows[m].begin(), rows[m].end());
    members.push_back(test::Gzip(text));
    bytes += members.back();
  }
  size_t begin = 0;
  for (int m = 0; m < 4; ++m) {
    for (size_t at = begin; at < begin + members[m].size();
         at += TWINSET_SLOW_BUILD ? 5 : 1) {
      for (const int flip : {1, 8, 64, 255}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        std::set<std::string> got;
        bool quarantined = false;
        for (const Record& record : ReadAll(damaged, "x.jsonl.gz")) {
          quarantined |= record.kind == RecordKind::kQuarantined;
          if (record.kind != RecordKind::kDocument) continue;
          got.insert(record.document.id + ":" + record.document.payload);
        }
        for (const std::string& row : got) {
          ASSERT_TRUE(all.count(row)) << at - begin << " gave " << row;
        }
        for (int i = 0; i < 4; ++i) {
          for (const std::string& row : rows[i]) {
            ASSERT_TRUE(i == m || got.count(row)) << at - begin << " " << row;
          }
        }
        ASSERT_TRUE(quarantined || got == all);
      }
    }
    begin += members[m].size();
  }
}

TEST(Jsonl, GapsNeverGlueAndKeepWholeRows) {
  const std::string three = Row(1) + Row(2) + Row(3);
  ReadOptions options;
  options.keep_raw = true;
  // Truncated: what is whole stays.
  std::string bytes = test::Gzip(three);
  bytes.resize(bytes.size() - 9);
  auto records = ReadAll(bytes, "", options);
  ASSERT_GE(records.size(), 2u);
  EXPECT_EQ(records.back().reason, "compression-truncated");
  EXPECT_EQ(Briefly(records)[0], "r1:text 7919");
  EXPECT_EQ(test::Raws(records), three.substr(0, test::Raws(records).size()));
  // Junk at the end: every row is sound, also one without a line end.
  const std::string open_end = three.substr(0, three.size() - 1);
  records = ReadAll(test::Gzip(open_end) + "junk", "", options);
  EXPECT_EQ(Briefly(records).back(), "!compression-junk");
  EXPECT_EQ(records.size(), 4u);
  EXPECT_EQ(records.back().document.provenance.offset,
            test::Gzip(open_end).size());
  // A row across members of which the second is damaged.
  std::string second = test::Gzip(three.substr(30));
  second[second.size() - 5] ^= 1;
  records =
      ReadAll(test::Gzip(three.substr(0, 30)) + second + test::Gzip(Row(4)), "",
              options);
  EXPECT_EQ(Briefly(records),
            (Strings{"!compression-checksum", "r4:text 31676"}));
  EXPECT_EQ(test::Raws(records), three + Row(4));
}

TEST(Jsonl, RandomDamageKeepsRawsAndNeverFails) {
  SplitMix64 random(5);
  std::string text;
  for (int i = 0; i < 50; ++i) text += Row(i) + (i % 7 == 3 ? "\n" : "");
  ReadOptions options;
  options.format = InputFormat::kJsonl;
  options.keep_raw = true;
  options.max_document_bytes = 1 << 20;
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 100 : 500); ++round) {
    std::string damaged = text;
    for (uint64_t i = random.Below(6); i-- > 0;) {
      damaged[random.Below(damaged.size())] = static_cast<char>(random.Next());
    }
    damaged.erase(random.Below(damaged.size()), random.Below(40));
    const auto records = ReadAll(damaged, "x.jsonl", options);
    ASSERT_EQ(test::Raws(records), damaged);
    ASSERT_GT(records.size(), 20u);
  }
}

TEST(Jsonl, EmptyAndBlankSourcesHaveNoRecords) {
  ReadOptions options;
  options.format = InputFormat::kJsonl;
  EXPECT_TRUE(ReadAll("", "x", options).empty());
  EXPECT_TRUE(ReadAll("\n \r\n\n", "x", options).empty());
  EXPECT_TRUE(ReadAll("", "x").empty());
  EXPECT_TRUE(ReadAll(test::Gzip(""), "x").empty());
}

TEST(JsonCheck, AgreesWithAReferenceParserOnMutations) {
  const std::string seeds[] = {
      R"({"a":[1,-2.5e+3,true,null,{"b":"c\u00e9\n"}],"d":""})",
      R"([[],{},"x",0,-0,1E5,false , [ "\"\\\/" ] ])", R"("\ud83d\ude00")",
      "12.25"};
  SplitMix64 random(11);
  const std::string alphabet = "{}[]\",:\\u019-+.eE ntrfals\n\x01x";
  size_t good = 0;
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 10'000 : 60'000); ++round) {
    std::string json = seeds[random.Below(4)];
    for (uint64_t i = random.Below(3); i-- > 0;) {
      const size_t at = random.Below(json.size());
      const char c = alphabet[random.Below(alphabet.size())];
      if (random.Below(2) == 0) {
        json[at] = c;
      } else if (random.Below(2) == 0) {
        json.insert(at, 1, c);
      } else {
        json.erase(at, 1);
      }
    }
    const JsonCheck check = CheckJson(json);
    if (check.lone_surrogate) continue;  // the reference refuses them
    good += check.ok;
    // Overflow is no question of syntax.
    static const std::regex large("[eE][+]?[0-9]{3}");
    if (check.ok && std::regex_search(json, large)) continue;
    ASSERT_EQ(check.ok, nlohmann::json::accept(json)) << json;
  }
  EXPECT_GT(good, TWINSET_SLOW_BUILD ? 1'500u : 10'000u);
  const std::string deep(kMaxJsonDepth, '[');
  EXPECT_TRUE(CheckJson(deep + std::string(kMaxJsonDepth, ']')).ok);
  EXPECT_EQ(CheckJson(deep + "[").message, "nested too deeply");
}

// One byte that matters at every place of strings of every length up to some
// blocks: what is looked for by words and blocks is found where it stands.
TEST(JsonCheck, FindsWhatEndsAStringWhereverItStands) {
  for (size_t size = 1; size <= 300; size += size < 150 ? 1 : 29) {
    for (size_t at = 0; at < size; ++at) {
      for (const char c : {'"', '\\', '\x1f', '\0', ' ', '!', '\x7f', '\x80'}) {
        std::string text(size, 'x');
        text[at] = c;
        const std::string json = '"' + text + '"';
        const JsonCheck check = CheckJson(json);
        // `\x` is no escape, but a backslash in front of the last quote is one.
        const bool plain = c == ' ' || c == '!' || c == '\x7f' || c == '\x80';
        ASSERT_EQ(check.ok, plain) << size << " " << at << " " << int{c};
        if (plain) continue;
        const bool last = c == '\\' && at + 1 == size;
        ASSERT_EQ(check.error_at, last       ? json.size()
                                  : c == '"' ? at + 2
                                             : at + 1)
            << size << " " << at << " " << int{c};
      }
    }
  }
}

// Every string of up to four bytes of an alphabet that reaches every branch.
TEST(Utf8, ReplacementAgreesWithADecoderByTheStandard) {
  const unsigned char alphabet[] = {'a',  0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                    0xbf, 0xc1, 0xc2, 0xe0, 0xe1, 0xed,
                                    0xf0, 0xf1, 0xf4, 0xf5};
  // The WHATWG decoder, byte by byte.
  const auto reference = [](const std::string& in) {
    std::string out, pending;
    int needed = 0;
    unsigned low = 0x80, high = 0xbf;
    for (size_t i = 0; i < in.size(); ++i) {
      const unsigned b = static_cast<unsigned char>(in[i]);
      if (needed == 0) {
        pending.assign(1, in[i]);
        low = 0x80, high = 0xbf;
        if (b < 0x80) {
          out += in[i];
        } else if (b >= 0xc2 && b <= 0xdf) {
          needed = 1;
        } else if (b >= 0xe0 && b <= 0xef) {
          needed = 2;
          if (b == 0xe0) low = 0xa0;
          if (b == 0xed) high = 0x9f;
        } else if (b >= 0xf0 && b <= 0xf4) {
          needed = 3;
          if (b == 0xf0) low = 0x90;
          if (b == 0xf4) high = 0x8f;
        } else {
          out += "\xef\xbf\xbd";
        }
      } else if (b < low || b > high) {
        out += "\xef\xbf\xbd";
        needed = 0;
        --i;  // the byte is looked at again
      } else {
        pending += in[i];
        low = 0x80, high = 0xbf;
        if (--needed == 0) out += pending;
      }
    }
    if (needed > 0) out += "\xef\xbf\xbd";
    return out;
  };
  for (int code = 0; code < 16 * 16 * 16 * 16; ++code) {
    std::string in;
    for (int c = code, i = 0; i < 4; ++i, c /= 16) {
      in += static_cast<char>(alphabet[c % 16]);
    }
    for (size_t size = 1; size <= 4; ++size) {
      const std::string part = in.substr(0, size);
      const std::string replaced = ReplaceMalformedUtf8(part);
      ASSERT_EQ(replaced, reference(part));
      ASSERT_TRUE(IsUtf8(replaced));
      ASSERT_EQ(IsUtf8(part), replaced == part);
    }
  }
}

}  // namespace
}  // namespace twinset
