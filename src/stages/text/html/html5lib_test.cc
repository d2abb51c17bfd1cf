// The tokenizer cases of html5lib-tests, where the shared data are, and cases
// of our own in the same form, which need nothing. Parse errors are not
// compared: the tokenizer does not tell them.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "text/charset/charset.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {
namespace {

using Json = nlohmann::json;

std::string Archive() {
  const char* const shared = std::getenv("TWINSET_SHARED_DATA");
  return std::string(shared != nullptr ? shared
                                       : TWINSET_SOURCE_DIR "/../shared/data") +
         "/html5lib/tokenizer_encoding.tar.xz";
}

std::string Output(const std::string& command) {
  std::string bytes;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    char buffer[65536];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
      bytes.append(buffer, n);
    }
    pclose(pipe);
  }
  return bytes;
}

std::optional<char32_t> HexUnit(std::string_view text) {
  if (text.substr(0, 2) != "\\u" || text.size() < 6) return std::nullopt;
  char32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<char32_t>(digit);
  }
  return unit;
}

// Takes "\uHHHH" for the characters they stand for. False: a lone surrogate,
// which UTF-8 cannot hold.
bool Unescape(std::string* text) {
  std::string out;
  std::string_view rest = *text;
  while (!rest.empty()) {
    auto unit = HexUnit(rest);
    if (!unit) {
      out += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    rest.remove_prefix(6);
    if (*unit >= 0xD800 && *unit < 0xE000) {
      const auto low = HexUnit(rest);
      if (*unit >= 0xDC00 || !low || *low < 0xDC00 || *low >= 0xE000) {
        return false;
      }
      *unit = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
      rest.remove_prefix(6);
    }
    AppendCodePoint(*unit, &out);
  }
  *text = out;
  return true;
}

std::string OrMissing(const Json& value) {
  return value.is_null() ? kMissing : value.get<std::string>();
}

PlainToken Expected(const Json& token) {
  const std::string kind = token[0];
  if (kind == "DOCTYPE") {
    return {"Doctype", OrMissing(token[1]), OrMissing(token[2]),
            OrMissing(token[3]), token[4].get<bool>() ? "correct" : "quirks"};
  }
  if (kind == "StartTag") {
    PlainToken plain = {token.size() > 3 ? "Start/" : "Start", token[1]};
    const std::map<std::string, std::string> attributes = token[2];
    for (const auto& [name, value] : attributes) {
      plain.push_back(name);
      plain.push_back(value);
    }
    return plain;
  }
  return {kind == "EndTag"    ? "End"
          : kind == "Comment" ? "Comment"
                              : "Text",
          token[1]};
}

struct Case {
  std::string input;
  std::vector<PlainToken> expected;
};

// False: a lone surrogate.
bool ReadCase(const Json& test, Case* out) {
  out->input = test["input"];
  out->expected.clear();
  for (const Json& token : test["output"]) {
    AppendPlain(Expected(token), &out->expected);
  }
  if (!test.value("doubleEscaped", false)) return true;
  if (!Unescape(&out->input)) return false;
  for (PlainToken& token : out->expected) {
    for (std::string& field : token) {
      if (!Unescape(&field)) return false;
    }
  }
  return true;
}

TokenizeOptions OptionsFor(const std::string& state, const Json& test) {
  TokenizeOptions options;
  options.end_tag = test.value("lastStartTag", "");
  if (state == "RCDATA state") options.state = HtmlTokenizer::kRcdata;
  if (state == "RAWTEXT state") options.state = HtmlTokenizer::kRawText;
  if (state == "Script data state") options.state = HtmlTokenizer::kScript;
  if (state == "PLAINTEXT state") options.state = HtmlTokenizer::kPlaintext;
  options.allow_cdata = state == "CDATA section state";
  return options;
}

struct Counts {
  size_t runs = 0, surrogates = 0;
};

void RunCases(const Json& cases, const std::string& name, Counts* counts) {
  for (const Json& test : cases["tests"]) {
    Case wanted;
    if (!ReadCase(test, &wanted)) {
      std::printf("not run (lone surrogate): %s\n",
                  test["description"].get<std::string>().c_str());
      ++counts->surrogates;
      continue;
    }
    std::vector<std::string> states = {"Data state"};
    if (test.contains("initialStates")) test["initialStates"].get_to(states);
    for (const std::string& state : states) {
      const TokenizeOptions options = OptionsFor(state, test);
      // The tokenizer begins a CDATA section only by its opening.
      const std::string source =
          (options.allow_cdata ? "<![CDATA[" : "") + wanted.input;
      EXPECT_EQ(PlainTokens(source, options), wanted.expected)
          << name << ": " << test["description"] << " in " << state;
      ++counts->runs;
    }
  }
}

constexpr char kOwnCases[] = R"json({"tests": [
{"description": "text, references, tags", "input": "a&amp;b &#x41;&notit; <P Class=x id='y' x>c</P>",
 "output": [["Character", "a&b A\u00acit; "],
            ["StartTag", "p", {"class": "x", "id": "y", "x": ""}],
            ["Character", "c"], ["EndTag", "p"]]},
{"description": "empty element, repeated attribute", "input": "<br a=1 a=2/><img a=1 />",
 "output": [["StartTag", "br", {"a": "1"}],
            ["StartTag", "img", {"a": "1"}, true]]},
{"description": "doctypes", "input": "<!doctype HTML><!DOCTYPE x PUBLIC \"p\" 's'><!doctype>",
 "output": [["DOCTYPE", "html", null, null, true],
            ["DOCTYPE", "x", "p", "s", true],
            ["DOCTYPE", null, null, null, false]]},
{"description": "comments, also false ones", "input": "<!--a--><!b><?c?></ d><!--e",
 "output": [["Comment", "a"], ["Comment", "b"], ["Comment", "?c?"],
            ["Comment", " d"], ["Comment", "e"]]},
{"description": "only the own end tag ends it", "lastStartTag": "title",
 "initialStates": ["RCDATA state", "RAWTEXT state", "Script data state"],
 "input": "<b></titl></b></title>x",
 "output": [["Character", "<b></titl></b>"], ["EndTag", "title"], ["Character", "x"]]},
{"description": "references in RCDATA", "initialStates": ["RCDATA state"], "input": "&lt;<i>",
 "output": [["Character", "<<i>"]]},
{"description": "none in raw text, nor behind it", "lastStartTag": "plaintext",
 "initialStates": ["RAWTEXT state", "Script data state", "PLAINTEXT state"], "input": "&lt;<i>",
 "output": [["Character", "&lt;<i>"]]},
{"description": "the end of plain text", "lastStartTag": "plaintext",
 "initialStates": ["PLAINTEXT state"], "input": "</plaintext>",
 "output": [["Character", "</plaintext>"]]},
{"description": "a script in a comment in a script", "lastStartTag": "script",
 "initialStates": ["Script data state"], "input": "<!--<script></script>--></script>",
 "output": [["Character", "<!--<script></script>-->"], ["EndTag", "script"]]},
{"description": "CDATA", "initialStates": ["CDATA section state"], "input": "a]]b]]><c>",
 "output": [["Character", "a]]b"], ["StartTag", "c", {}]]},
{"description": "escaped twice", "doubleEscaped": true, "input": "\\uD83D\\uDE00\\u0041",
 "output": [["Character", "\\uD83D\\uDE00A"]]},
{"description": "half a pair", "doubleEscaped": true, "input": "\\uD83D",
 "output": [["Character", "\\uD83D"]]}
]})json";

