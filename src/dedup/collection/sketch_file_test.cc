// Files of sketches: what is read is what was written, damage is refused, and
// the parameters name all that changes a sketch.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "options/parameters.h"
#include "twinset/methods.h"
#include "twinset/session.h"
#include "twinset/sketches.h"

namespace twinset {
namespace {

std::vector<std::string> Texts(size_t count) {
  std::mt19937_64 random(3);
  std::vector<std::string> texts(count);
  for (std::string& text : texts)
    for (uint64_t i = random() % 60; i > 0; --i)
      text += "word" + std::to_string(random() % 300) + " ";
  return texts;
}

SketchSet RandomSet(uint64_t seed, size_t rows, bool has_ids) {
  std::mt19937_64 random(seed);
  SketchSet set;
  set.parameters = {{"spec", "1.2"}, {"method", "minhash"}, {"seed", "1"}};
  for (size_t i = 0; i < rows; ++i) {
    for (uint64_t k = random() % 200; k > 0; --k)
      set.sketches.values.push_back(static_cast<uint32_t>(random()));
    set.sketches.offsets.push_back(set.sketches.values.size());
    std::string id;
    for (uint64_t k = random() % 9; k > 0; --k)
      id += static_cast<char>(random());
    if (has_ids) set.ids.push_back(id);
  }
  return set;
}

void ExpectEqual(const SketchSet& a, const SketchSet& b) {
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.sketches.values, b.sketches.values);
  EXPECT_EQ(a.sketches.offsets, b.sketches.offsets);
}

TEST(SketchFile, GivesBackWhatWasWritten) {
  const TestDir dir;
  const std::string path = dir / "a.sketches";
  for (const size_t rows : {0, 1, 3, 700}) {
    for (const bool has_ids : {false, true}) {
      const SketchSet set = RandomSet(rows, rows, has_ids);
      ASSERT_TRUE(WriteSketches(path, set));
      const auto read = ReadSketches(path);
      ASSERT_TRUE(read) << read.error().ToString();
      ExpectEqual(*read, set);
    }
  }
  SketchSet set = RandomSet(1, 5, true);
  set.ids.pop_back();
  EXPECT_EQ(WriteSketches(path, set).error().code, ErrorCode::kUsage);
  set.ids.clear();
  set.sketches.offsets.back() += 1;
  EXPECT_EQ(WriteSketches(path, set).error().code, ErrorCode::kUsage);
  EXPECT_EQ(ReadSketches(dir / "none").error().code, ErrorCode::kIo);
}

// The bytes of docs/formats/sketches.md.
TEST(SketchFile, HasTheBytesOfTheFormat) {
  const TestDir dir;
  SketchSet set;
  set.parameters = {{"method", "m"}};
  set.ids = {"ab"};
  set.sketches.values = {1, 0x01020304};
  set.sketches.offsets = {0, 2};
  ASSERT_TRUE(WriteSketches(dir / "a", set));
  const std::string head = R"({"parameters":{"method":"m"},"ids":true})";
  std::string expected = "twinskt\n" + std::string("\1\0\0\0", 4);
  AppendLE<uint32_t>(&expected, static_cast<uint32_t>(head.size()));
  expected += head;
  AppendLE<uint64_t>(&expected, Hash64(expected));
  std::string block("\1\0\0\0\0\0\0\0\x12\0\0\0\0\0\0\0", 16);
  block += std::string("\2\0\0\0\2\0\0\0ab\1\0\0\0\4\3\2\1", 18);
  AppendLE<uint64_t>(&block, Hash64(block, 0));
  std::string end("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16);
  AppendLE<uint64_t>(&end, Hash64(end, 1));
  EXPECT_EQ(*ReadWholeFile(dir / "a"), expected + block + end);
}

TEST(SketchFile, DamageIsRefused) {
  const TestDir dir;
  const SketchSet set = RandomSet(8, 12, true);
  const std::string path = dir / "a";
  ASSERT_TRUE(WriteSketches(path, set));
  const std::string whole = *ReadWholeFile(path);
  const auto code = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    const auto read = ReadSketches(path);
    return read ? ErrorCode::kInternal : read.error().code;
  };
  for (size_t at = 0; at < whole.size(); at += at < 150 ? 1 : 61) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const bool is_version = at >= 8 && at < 12;
    EXPECT_EQ(code(bytes),
              is_version ? ErrorCode::kUnsupported : ErrorCode::kCorrupt)
        << at;
    EXPECT_EQ(code(whole.substr(0, at)), ErrorCode::kCorrupt) << at;
  }
  EXPECT_EQ(code(whole + "x"), ErrorCode::kCorrupt);
  EXPECT_EQ(code(whole + whole), ErrorCode::kCorrupt);
  std::string later = whole;
  later[8] = 2;
  EXPECT_TRUE(WriteWholeFile(path, later));
  EXPECT_NE(ReadSketches(path).error().ToString().find("format 2"),
            std::string::npos);
}

