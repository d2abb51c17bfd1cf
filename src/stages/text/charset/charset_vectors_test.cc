// The vectors of the shared data, where they are: every index of the standard
// as encoding_rs tests it, and the encoding cases of html5lib. Beside them
// cases of our own in the same forms, which need nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "text/charset/charset.h"

namespace twinset {
namespace {

std::string SharedData() {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  return set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
}

// The archive's path, or empty (and it is said) if it is not there.
std::string Archive(const std::string& name) {
  const std::string path = SharedData() + "/" + name;
  if (FILE* const file = fopen(path.c_str(), "r")) {
    fclose(file);
    return path;
  }
  std::printf("SKIPPED (no shared data): %s\n", path.c_str());
  return "";
}

std::string ReadMember(const std::string& archive, const std::string& member) {
  std::string bytes;
  const std::string command =
      "tar -xJOf '" + archive + "' '" + member + "' 2>/dev/null";
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    char buffer[65536];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
      bytes.append(buffer, n);
    }
    pclose(pipe);
  }
  EXPECT_FALSE(bytes.empty()) << member;
  return bytes;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Decodes `bytes` and compares with `expected` line by line.
void ExpectText(std::string_view charset, std::string_view bytes,
                std::string_view expected, const std::string& name) {
  const auto decoded = DecodeFrom(charset, bytes);
  ASSERT_TRUE(decoded.has_value());
  const auto is = Lines(decoded->text), should = Lines(expected);
  ASSERT_EQ(is.size(), should.size()) << name;
  size_t different = 0;
  for (size_t i = 0; i < is.size(); ++i) {
    if (is[i] == should[i]) continue;
    EXPECT_EQ(is[i], should[i]) << name << " line " << i + 1;
    if (++different == 5) break;
  }
  EXPECT_EQ(decoded->text, expected);
  std::printf("%-14s %6zu lines as %.*s\n", name.c_str(), is.size(),
              static_cast<int>(charset.size()), charset.data());
}

TEST(CharsetVectors, OwnLinesOfEachIndex) {
  const struct {
    const char *charset, *bytes, *text;
  } vectors[] = {
      {"Big5", "\xA4\xA4\xA4\xE5\nx\xA4\x40\n", "\u4e2d\u6587\nx\u4e00\n"},
      {"EUC-KR", "\xC7\xD1\xB1\xDB\n\xB0\xA1y\n", "\ud55c\uae00\n\uac00y\n"},
      {"EUC-JP", "\xC6\xFC\xCB\xDC\n\x8E\xB1\n", "\u65e5\u672c\n\uff71\n"},
      {"EUC-JP", "\x8F\xB0\xA1\n\x8F\xED\xE3\n", "\u4e02\n\u9fa5\n"},
      {"Shift_JIS", "\x93\xFA\x96\x7B\n\xB1\\\n", "\u65e5\u672c\n\uff71\\\n"}};
  for (const auto& [charset, bytes, text] : vectors)
    ExpectText(charset, bytes, text, "own");
}

TEST(CharsetVectors, IndexesOfTheStandard) {
  const std::string archive =
      Archive("encoding/encoding_rs_legacy_vectors.tar.xz");
  if (archive.empty()) GTEST_SKIP() << "needs the shared encoding vectors";
  const struct {
    const char *name, *charset;
  } vectors[] = {{"big5", "Big5"},
                 {"euc_kr", "EUC-KR"},
                 {"jis0208", "EUC-JP"},
                 {"jis0212", "EUC-JP"},
                 {"shift_jis", "Shift_JIS"}};
  for (const auto& [name, charset] : vectors) {
    const std::string base = std::string("encoding_rs/") + name;
    ExpectText(charset, ReadMember(archive, base + "_in.txt"),
               ReadMember(archive, base + "_in_ref.txt"),
               std::string(name) + "_in");
    // The other vectors are for encoders: what they encode decodes to what it
    // came from.
    if (std::string_view(name) == "jis0212") continue;
    const std::string text = ReadMember(archive, base + "_out.txt");
    const std::string encoded = ReadMember(archive, base + "_out_ref.txt");
    ExpectText(charset, encoded, text, std::string(name) + "_out");
  }
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(c));
  return lower;
}

