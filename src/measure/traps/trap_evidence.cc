#include "traps/trap_evidence.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/ascii.h"
#include "base/hash.h"

namespace twinset {

namespace {

// Pages of a trap whose words are compared.
constexpr size_t kMostCompared = 500;
// Bytes of a short page that are looked at for what it says of itself.
constexpr size_t kBeginning = 400;

constexpr std::string_view kDateNames[] = {
    "january",   "february",  "march",     "april",     "may",
    "june",      "july",      "august",    "september", "october",
    "november",  "december",  "jan",       "feb",       "mar",
    "apr",       "jun",       "jul",       "aug",       "sep",
    "sept",      "oct",       "nov",       "dec",       "monday",
    "tuesday",   "wednesday", "thursday",  "friday",    "saturday",
    "sunday",    "mon",       "tue",       "wed",       "thu",
    "fri",       "sat",       "sun",       "januar",    "februar",
    "märz",      "mai",       "juni",      "juli",      "oktober",
    "dezember",  "montag",    "dienstag",  "mittwoch",  "donnerstag",
    "freitag",   "samstag",   "sonntag",   "janvier",   "février",
    "mars",      "avril",     "juin",      "juillet",   "août",
    "septembre", "octobre",   "novembre",  "décembre",  "lundi",
    "mardi",     "mercredi",  "jeudi",     "vendredi",  "samedi",
    "dimanche",  "enero",     "febrero",   "marzo",     "abril",
    "mayo",      "junio",     "julio",     "agosto",    "septiembre",
    "octubre",   "noviembre", "diciembre", "lunes",     "martes",
    "miércoles", "jueves",    "viernes",   "sábado",    "domingo"};

// What pages say that are none, in lower case.
constexpr std::string_view kErrors[] = {"not found",
                                        "does not exist",
                                        "doesn't exist",
                                        "no longer exist",
                                        "no longer available",
                                        "not available",
                                        "cannot be found",
                                        "can't be found",
                                        "could not be found",
                                        "couldn't be found",
                                        "error 404",
                                        "404 error",
                                        "nicht gefunden",
                                        "existiert nicht",
                                        "nicht mehr verfügbar",
                                        "introuvable",
                                        "n'existe pas",
                                        "n’existe pas",
                                        "no encontrad",
                                        "no existe",
                                        "non trovat",
                                        "non esiste",
                                        "niet gevonden",
                                        "não encontrad",
                                        "nie znaleziono",
                                        "hittades inte",
                                        "не найден",
                                        "見つかりません",
                                        "不存在",
                                        "找不到",
                                        "未找到"};

bool IsWordByte(char c) {
  return IsAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
}

bool SaysNoPage(const DocumentText& page, bool is_short) {
  std::string said = ToLowerAscii(page.title);
  if (said.find("404") != std::string::npos) return true;
  if (is_short) said += "\n" + ToLowerAscii(page.text.substr(0, kBeginning));
  return std::any_of(std::begin(kErrors), std::end(kErrors),
                     [&](std::string_view phrase) {
                       return said.find(phrase) != std::string::npos;
                     });
}

// Calls `on_piece` for the runs of letters and digits of a text in lower case.
template <typename OnPiece>
void ForEachPiece(std::string_view text, const OnPiece& on_piece) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    if (end > i) on_piece(text.substr(i, end - i));
    i = end + 1;
  }
}

using Pieces = std::unordered_set<std::string>;

// The pieces of path and query, with escapes undone.
Pieces PiecesOf(const std::string& url) {
  const size_t host = url.find("//");
  const size_t path = host == url.npos ? 0 : url.find_first_of("/?", host + 2);
  std::string plain;
  const auto hex = [](char c) {
    return IsAsciiDigit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  for (size_t i = path; i < url.size(); ++i) {
    const bool escape = url[i] == '%' && i + 2 < url.size() &&
                        hex(url[i + 1]) >= 0 && hex(url[i + 2]) >= 0;
    plain += escape ? static_cast<char>(hex(url[i + 1]) * 16 + hex(url[i + 2]))
                    : url[i];
    i += escape ? 2 : 0;
  }
  Pieces pieces;
  ForEachPiece(ToLowerAscii(plain),
               [&](std::string_view piece) { pieces.emplace(piece); });
  return pieces;
}

enum class Word { kDate, kEcho, kOwn };

// Numbers and dates; else whether all of it stands in the address.
Word Classify(std::string_view token, const Pieces& address) {
  static const std::unordered_set<std::string_view> dates(
      std::begin(kDateNames), std::end(kDateNames));
  bool all_dates = true, all_known = true;
  ForEachPiece(token, [&](std::string_view piece) {
    const bool date = dates.contains(piece) ||
                      std::all_of(piece.begin(), piece.end(), IsAsciiDigit);
    all_dates = all_dates && date;
    all_known = all_known && (date || address.contains(std::string(piece)));
  });
  return all_dates ? Word::kDate : all_known ? Word::kEcho : Word::kOwn;
}

}  // namespace