SketchSet SetOf(const Session& session, const std::vector<std::string>& texts) {
  SketchSet set;
  set.parameters = session.Parameters();
  set.sketches = *session.Sketch(TextBatch(texts));
  return set;
}

TEST(Sketches, OfDifferentParametersAreNeverCompared) {
  const TestDir dir;
  const auto texts = Texts(12);
  const auto session = Session::Make();
  ASSERT_TRUE(session);
  const SketchSet set = SetOf(*session, texts);
  ASSERT_TRUE(WriteSketches(dir / "a", set));
  const auto read = ReadSketches(dir / "a");
  ASSERT_TRUE(read);
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = 0; j < texts.size(); ++j)
      EXPECT_EQ(*session->Estimate(*read, i, set, j),
                session->Estimate(set.sketches[i], set.sketches[j]));
  EXPECT_EQ(session->Estimate(*read, 12, set, 0).error().code,
            ErrorCode::kUsage);
  SessionOptions options;
  options.method.seed = 77;
  const auto other = Session::Make(options);
  const SketchSet of_other = SetOf(*other, texts);
  const auto refused = session->Estimate(*read, 0, of_other, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message.find("seed is '1' and '77'"),
            std::string::npos)
      << refused.error().message;
  // Two that agree with each other and not with the session.
  EXPECT_FALSE(session->Estimate(of_other, 0, of_other, 0));
  EXPECT_TRUE(other->Estimate(of_other, 0, of_other, 0));
  SketchSet old = set;
  old.parameters["spec"] = "1.1";
  EXPECT_NE(CheckComparable(set.parameters, old.parameters, "old.sketches")
                .error()
                .ToString()
                .find("spec is '1.2' and '1.1'"),
            std::string::npos);
  old.parameters = set.parameters;
  old.parameters.erase("permutations");
  EXPECT_NE(CheckComparable(old.parameters, set.parameters)
                .error()
                .message.find("permutations is none and '128'"),
            std::string::npos);
  options.method = {};
  options.method.name = "simhash";
  EXPECT_NE(session->Estimate(set, 0, SetOf(*Session::Make(options), texts), 0)
                .error()
                .message.find("method is 'minhash' and 'simhash'"),
            std::string::npos);
}

// A value of the parameter beside its default, as the command line takes it.
const char* OtherValue(std::string_view name) {
  static const std::map<std::string_view, const char*> kValues = {
      {"threshold", "0.6"},
      {"measure", "dice"},
      {"bands", "4"},
      {"rows", "3"},
      {"bucket-limit", "9"},
      {"verify", "none"},
      {"distance", "2"},
      {"agree", "1"},
      {"probes", "3"},
      {"seed", "5"},
      {"permutations", "64"},
      {"bits", "48"},
      {"level", "tokens"},
      {"polynomial", "seeded"},
      {"sketch-shingle", "word:2"},
      {"feature-hash", "md5"},
      {"value-bits", "8"},
      {"weights", "binary"},
      {"groups", "5"},
      {"group-size", "3"},
      {"modulus", "3"},
      {"tokens", "whitespace"},
      {"stop-words", "en"},
      {"stem", "porter"},
      {"shingle", "word:3"},
      {"group-by", "sorted"},
      {"chunks", "7"},
      {"template", "keep"},
      {"content", "all"}};
  const auto found = kValues.find(name);
  return found == kValues.end() ? nullptr : found->second;
}

// A parameter that changes a sketch is among those of the file.
TEST(Sketches, ParametersNameAllThatChangesASketch) {
  auto texts = Texts(60);
  for (std::string& text : texts) text += " the running of the words";
  size_t changed = 0, kept = 0;
  for (const MethodInfo& method : Methods()) {
    SessionOptions options;
    options.method.name = method.name;
    const auto session = Session::Make(options);
    if (!session || !session->Sketch(TextBatch(texts))) continue;
    const auto expected = session->Sketch(TextBatch(texts));
    for (const Parameter& parameter : Parameters()) {
      const char* value = OtherValue(parameter.name);
      if (value == nullptr) continue;
      ParameterValues values;
      values.method = options.method;
      if (!SetParameter(parameter, value, &values)) continue;
      SessionOptions other = options;
      other.method = values.method;
      other.features = values.features;
      const auto made = Session::Make(other);
      if (!made) continue;  // the method does not read it
      const auto sketches = made->Sketch(TextBatch(texts));
      const bool is_same = sketches->values == expected->values &&
                           sketches->offsets == expected->offsets;
      ++(is_same ? kept : changed);
      if (is_same) continue;
      EXPECT_NE(made->Parameters(), session->Parameters())
          << method.name << " " << parameter.name;
    }
  }
  EXPECT_GT(changed, 20u);
  EXPECT_GT(kept, 20u);
}

}  // namespace
}  // namespace twinset