struct Html5libCase {
  std::string_view data;
  std::string encoding;  // lower case
};

std::vector<Html5libCase> ParseCases(std::string_view file) {
  std::vector<Html5libCase> cases;
  constexpr std::string_view kData = "#data\n", kEncoding = "\n#encoding\n";
  size_t at = 0;
  while ((at = file.find(kData, at)) != std::string_view::npos) {
    at += kData.size();
    const size_t end = file.find(kEncoding, at);
    if (end == std::string_view::npos) break;
    const size_t name = end + kEncoding.size();
    const size_t stop = std::min(file.find('\n', name), file.size());
    cases.push_back(
        {file.substr(at, end - at), Lower(file.substr(name, stop - name))});
    at = stop;
  }
  return cases;
}

// The encoding of the standard's parser without a label, in lower case:
// windows-1252 where nothing is declared, though ChooseCharset looks at the
// bytes then (and says UTF-8 of ASCII, which means the same text).
std::string EncodingOf(std::string_view html) {
  std::string_view charset = CharsetForBom(html);
  if (charset.empty()) charset = PrescanMarkup(html);
  if (charset.empty()) charset = LateMetaCharset(html);
  if (charset.empty()) {
    charset = "windows-1252";
    EXPECT_EQ(ChooseCharset(html, "", true), "UTF-8");
  } else {
    EXPECT_EQ(ChooseCharset(html, "", true), charset);
  }
  return Lower(charset);
}

void RunText(std::string_view file, const char* name, bool has_scripts) {
  const auto cases = ParseCases(file);
  EXPECT_FALSE(cases.empty());
  for (const Html5libCase& one : cases) {
    // A script that writes a <meta> is not run: nothing is declared.
    EXPECT_EQ(EncodingOf(one.data), has_scripts ? "windows-1252" : one.encoding)
        << name << "\n"
        << one.data;
  }
  std::printf("%-20s %zu cases\n", name, cases.size());
}

void RunCases(const std::string& archive, const char* name, bool has_scripts) {
  RunText(ReadMember(archive, std::string("encoding/") + name), name,
          has_scripts);
}

TEST(CharsetVectors, OwnEncodingCases) {
  const std::string file =
      "#data\n<meta charset=\"Shift-JIS\">\n#encoding\nShift_JIS\n\n"
      "#data\n<!-- <meta charset=big5> --><p>\n#encoding\nwindows-1252\n\n"
      "#data\n<meta http-equiv=content-type content='text/html; "
      "charset=euc-jp'>\n#encoding\nEUC-JP\n\n"
      "#data\n<meta content='text/html; charset=euc-jp'>\n#encoding\n"
      "windows-1252\n\n"
      "#data\n<meta charset=utf-16le>\n#encoding\nUTF-8\n\n"
      "#data\n\xEF\xBB\xBF<meta charset=big5>\n#encoding\nUTF-8\n";
  EXPECT_EQ(ParseCases(file).size(), 6u);
  RunText(file, "own", false);
  RunText(
      "#data\n<script>document.write('<me' + 'ta charset=big5>')</script>\n"
      "#encoding\nbig5\n",
      "own scripted", true);
}

TEST(CharsetVectors, Html5libEncodingCases) {
  const std::string archive = Archive("html5lib/tokenizer_encoding.tar.xz");
  if (archive.empty()) GTEST_SKIP() << "needs the shared html5lib cases";
  RunCases(archive, "tests1.dat", false);
  RunCases(archive, "tests2.dat", false);
  RunCases(archive, "test-yahoo-jp.dat", false);
  RunCases(archive, "scripted/tests1.dat", true);
}

TEST(CharsetVectors, ChardetSample) {
  const std::string archive = Archive("html5lib/tokenizer_encoding.tar.xz");
  if (archive.empty()) GTEST_SKIP() << "needs the shared html5lib cases";
  const std::string bytes =
      ReadMember(archive, "encoding/chardet/test_big5.txt");
  EXPECT_EQ(ChooseCharset(bytes, "", false), "Big5");
}

}  // namespace
}  // namespace twinset
