#include "text/html_entities.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "text/charset.h"

namespace twinset {
namespace {

struct Name {
  std::string_view name;
  uint16_t code_point;
  bool legacy;  // also without semicolon
};

// Sorted by name (bytes).
constexpr Name kNames[] = {
    {"AElig", 0xC6, true},      {"AMP", 0x26, true},
    {"Aacute", 0xC1, true},     {"Acirc", 0xC2, true},
    {"Agrave", 0xC0, true},     {"Alpha", 0x391, false},
    {"Amacr", 0x100, false},    {"Aogon", 0x104, false},
    {"Aring", 0xC5, true},      {"Atilde", 0xC3, true},
    {"Auml", 0xC4, true},       {"Beta", 0x392, false},
    {"COPY", 0xA9, true},       {"Cacute", 0x106, false},
    {"Ccaron", 0x10C, false},   {"Ccedil", 0xC7, true},
    {"Chi", 0x3A7, false},      {"Dagger", 0x2021, false},
    {"Dcaron", 0x10E, false},   {"Delta", 0x394, false},
    {"Dstrok", 0x110, false},   {"ETH", 0xD0, true},
    {"Eacute", 0xC9, true},     {"Ecaron", 0x11A, false},
    {"Ecirc", 0xCA, true},      {"Egrave", 0xC8, true},
    {"Eogon", 0x118, false},    {"Epsilon", 0x395, false},
    {"Eta", 0x397, false},      {"Euml", 0xCB, true},
    {"GT", 0x3E, true},         {"Gamma", 0x393, false},
    {"Gbreve", 0x11E, false},   {"Hat", 0x5E, false},
    {"Iacute", 0xCD, true},     {"Icirc", 0xCE, true},
    {"Idot", 0x130, false},     {"Igrave", 0xCC, true},
    {"Iota", 0x399, false},     {"Iuml", 0xCF, true},
    {"Kappa", 0x39A, false},    {"LT", 0x3C, true},
    {"Lambda", 0x39B, false},   {"Lstrok", 0x141, false},
    {"Mu", 0x39C, false},       {"Nacute", 0x143, false},
    {"Ncaron", 0x147, false},   {"NewLine", 0xA, false},
    {"Ntilde", 0xD1, true},     {"Nu", 0x39D, false},
    {"OElig", 0x152, false},    {"Oacute", 0xD3, true},
    {"Ocirc", 0xD4, true},      {"Odblac", 0x150, false},
    {"Ograve", 0xD2, true},     {"Omega", 0x3A9, false},
    {"Omicron", 0x39F, false},  {"Oslash", 0xD8, true},
    {"Otilde", 0xD5, true},     {"Ouml", 0xD6, true},
    {"Phi", 0x3A6, false},      {"Pi", 0x3A0, false},
    {"Prime", 0x2033, false},   {"Psi", 0x3A8, false},
    {"QUOT", 0x22, true},       {"REG", 0xAE, true},
    {"Rcaron", 0x158, false},   {"Rho", 0x3A1, false},
    {"Sacute", 0x15A, false},   {"Scaron", 0x160, false},
    {"Scedil", 0x15E, false},   {"Sigma", 0x3A3, false},
    {"THORN", 0xDE, true},      {"TRADE", 0x2122, false},
    {"Tab", 0x9, false},        {"Tau", 0x3A4, false},
    {"Tcaron", 0x164, false},   {"Theta", 0x398, false},
    {"Uacute", 0xDA, true},     {"Ucirc", 0xDB, true},
    {"Udblac", 0x170, false},   {"Ugrave", 0xD9, true},
    {"Upsilon", 0x3A5, false},  {"Uring", 0x16E, false},
    {"Uuml", 0xDC, true},       {"Xi", 0x39E, false},
    {"Yacute", 0xDD, true},     {"Yuml", 0x178, false},
    {"Zacute", 0x179, false},   {"Zcaron", 0x17D, false},
    {"Zdot", 0x17B, false},     {"Zeta", 0x396, false},
    {"aacute", 0xE1, true},     {"acirc", 0xE2, true},
    {"acute", 0xB4, true},      {"aelig", 0xE6, true},
    {"agrave", 0xE0, true},     {"alefsym", 0x2135, false},
    {"alpha", 0x3B1, false},    {"amacr", 0x101, false},
    {"amp", 0x26, true},        {"and", 0x2227, false},
    {"ang", 0x2220, false},     {"aogon", 0x105, false},
    {"apos", 0x27, false},      {"aring", 0xE5, true},
    {"ast", 0x2A, false},       {"asymp", 0x2248, false},
    {"atilde", 0xE3, true},     {"auml", 0xE4, true},
    {"bdquo", 0x201E, false},   {"beta", 0x3B2, false},
    {"bigstar", 0x2605, false}, {"breve", 0x2D8, false},
    {"brvbar", 0xA6, true},     {"bsol", 0x5C, false},
    {"bull", 0x2022, false},    {"cacute", 0x107, false},
    {"cap", 0x2229, false},     {"caron", 0x2C7, false},
    {"ccaron", 0x10D, false},   {"ccedil", 0xE7, true},
    {"cedil", 0xB8, true},      {"cent", 0xA2, true},
    {"check", 0x2713, false},   {"chi", 0x3C7, false},
    {"circ", 0x2C6, false},     {"clubs", 0x2663, false},
    {"colon", 0x3A, false},     {"comma", 0x2C, false},
    {"commat", 0x40, false},    {"cong", 0x2245, false},
    {"copy", 0xA9, true},       {"crarr", 0x21B5, false},
    {"cup", 0x222A, false},     {"curren", 0xA4, true},
    {"dArr", 0x21D3, false},    {"dagger", 0x2020, false},
    {"darr", 0x2193, false},    {"dash", 0x2010, false},
    {"dcaron", 0x10F, false},   {"deg", 0xB0, true},
    {"delta", 0x3B4, false},    {"diams", 0x2666, false},
    {"divide", 0xF7, true},     {"dollar", 0x24, false},
    {"dot", 0x2D9, false},      {"dstrok", 0x111, false},
    {"eacute", 0xE9, true},     {"ecaron", 0x11B, false},
    {"ecirc", 0xEA, true},      {"egrave", 0xE8, true},
    {"emacr", 0x113, false},    {"empty", 0x2205, false},
    {"emsp", 0x2003, false},    {"ensp", 0x2002, false},
    {"eogon", 0x119, false},    {"epsilon", 0x3B5, false},
    {"equals", 0x3D, false},    {"equiv", 0x2261, false},
    {"eta", 0x3B7, false},      {"eth", 0xF0, true},
    {"euml", 0xEB, true},       {"euro", 0x20AC, false},
    {"excl", 0x21, false},      {"exist", 0x2203, false},
    {"fnof", 0x192, false},     {"forall", 0x2200, false},
    {"frac12", 0xBD, true},     {"frac13", 0x2153, false},
    {"frac14", 0xBC, true},     {"frac23", 0x2154, false},
    {"frac34", 0xBE, true},     {"frasl", 0x2044, false},
    {"gamma", 0x3B3, false},    {"gbreve", 0x11F, false},
    {"ge", 0x2265, false},      {"grave", 0x60, false},
    {"gt", 0x3E, true},         {"hArr", 0x21D4, false},
    {"half", 0xBD, false},      {"harr", 0x2194, false},
    {"hearts", 0x2665, false},  {"hellip", 0x2026, false},
    {"horbar", 0x2015, false},  {"hyphen", 0x2010, false},
    {"iacute", 0xED, true},     {"icirc", 0xEE, true},
    {"iexcl", 0xA1, true},      {"igrave", 0xEC, true},
    {"imacr", 0x12B, false},    {"image", 0x2111, false},
    {"imath", 0x131, false},    {"infin", 0x221E, false},
    {"inodot", 0x131, false},   {"int", 0x222B, false},
    {"iota", 0x3B9, false},     {"iquest", 0xBF, true},
    {"isin", 0x2208, false},    {"iuml", 0xEF, true},
    {"kappa", 0x3BA, false},    {"lArr", 0x21D0, false},
    {"lambda", 0x3BB, false},   {"lang", 0x27E8, false},
    {"laquo", 0xAB, true},      {"larr", 0x2190, false},
    {"lbrace", 0x7B, false},    {"lbrack", 0x5B, false},
    {"lceil", 0x2308, false},   {"lcub", 0x7B, false},
    {"ldquo", 0x201C, false},   {"le", 0x2264, false},
    {"lfloor", 0x230A, false},  {"lowast", 0x2217, false},
    {"lowbar", 0x5F, false},    {"loz", 0x25CA, false},
    {"lpar", 0x28, false},      {"lrm", 0x200E, false},
    {"lsaquo", 0x2039, false},  {"lsqb", 0x5B, false},
    {"lsquo", 0x2018, false},   {"lstrok", 0x142, false},
    {"lt", 0x3C, true},         {"macr", 0xAF, true},
    {"mdash", 0x2014, false},   {"micro", 0xB5, true},
    {"middot", 0xB7, true},     {"minus", 0x2212, false},
    {"mu", 0x3BC, false},       {"nabla", 0x2207, false},
    {"nacute", 0x144, false},   {"nbsp", 0xA0, true},
    {"ncaron", 0x148, false},   {"ndash", 0x2013, false},
    {"ne", 0x2260, false},      {"ni", 0x220B, false},
    {"not", 0xAC, true},        {"notin", 0x2209, false},
    {"nsub", 0x2284, false},    {"ntilde", 0xF1, true},
    {"nu", 0x3BD, false},       {"num", 0x23, false},
    {"oacute", 0xF3, true},     {"ocirc", 0xF4, true},
    {"odblac", 0x151, false},   {"oelig", 0x153, false},
    {"ogon", 0x2DB, false},     {"ograve", 0xF2, true},
    {"ohm", 0x3A9, false},      {"oline", 0x203E, false},
    {"omacr", 0x14D, false},    {"omega", 0x3C9, false},
    {"omicron", 0x3BF, false},  {"oplus", 0x2295, false},
    {"or", 0x2228, false},      {"ordf", 0xAA, true},
    {"ordm", 0xBA, true},       {"oslash", 0xF8, true},
    {"otilde", 0xF5, true},     {"otimes", 0x2297, false},
    {"ouml", 0xF6, true},       {"para", 0xB6, true},
    {"part", 0x2202, false},    {"percnt", 0x25, false},
    {"period", 0x2E, false},    {"permil", 0x2030, false},
    {"perp", 0x22A5, false},    {"phi", 0x3C6, false},
    {"phone", 0x260E, false},   {"pi", 0x3C0, false},
    {"piv", 0x3D6, false},      {"plus", 0x2B, false},
    {"plusmn", 0xB1, true},     {"pound", 0xA3, true},
    {"prime", 0x2032, false},   {"prod", 0x220F, false},
    {"prop", 0x221D, false},    {"psi", 0x3C8, false},
    {"quest", 0x3F, false},     {"quot", 0x22, true},
    {"rArr", 0x21D2, false},    {"radic", 0x221A, false},
    {"rang", 0x27E9, false},    {"raquo", 0xBB, true},
    {"rarr", 0x2192, false},    {"rbrace", 0x7D, false},
    {"rbrack", 0x5D, false},    {"rcaron", 0x159, false},
    {"rceil", 0x2309, false},   {"rcub", 0x7D, false},
    {"rdquo", 0x201D, false},   {"real", 0x211C, false},
    {"reg", 0xAE, true},        {"rfloor", 0x230B, false},
    {"rho", 0x3C1, false},      {"ring", 0x2DA, false},
    {"rlm", 0x200F, false},     {"rpar", 0x29, false},
    {"rsaquo", 0x203A, false},  {"rsqb", 0x5D, false},
    {"rsquo", 0x2019, false},   {"sacute", 0x15B, false},
    {"sbquo", 0x201A, false},   {"scaron", 0x161, false},
    {"scedil", 0x15F, false},   {"sdot", 0x22C5, false},
    {"sect", 0xA7, true},       {"semi", 0x3B, false},
    {"shy", 0xAD, true},        {"sigma", 0x3C3, false},
    {"sigmaf", 0x3C2, false},   {"sim", 0x223C, false},
    {"sol", 0x2F, false},       {"spades", 0x2660, false},
    {"star", 0x2606, false},    {"sub", 0x2282, false},
    {"sube", 0x2286, false},    {"sum", 0x2211, false},
    {"sup", 0x2283, false},     {"sup1", 0xB9, true},
    {"sup2", 0xB2, true},       {"sup3", 0xB3, true},
    {"supe", 0x2287, false},    {"szlig", 0xDF, true},
    {"tau", 0x3C4, false},      {"tcaron", 0x165, false},
    {"there4", 0x2234, false},  {"theta", 0x3B8, false},
    {"thetasym", 0x3D1, false}, {"thinsp", 0x2009, false},
    {"thorn", 0xFE, true},      {"tilde", 0x2DC, false},
    {"times", 0xD7, true},      {"trade", 0x2122, false},
    {"uArr", 0x21D1, false},    {"uacute", 0xFA, true},
    {"uarr", 0x2191, false},    {"ucirc", 0xFB, true},
    {"udblac", 0x171, false},   {"ugrave", 0xF9, true},
    {"umacr", 0x16B, false},    {"uml", 0xA8, true},
    {"upsih", 0x3D2, false},    {"upsilon", 0x3C5, false},
    {"uring", 0x16F, false},    {"uuml", 0xFC, true},
    {"verbar", 0x7C, false},    {"vert", 0x7C, false},
    {"weierp", 0x2118, false},  {"xi", 0x3BE, false},
    {"yacute", 0xFD, true},     {"yen", 0xA5, true},
    {"yuml", 0xFF, true},       {"zacute", 0x17A, false},
    {"zcaron", 0x17E, false},   {"zdot", 0x17C, false},
    {"zeta", 0x3B6, false},     {"zwj", 0x200D, false},
    {"zwnj", 0x200C, false},
};
constexpr size_t kLongestName = 8;

// What the numbers 0x80 to 0x9F mean: the windows-1252 characters authors
// intended.
constexpr uint16_t kC1[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178,
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

CharacterReference ReadNumeric(std::string_view text) {
  size_t at = 2;  // behind "&#"
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const size_t first = at;
  char32_t value = 0;
  for (; at < text.size(); ++at) {
    const int digit = HexValue(text[at]);
    if (digit < 0 || (!hex && digit > 9)) break;
    value = std::min<char32_t>(
        value * (hex ? 16 : 10) + static_cast<char32_t>(digit), 0x110000);
  }
  if (at == first) return {};
  if (at < text.size() && text[at] == ';') ++at;
  if (value == 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    value = 0xFFFD;
  } else if (value >= 0x80 && value <= 0x9F) {
    value = kC1[value - 0x80];
  }
  return {at, value};
}

const Name* FindName(std::string_view name) {
  const auto at = std::lower_bound(
      std::begin(kNames), std::end(kNames), name,
      [](const Name& entry, std::string_view key) { return entry.name < key; });
  return at != std::end(kNames) && at->name == name ? at : nullptr;
}

}  // namespace

CharacterReference ReadReference(std::string_view text, bool in_attribute) {
  if (text.size() < 2) return {};
  if (text[1] == '#') return ReadNumeric(text);
  size_t length = 0;  // of the run of letters and digits
  while (length <= kLongestName && 1 + length < text.size() &&
         IsAlnum(text[1 + length])) {
    ++length;
  }
  const size_t after = 1 + length;
  if (length <= kLongestName && after < text.size() && text[after] == ';') {
    const Name* name = FindName(text.substr(1, length));
    if (name != nullptr) return {after + 1, name->code_point};
  }
  for (size_t n = std::min<size_t>(length, 6); n >= 2; --n) {
    const Name* name = FindName(text.substr(1, n));
    if (name == nullptr || !name->legacy) continue;
    const char next = 1 + n < text.size() ? text[1 + n] : ' ';
    if (in_attribute && (next == '=' || IsAlnum(next))) return {};
    return {1 + n, name->code_point};
  }
  return {};
}

std::string DecodeReferences(std::string_view text, bool in_attribute) {
  std::string out;
  while (!text.empty()) {
    const size_t literal = std::min(text.find('&'), text.size());
    out.append(text.substr(0, literal));
    text.remove_prefix(literal);
    if (text.empty()) break;
    const CharacterReference reference = ReadReference(text, in_attribute);
    if (reference.length == 0) {
      out.push_back('&');
      text.remove_prefix(1);
    } else {
      AppendCodePoint(reference.code_point, &out);
      text.remove_prefix(reference.length);
    }
  }
  return out;
}

}  // namespace twinset
