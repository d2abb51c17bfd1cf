#include "text/page/language.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>  // the next header uses FILE and does not say so

// After <cstdio>, hence apart.
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include "base/ascii.h"
#include "base/utf8.h"

namespace twinset {
namespace {

// An answer that the library calls unreliable is taken nevertheless if this
// share of all letters is in the language, no other has a quarter of that, and
// there is this much text: texts full of names and commands are of that kind.
constexpr int kMinShare = 40;
constexpr int kLead = 4;
constexpr int kMinLetterBytes = 150;

// The library takes the larger part of a text in English (and a few others) for
// boilerplate if a sixth is in another language, because it expects pages with
// menus. A clean text has none; but programs and commands count as English, so
// it yields to a language of a third.
constexpr int kMinYield = 33;

// A first look at a longer text is believed if the library calls its answer
// reliable and this share of all letters is in the language.
constexpr int kClearShare = 95;

size_t CharacterBorder(std::string_view text, size_t at) {
  while (at < text.size() && IsContinuation(text[at])) ++at;
  return at;
}

// Lengths at which the library refuses a whole text for one character: control
// characters, noncharacters. 0 for what it takes; else the bytes to blank.
size_t RefusedLength(std::string_view rest) {
  const auto byte = [&](size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x20 || lead == 0x7F) {
    return lead == '\n' || lead == '\t' || lead == '\r' || lead == '\f' ? 0 : 1;
  }
  if (lead < 0xC2) return 0;
  if (lead == 0xC2) return byte(1) < 0xA0 ? 2 : 0;  // C1
  if (lead < 0xEF) return 0;
  if (lead == 0xEF) {
    const bool arabic = byte(1) == 0xB7 && byte(2) >= 0x90 && byte(2) <= 0xAF;
    const bool last = byte(1) == 0xBF && byte(2) >= 0xBE;
    return arabic || last ? 3 : 0;
  }
  const bool last =
      (byte(1) & 0x0F) == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE;
  return last ? 4 : 0;
}

void AppendAcceptable(std::string_view text, std::string* out) {
  size_t begin = 0;  // of what is to be copied
  for (size_t at = 0; at < text.size();) {
    const size_t refused = RefusedLength(text.substr(at));
    if (refused != 0) {
      out->append(text, begin, at - begin);
      out->push_back(' ');
      begin = at + refused;
    }
    at += std::max<size_t>(refused, 1);
  }
  if (begin < text.size()) out->append(text, begin);
}

// What of the text is looked at: up to `bytes` of it.
std::string Sample(std::string_view text, size_t bytes) {
  std::string sample;
  sample.reserve(std::min(text.size(), bytes) + kLanguageSlices);
  if (text.size() <= bytes) {
    AppendAcceptable(text, &sample);
    return sample;
  }
  const size_t slice = bytes / kLanguageSlices;
  for (size_t i = 0; i < kLanguageSlices; ++i) {
    const size_t from = (text.size() - slice) / (kLanguageSlices - 1) * i;
    const size_t begin = CharacterBorder(text, from);
    const size_t end = CharacterBorder(text, from + slice);
    AppendAcceptable(text.substr(begin, end - begin), &sample);
    sample.push_back('\n');
  }
  return sample;
}

// Codes that ISO 639 has withdrawn and pages (and the library) still use.
std::string_view CurrentCode(std::string_view code) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOld =
      {{{"iw", "he"},
        {"in", "id"},
        {"ji", "yi"},
        {"jw", "jv"},
        {"mo", "ro"},
        {"sr-me", "sr"}}};
  for (const auto& [old, now] : kOld) {
    if (code == old) return now;
  }
  return code;
}

// A code of the library in BCP 47. Its own inventions (xxx, xx-Cyrl, zzp, ...)
// are no language.
std::string CodeOf(CLD2::Language language) {
  const std::string_view code = CLD2::LanguageCode(language);
  if (code.size() < 2 || code == "un" || code.starts_with("xx") ||
      code.starts_with("zz")) {
    return std::string(kUnknownLanguage);
  }
  return CanonicalLanguageTag(code);
}

const std::vector<std::string>& KnownLanguages() {
  static const std::vector<std::string> known = [] {
    std::vector<std::string> codes = {std::string(kUnknownLanguage)};
    for (int i = 0; i < CLD2::NUM_LANGUAGES; ++i) {
      const std::string code = CodeOf(static_cast<CLD2::Language>(i));
      if (!code.empty()) codes.push_back(code);
    }
    std::sort(codes.begin(), codes.end());
    return codes;
  }();
  return known;
}

// What the library says of a text: up to three languages with their shares.
struct Answer {
  CLD2::Language found = CLD2::UNKNOWN_LANGUAGE;
  CLD2::Language languages[3] = {};
  int shares[3] = {};
  double scores[3] = {};
  int letter_bytes = 0;
  bool reliable = false;

