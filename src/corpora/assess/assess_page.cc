#include "assess/assess_page.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "pipeline/report/text_diff.h"
#include "report/html_report.h"
#include "report/html_style.h"
#include "twinset/plain_words.h"
#include "verify/diff.h"

namespace twinset {

namespace {

constexpr uint64_t kMostDiffCost = 2000;
constexpr size_t kMostTextBytes = 24 << 10;  // of a side
constexpr size_t kMostNameBytes = 200;

struct SideHtml {
  std::string text;
  void Add(std::string_view piece, const char* tag) {
    if (piece.empty()) return;
    const std::string_view name = tag;
    if (!name.empty()) text.append("<").append(name) += '>';
    AppendHtml(&text, piece);
    if (!name.empty()) text.append("</").append(name) += '>';
  }
};

// Both texts in full, with marks where they differ.
void AppendDifferences(std::string_view left, std::string_view right,
                       const FeatureExtractor& extractor, SideHtml* x,
                       SideHtml* y) {
  std::vector<uint64_t> left_hashes, right_hashes;
  const auto left_tokens = extractor.Tokens(left);
  const auto right_tokens = extractor.Tokens(right);
  for (const Token& token : left_tokens)
    left_hashes.push_back(EqualityHash::OfProcess().Short(token.text));
  for (const Token& token : right_tokens)
    right_hashes.push_back(EqualityHash::OfProcess().Short(token.text));
  for (const DiffRun& run :
       DiffTexts({left, left_tokens}, {right, right_tokens},
                 AlignTokens(left_hashes, right_hashes, kMostDiffCost))) {
    if (run.kind == DiffRun::kOnlyX) x->Add(run.text, "ins");
    if (run.kind == DiffRun::kOnlyY) y->Add(run.text, "del");
    if (run.kind != DiffRun::kBoth) continue;
    const bool is_same = run.text == run.text_y;
    x->Add(run.text, is_same ? "" : "ins");
    y->Add(run.text_y, is_same ? "" : "del");
  }
}

void AppendSide(const AssessSide& side, bool is_whole, const std::string& text,
                std::string* to) {
  *to += "<div>";
  if (!side.title.empty()) {
    *to += "<p class=\"name\" dir=\"auto\">";
    AppendHtml(to, Shortened(side.title, kMostNameBytes));
    *to += "</p>";
  }
  *to += "<p class=\"id\">";
  AppendHtml(to, Shortened(side.url, kMostNameBytes));
  *to += "</p><p class=\"text\" dir=\"auto\">" + text + "</p>";
  if (!is_whole) *to += "<p class=\"skip\">The rest is not shown.</p>";
  *to += "</div>\n";
}

}  // namespace

std::string ScriptString(std::string_view text) {
  std::string json, ascii;
  AppendJsonString(&json, text);
  for (size_t at = 0; at < json.size();) {
    const auto first = static_cast<unsigned char>(json[at]);
    const bool is_plain = first >= 0x20 && first < 0x7F && first != '<' &&
                          first != '>' && first != '&';
    if (is_plain) {
      ascii += json[at++];
      continue;
    }
    const size_t size = std::max<size_t>(
        1, Utf8SequenceLength(std::string_view(json).substr(at)));
    uint32_t code = size == 1 ? first : first & (0x7Fu >> size);
    for (size_t k = 1; k < size; ++k)
      code = code << 6 | (static_cast<unsigned char>(json[at + k]) & 0x3Fu);
    at += size;
    if (code >= 0x10000) {
      code -= 0x10000;
      ascii += "\\u" + ToHex(0xD800 + (code >> 10), 4) + "\\u" +
               ToHex(0xDC00 + (code & 0x3FF), 4);
    } else {
      ascii += "\\u" + ToHex(code, 4);
    }
  }
  return ascii;
}

AssessPage::AssessPage(const Assessment& assessment) {
  html_ =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
      ToBase64(Sha256(kAssessScript)) +
      "'; base-uri 'none'; form-action 'none'\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>Pairs to judge</title>\n";
  html_ += kPageStyle;
  html_ += kAssessStyle;
  html_ +=
      "</head>\n<body>\n<main>\n<h1>Pairs to judge</h1>\n"
      "<p class=\"lead\"><b>Each pair has two questions.</b> Do both say the "
      "same, so that a reader of one need not see the other? And do both look "
      "the same: the same parts in the same order and frame? There are " +
      CountText(assessment.pairs.size(), "pair") + ".</p>\n";
  html_ +=
      "<noscript><p class=\"warning\">Without scripts the pairs can be read, "
      "but not labelled here.</p></noscript>\n"
      "<div id=\"tools\" hidden><p><label>Your name <input id=\"assessor\" "
      "maxlength=\"80\" autocomplete=\"off\"></label> "
      "<button id=\"previous\">&#8592; previous</button> "
      "<button id=\"next\">next &#8594;</button> "
      "<button id=\"differences\">differences (d)</button> "
      "<button id=\"export\">export labels (e)</button> "
      "<label class=\"file\">import <input id=\"import\" type=\"file\" "
      "accept=\".json,application/json\"></label></p>\n"
      "<p id=\"state\" role=\"status\"></p>\n"
      "<p class=\"note\">Keys: 1 2 3 same content yes, no, unsure; 4 5 6 same "
      "appearance yes, no, unsure; arrows go back and on; d shows or hides "
      "what differs; e exports. Labels stay in this browser until you export "
      "them.</p></div>\n"
      "<script type=\"application/json\" id=\"sample\">{\"digest\":" +
      ScriptString(assessment.Digest()) + ",\"pairs\":[";
  for (size_t i = 0; i < assessment.pairs.size(); ++i)
    html_ += (i == 0 ? "[" : ",\n[") + ScriptString(assessment.pairs[i].a) +
             "," + ScriptString(assessment.pairs[i].b) + "]";
  html_ += "]}</script>\n";
}

void AssessPage::Add(const AssessSide& left, const AssessSide& right,
                     const FeatureExtractor& extractor) {
  const size_t left_size = LengthUpTo(left.text, kMostTextBytes);
  const size_t right_size = LengthUpTo(right.text, kMostTextBytes);
  SideHtml x, y;
  AppendDifferences(std::string_view(left.text).substr(0, left_size),
                    std::string_view(right.text).substr(0, right_size),
                    extractor, &x, &y);
  html_ += "<article><header><h3>Pair " + std::to_string(++added_) +
           "</h3></header>\n<div class=\"two\">\n";
  AppendSide(left, left.is_whole && left_size == left.text.size(), x.text,
             &html_);
  AppendSide(right, right.is_whole && right_size == right.text.size(), y.text,
             &html_);
  html_ += "</div>\n<div class=\"questions\" hidden>";
  for (const auto& [question, name] : kChoices<LabelQuestion>) {
    const std::string asked(name);
    html_ += "<p>Same " + asked + "? ";
    for (const auto& [answer, word] : kChoices<LabelAnswer>) {
      const std::string said(word);
      const int key =
          1 + static_cast<int>(question) * 3 + static_cast<int>(answer);
      html_ += "<button data-question=\"" + asked + "\" data-answer=\"" + said +
               "\" aria-pressed=\"false\">" + said + " (" +
               std::to_string(key) + ")</button> ";
    }
    html_ += "</p>";
  }
  html_ += "</div></article>\n";
}

std::string AssessPage::Finish() && {
  html_ += "</main>\n<script>";
  html_ += kAssessScript;
  html_ += "</script>\n</body>\n</html>\n";
  return std::move(html_);
}

}  // namespace twinset
