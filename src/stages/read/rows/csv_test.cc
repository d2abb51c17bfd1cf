#include <gtest/gtest.h>

#include "base/csv_row.h"
#include "base/hash.h"
#include "read/test_compress.h"
#include "read/test_records.h"

namespace twinset {
namespace {

using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

ReadOptions Raw() {
  ReadOptions options;
  options.keep_raw = true;
  return options;
}

TEST(Csv, ReadsQuotesLineBreaksAndColumnsInAnyOrder) {
  ReadOptions options = Raw();
  options.fields = {"lang", "absent"};
  const std::string bytes =
      "\xef\xbb\xbftext,id,\"url\",date,lang\r\n"
      "plain,1,http://h/,2020,en\r\n"
      "\r\n"
      "\"two\nlines, and \"\"quotes\"\"\",2,,,de\n"
      "an \"inner\" quote,3,,,\n"
      "\"closed\" and more,4,,,";
  const auto records = ReadAll(bytes, "x.csv", options);
  EXPECT_EQ(Briefly(records),
            (Strings{"1:plain", "2:two\nlines, and \"quotes\"",
                     "3:an \"inner\" quote", "4:closed and more"}));
  EXPECT_EQ(records[0].document.provenance.url, "http://h/");
  EXPECT_EQ(records[0].document.provenance.date, "2020");
  EXPECT_EQ(records[0].document.fields[0].second, "en");
  EXPECT_EQ(records[0].document.fields[1].second, "");
  EXPECT_EQ(records[1].document.provenance.offset, bytes.find("\"two"));
  EXPECT_EQ(test::Raws(records), bytes);
}

TEST(Csv, ReadsTabs) {
  const std::string bytes = "id\ttext\n1\ta, b\n2\t\"c\td\"\n";
  EXPECT_EQ(Briefly(ReadAll(bytes, "x.tsv.gz")),
            (Strings{"1:a, b", "!ragged-row"}));
  ReadOptions options;
  options.quoting = Quoting::kCsv;
  EXPECT_EQ(Briefly(ReadAll(bytes, "x.tsv", options)),
            (Strings{"1:a, b", "2:c\td"}));
  EXPECT_EQ(ReadRecordsFromMemory("id\ttext\n", "x.tsv", {})->format(),
            InputFormat::kTsv);
}

// IANA, text/tab-separated-values: a line is a row.
TEST(Csv, BetweenTabsNothingIsQuoted) {
  const std::string bytes =
      "id\ttext\r\n1\t\"Open quote\r\n2\tplain\r\n3\the said \"so\" there\r\n"
      "4\t\"whole\"\r\n5\t\"\n6\ta\tb\n";
  const auto records = ReadAll(bytes, "x.tsv", Raw());
  EXPECT_EQ(Briefly(records),
            (Strings{"1:\"Open quote", "2:plain", "3:he said \"so\" there",
                     "4:\"whole\"", "5:\"", "!ragged-row"}));
  std::vector<uint32_t> quoted;
  for (const Record& record : records) quoted.push_back(record.quoted_fields);
  EXPECT_EQ(quoted, (std::vector<uint32_t>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(test::Raws(records), bytes);

  ReadOptions options;
  options.quoting = Quoting::kNone;
  EXPECT_EQ(Briefly(ReadAll("id,text\n1,\"a\n2,b\"\n", "x.csv", options)),
            (Strings{"1:\"a", "2:b\""}));
}

TEST(Csv, AQuotedFieldThatHoldsRowsIsTold) {
  const auto told = [](const std::string& rows) {
    return ReadAll("id,text\n" + rows, "x.csv").at(0).has_rows_in_field;
  };
  EXPECT_TRUE(told("1,\"Open quote\n2,plain\n3,said so\" there\n"));
  EXPECT_TRUE(told("1,\"Open quote\r\n2,plain\"\r\n"));
  EXPECT_FALSE(told("1,\"Dear Sir,\nthank you, all\"\n"));
  EXPECT_FALSE(told("1,\"two\nlines\"\n"));
  EXPECT_FALSE(told("1,plain\n"));
  EXPECT_FALSE(told("1,\"a\n\nb,c\"\n"));
}

TEST(Csv, RaggedRowsAreQuarantined) {
  const std::string bytes = "id,text\n1,a\n2\n3,b,c\n4,d\n\r\n\r";
  const auto records = ReadAll(bytes, "x.csv", Raw());
  EXPECT_EQ(Briefly(records),
            (Strings{"1:a", "!ragged-row", "!ragged-row", "4:d"}));
  EXPECT_EQ(records[2].document.id, "3");
  EXPECT_EQ(records[2].detail, "3 fields, the header has 2");
  EXPECT_EQ(test::Raws(records), bytes);
}

TEST(Csv, AMissingTextColumnIsOneErrorThatNamesThem) {
  const auto reader = ReadRecordsFromMemory("a,b\n1,2\n3,4\n", "x.csv", {});
  Record record;
  for (int i = 0; i < 2; ++i) {
    const auto more = reader->Next(&record);
    ASSERT_FALSE(more.has_value());
    EXPECT_EQ(more.error().code, ErrorCode::kUsage);
    EXPECT_EQ(more.error().ToString(),
              "x.csv: no column \"text\" (its columns are: a, b)");
  }
  ReadOptions options;
  options.id_field = "key";
  EXPECT_FALSE(ReadRecordsFromMemory("id,text\n1,2\n", "x.csv", options)
                   ->Next(&record)
                   .has_value());
  EXPECT_EQ(Briefly(ReadAll("text\nonly text\n", "x.csv")),
            Strings{":only text"});
}

TEST(Csv, AnOpenQuoteCostsOneLine) {
  const std::string bytes = "id,text\n1,a\n2,\"open\n3,b\n4,c\n";
  const auto records = ReadAll(bytes, "x.csv", Raw());
  EXPECT_EQ(Briefly(records), (Strings{"1:a", "!open-quote", "3:b", "4:c"}));
  EXPECT_EQ(test::Raws(records), bytes);

  ReadOptions options = Raw();
  options.max_document_bytes = 100;  // rows of up to 65736 bytes
  std::string long_tail = bytes;
  for (int i = 5; i < 20000; ++i) {
    long_tail += std::to_string(i) + ",row\n";
  }
  const auto many = ReadAll(long_tail, "x.csv", options);
  EXPECT_EQ(many.size(), 19999u);
  EXPECT_EQ(many[1].reason, "open-quote");
  EXPECT_EQ(test::Raws(many), long_tail);
}

TEST(Csv, TooLargeRowsAndTextsAreQuarantined) {
  ReadOptions options;
  options.max_document_bytes = 100;
  const std::string bytes = "id,text\n1," + std::string(101, 'x') + "\n2," +
                            std::string(200'000, 'y') + "\n3,\"" +
                            std::string(200'000, 'z') + "\n4,d\n";
  EXPECT_EQ(Briefly(ReadAll(bytes, "x.csv", options)),
            (Strings{"!too-large", "!too-large", "!open-quote", "4:d"}));
}

// Rows whose quotes never close although each line opens one: going back must
// not make the time quadratic.
TEST(Csv, QuotesThatNeverCloseTakeLinearTime) {
  ReadOptions options;
  options.max_document_bytes = 1000;
  std::string bytes = "id,text\n";
  for (int i = 0; i < 200'000; ++i) bytes += "x\" ,\"\n";
  const auto records = ReadAll(bytes, "x.csv", options);
  EXPECT_FALSE(records.empty());
  for (const Record& record : records) {
    EXPECT_EQ(record.kind, RecordKind::kQuarantined);
  }
}

TEST(Csv, DamageInFrontOfTheHeaderLosesTheSource) {
  std::string damaged = test::Gzip("id,text\n");
  damaged[damaged.size() - 6] ^= 1;
  const auto records = ReadAll(damaged + test::Gzip("1,a\n2,b\n"), "x.csv.gz");
  EXPECT_EQ(Briefly(records), (Strings{"!compression-checksum", "!no-header"}));
  const std::string open = "id,\"text\n1,a\n";
  const auto unclosed = ReadAll(open, "x.csv", Raw());
  EXPECT_EQ(Briefly(unclosed), (Strings{"!open-quote", "!no-header"}));
  EXPECT_EQ(test::Raws(unclosed), open);
}

TEST(Csv, ALineOfAMarkAloneBelongsToTheRowInFront) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& end :
       {mark, mark + "\n", mark + "\r\n", mark + "\r", "\n" + mark + "\n\n"}) {
    const std::string bytes = "id,text\n1,a\n" + end;
    const auto records = ReadAll(bytes, "x.csv", Raw());
    EXPECT_EQ(Briefly(records), Strings{"1:a"});
    EXPECT_EQ(test::Raws(records), bytes);
  }
}

TEST(Csv, DamagedMembersLoseOnlyTheirRows) {
  std::string second = test::Gzip("2,\"b\nb\"\n3,c\n");
  second[second.size() - 6] ^= 1;
  const auto records =
      ReadAll(test::Gzip("id,text\n1,a\n") + second + test::Gzip("4,d\n"),
              "x.csv", Raw());
  EXPECT_EQ(Briefly(records), (Strings{"1:a", "!compression-checksum", "4:d"}));
  EXPECT_EQ(test::Raws(records), "id,text\n1,a\n2,\"b\nb\"\n3,c\n4,d\n");
}

// A definition by the letter: rows and fields of text whose quotes are all
// closed.
std::vector<Strings> Reference(const std::string& text) {
  std::vector<Strings> rows(1);
  std::string field;
  size_t at = 0;
  const auto end_row = [&] {
    rows.back().push_back(field);
    field.clear();
    rows.emplace_back();
  };
  bool start = true;
  while (at < text.size()) {
    if (start && text[at] == '"') {
      ++at;
      while (text[at] != '"' || text[at + 1] == '"') {
        field += text[at];
        at += text[at] == '"' ? 2 : 1;
      }
      ++at;
      start = false;
    } else if (text[at] == ',') {
      rows.back().push_back(field);
      field.clear();
      start = true;
      ++at;
    } else if (text[at] == '\n') {
      end_row();
      start = true;
      ++at;
    } else {
      field += text[at++];
      start = false;
    }
  }
  if (!field.empty() || !rows.back().empty()) end_row();
  rows.pop_back();
  return rows;
}

// All texts of up to seven bytes over an alphabet that reaches every state, in
// every split of the view.
TEST(CsvRow, AgreesWithTheDefinitionOnAllSmallTexts) {
  const char alphabet[] = {'a', ',', '"', '\n'};
  size_t compared = 0;
  for (int size = 1; size <= 7; ++size) {
    for (int code = 0; code < 1 << (2 * size); ++code) {
      std::string text;
      for (int i = 0; i < size; ++i) text += alphabet[(code >> (2 * i)) & 3];
      text += '\n';
      std::vector<Strings> rows;
      std::string_view rest = text;
      bool open = false;
      while (!rest.empty() && !open) {
        CsvRowScanner whole(','), grown(',');
        const size_t row = whole.Scan(rest);
        size_t step = 0;
        for (size_t n = 1; n <= rest.size() && step == 0; ++n) {
          step = grown.Scan(rest.substr(0, n));
        }
        ASSERT_EQ(row, step) << text;
        open = row == 0;
        if (open) break;
        rows.emplace_back();
        SplitCsvRow(rest.substr(0, row - 1), ',', &rows.back());
        rest.remove_prefix(row);
      }
      if (open) continue;
      ++compared;
      ASSERT_EQ(rows, Reference(text)) << text;
    }
  }
  EXPECT_GT(compared, 5'000u);
}

TEST(Csv, RandomDamageKeepsRawsAndNeverFails) {
  SplitMix64 random(17);
  std::string text = "id,text\n";
  for (int i = 0; i < 80; ++i) {
    text +=
        std::to_string(i) + (i % 3 == 0 ? ",\"a \"\"b\"\"\nc\"\n" : ",d e\n");
  }
  for (int round = 0; round < 500; ++round) {
    std::string damaged = text;
    for (uint64_t i = random.Below(6); i-- > 0;) {
      damaged[8 + random.Below(damaged.size() - 8)] =
          "\",\n\rx"[random.Below(5)];
    }
    ASSERT_EQ(test::Raws(ReadAll(damaged, "x.csv", Raw())), damaged);
  }
}

}  // namespace
}  // namespace twinset