  int ShareOf(CLD2::Language language) const {
    for (int i = 0; i < 3; ++i) {
      if (languages[i] == language) return shares[i];
    }
    return 0;
  }
  // The place of the greatest share but that of `except`; -1: there is none.
  int Greatest(CLD2::Language except) const {
    int greatest = -1;
    for (int i = 0; i < 3; ++i) {
      if (languages[i] == CLD2::UNKNOWN_LANGUAGE || languages[i] == except)
        continue;
      if (greatest < 0 || shares[i] > shares[greatest]) greatest = i;
    }
    return greatest;
  }
};

// `hint`: what the page declares, canonical, or empty.
Answer Ask(const std::string& sample, const std::string& hint) {
  CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING,
                       CLD2::UNKNOWN_LANGUAGE};
  if (!hint.empty()) hints.content_language_hint = hint.c_str();
  Answer answer;
  int valid_bytes = 0;
  answer.found = CLD2::ExtDetectLanguageSummaryCheckUTF8(
      sample.data(), static_cast<int>(sample.size()), /*is_plain_text=*/true,
      &hints, /*flags=*/0, answer.languages, answer.shares, answer.scores,
      nullptr, &answer.letter_bytes, &answer.reliable, &valid_bytes);
  return answer;
}

LanguageGuess Judge(const Answer& answer) {
  LanguageGuess guess;
  CLD2::Language language = answer.found;
  int share = answer.ShareOf(language);
  const int rival = answer.Greatest(language);
  const int other = rival < 0 ? 0 : answer.shares[rival];
  bool sure =
      answer.reliable || (share >= kMinShare && share >= kLead * other &&
                          answer.letter_bytes >= kMinLetterBytes);
  if (share < kMinYield && other > share) {
    language = answer.languages[rival];
    share = other;
    sure = sure && share >= kMinShare;
  }
  if (!sure || CodeOf(language) == kUnknownLanguage) return guess;
  guess.code = CodeOf(language);
  guess.share_percent = share;
  return guess;
}

}  // namespace

LanguageGuess IdentifyLanguage(std::string_view clean_utf8,
                               std::string_view declared) {
  const std::string hint = CanonicalLanguageTag(declared);
  if (clean_utf8.size() > kFirstLanguageBytes) {
    const Answer first = Ask(Sample(clean_utf8, kFirstLanguageBytes), hint);
    if (first.reliable && first.ShareOf(first.found) >= kClearShare)
      return Judge(first);
  }
  return Judge(Ask(Sample(clean_utf8, kLanguageBytes), hint));
}

LanguageGuess ReferenceLanguage(std::string_view clean_utf8,
                                std::string_view declared) {
  return Judge(
      Ask(Sample(clean_utf8, kLanguageBytes), CanonicalLanguageTag(declared)));
}

std::string CanonicalLanguageTag(std::string_view tag) {
  tag = tag.substr(0, tag.find(','));
  while (!tag.empty() && (tag.front() == ' ' || tag.front() == '\t'))
    tag.remove_prefix(1);
  while (!tag.empty() && (tag.back() == ' ' || tag.back() == '\t'))
    tag.remove_suffix(1);
  if (tag.size() > 35) return "";  // the longest a registry is asked to take
  std::string canonical;
  size_t subtag = 0;  // length of the current one
  for (const char raw : tag) {
    const char c = ToLowerAscii(raw == '_' ? '-' : raw);
    const bool letter = c >= 'a' && c <= 'z';
    const bool digit =
        c >= '0' && c <= '9' && canonical.find('-') != canonical.npos;
    if (c == '-' ? subtag == 0 : !letter && !digit) return "";
    subtag = c == '-' ? 0 : subtag + 1;
    if (subtag > 8) return "";
    canonical.push_back(c);
  }
  if (subtag == 0) return "";
  const std::string_view current = CurrentCode(canonical);
  if (current != canonical) return std::string(current);
  const std::string primary = canonical.substr(0, canonical.find('-'));
  if (primary.size() < 2) return "";
  canonical.replace(0, primary.size(), CurrentCode(primary));
  // Scripts are written Hant.
  const size_t script = canonical.find('-') + 1;
  if (script > 0 && script + 4 <= canonical.size() &&
      canonical.find_first_of("-0123456789", script) >= script + 4 &&
      (canonical.size() == script + 4 || canonical[script + 4] == '-')) {
    canonical[script] = static_cast<char>(canonical[script] - 32);
  }
  return canonical;
}

Result<std::vector<std::string>> ParseLanguageRanges(
    const std::vector<std::string>& ranges) {
  std::vector<std::string> parsed;
  const auto& known = KnownLanguages();
  for (const std::string& range : ranges) {
    const std::string canonical = CanonicalLanguageTag(range);
    if (!std::binary_search(known.begin(), known.end(), canonical)) {
      const std::string primary = canonical.substr(0, canonical.find('-'));
      const bool has_primary =
          std::binary_search(known.begin(), known.end(), primary);
      return Fail(ErrorCode::kUsage,
                  "no text is identified as language '" + range + "'", "",
                  has_primary ? "use " + primary
                              : "use codes of ISO 639 as de, en, zh, zh-Hant; "
                                "und for texts of unknown language");
    }
    parsed.push_back(canonical);
  }
  return parsed;
}

bool LanguageInRanges(std::string_view code,
                      const std::vector<std::string>& ranges) {
  if (ranges.empty()) return true;
  return std::any_of(
      ranges.begin(), ranges.end(), [&](const std::string& range) {
        return code.starts_with(range) &&
               (code.size() == range.size() || code[range.size()] == '-');
      });
}

std::string LanguageDataVersion() {
  static const std::string version = CLD2::DetectLanguageVersion();
  return version;
}

}  // namespace twinset