TEST(Html5lib, OwnCases) {
  Counts counts;
  RunCases(Json::parse(kOwnCases), "own", &counts);
  EXPECT_EQ(counts.runs, 15u);
  EXPECT_EQ(counts.surrogates, 1u);
}

TEST(Html5lib, Tokenizer) {
  const std::string archive = Archive();
  if (FILE* const file = fopen(archive.c_str(), "r")) {
    fclose(file);
  } else {
    std::printf("SKIPPED (no shared data): %s\n", archive.c_str());
    GTEST_SKIP() << "needs the shared html5lib cases";
  }
  Counts counts;
  size_t files = 0;
  for (const std::string name :
       {"contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities",
        "numericEntities", "pendingSpecChanges", "test1", "test2", "test3",
        "test4", "unicodeChars", "unicodeCharsProblematic"}) {
    const Json cases =
        Json::parse(Output("tar -xJOf '" + archive + "' 'tokenizer/" + name +
                           ".test' 2>/dev/null"),
                    nullptr, false);
    ASSERT_TRUE(cases.is_object() && cases.contains("tests")) << name;
    ++files;
    RunCases(cases, name, &counts);
  }
  std::printf("%zu cases of %zu files, %zu not run\n", counts.runs, files,
              counts.surrogates);
  EXPECT_GT(counts.runs, 6500u);
  EXPECT_LE(counts.surrogates, 8u);
}

}  // namespace
}  // namespace twinset