TrapPage ReadTrapPage(const TextReader& reader, const DocumentText& page,
                      const std::string& url, uint64_t short_tokens,
                      bool with_words) {
  TrapPage result;
  const Pieces address = PiecesOf(url);
  uint64_t skeleton = 0, kept = 0;
  reader.ForEachToken(page.text, [&](std::string_view token) {
    ++result.tokens;
    if (result.tokens > short_tokens && !with_words) return;
    const Word word = Classify(token, address);
    if (word == Word::kDate) return;
    const uint64_t hash = Hash64(token);
    const auto echo = static_cast<uint32_t>(word == Word::kEcho);
    result.words.push_back((static_cast<uint32_t>(hash) & ~1u) | echo);
    if (word != Word::kOwn) return;
    skeleton = Mix64(skeleton ^ hash);
    ++kept;
  });
  const bool is_short = result.tokens <= short_tokens;
  if (!is_short && !with_words) result.words.clear();
  result.error = SaysNoPage(page, is_short);
  if (is_short && kept >= 2) result.skeleton = skeleton | 1;
  std::sort(result.words.begin(), result.words.end());
  result.words.erase(std::unique(result.words.begin(), result.words.end()),
                     result.words.end());
  return result;
}

TrapEvidence JudgePages(const std::vector<const TrapPage*>& pages) {
  TrapEvidence evidence;
  if (pages.empty()) return evidence;
  std::vector<uint64_t> tokens;
  size_t errors = 0;
  for (const TrapPage* page : pages) {
    tokens.push_back(page->tokens);
    errors += page->error;
  }
  std::nth_element(tokens.begin(),
                   tokens.begin() + static_cast<ptrdiff_t>(tokens.size() / 2),
                   tokens.end());
  evidence.tokens = tokens[tokens.size() / 2];
  evidence.error = errors * 2 > pages.size();
  // Evenly from all of them.
  const size_t compared = std::min(pages.size(), kMostCompared);
  const auto page_at = [&](size_t i) -> const TrapPage& {
    return *pages[i * pages.size() / compared];
  };
  std::unordered_map<uint32_t, size_t> frequency;
  for (size_t i = 0; i < compared; ++i)
    for (const uint32_t word : page_at(i).words) ++frequency[word >> 1];
  uint64_t own = 0, own_new = 0;
  for (size_t i = 0; i < compared; ++i) {
    for (const uint32_t word : page_at(i).words) {
      if (frequency[word >> 1] * 2 >= compared) continue;
      ++own;
      own_new += (word & 1) == 0;
    }
  }
  const auto count = static_cast<double>(compared);
  evidence.own_words = static_cast<double>(own) / count;
  evidence.new_words = static_cast<double>(own_new) / count;
  return evidence;
}

std::optional<TrapType> TrapKind(const UrlPattern& pattern,
                                 const TrapEvidence& evidence,
                                 uint64_t short_tokens) {
  const auto places = pattern.VaryingPlaces();
  const bool any =
      std::find(places.begin(), places.end(), Varying::kAny) != places.end();
  const bool walks =
      !places.empty() &&
      std::all_of(places.begin(), places.end(), [](Varying varying) {
        return varying == Varying::kNumber || varying == Varying::kDate;
      });
  // An event here and there, or a changing advertisement, is little.
  const double little =
      std::max(2.0, 0.05 * static_cast<double>(evidence.tokens));
  const bool same = evidence.own_words < 1;
  if (evidence.error && evidence.new_words <= little) return TrapType::kSoft404;
  if (pattern.IsSession() && evidence.new_words <= little)
    return TrapType::kSession;
  if (walks && evidence.new_words <= little) return TrapType::kCalendar;
  if (any && same && evidence.tokens <= short_tokens) return TrapType::kSoft404;
  if (!same) return std::nullopt;
  return TrapType::kOther;
}

}  // namespace twinset
