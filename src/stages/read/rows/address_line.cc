#include "read/rows/address_line.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/lists/list_text.h"
#include "twinset/json.h"

namespace twinset {
namespace {

CdxColumns Split(std::string_view line, char separator) {
  CdxColumns columns;
  while (columns.count + 1 < CdxColumns::kMost) {
    const size_t end = line.find(separator);
    if (end == std::string_view::npos) break;
    columns.text[columns.count++] = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  columns.text[columns.count++] = line;
  return columns;
}

bool IsTimestamp(std::string_view text) {
  return text.size() == 14 &&
         std::all_of(text.begin(), text.end(), IsAsciiDigit);
}

// The JSON of a line of CDXJ, or nothing.
std::string_view CdxjObject(std::string_view line, std::string_view* date) {
  const size_t first = line.find(' ');
  if (first == std::string_view::npos || first == 0) return {};
  const std::string_view rest = line.substr(first + 1);
  const size_t second = rest.find(' ');
  if (second == std::string_view::npos) return {};
  *date = rest.substr(0, second);
  const std::string_view object = Trim(rest.substr(second + 1));
  const bool is_date = !date->empty() && date->size() <= 14 &&
                       std::all_of(date->begin(), date->end(), IsAsciiDigit);
  return is_date && object.starts_with('{') ? object : std::string_view();
}

// Without a parser where the value has no escapes, which is nearly always.
bool FindMember(std::string_view object, std::string_view name,
                std::string* found) {
  const std::string key = '"' + std::string(name) + "\":";
  const size_t at = object.find(key);
  if (at != std::string_view::npos && object.back() == '}') {
    std::string_view value = Trim(object.substr(at + key.size()));
    if (value.starts_with('"')) {
      value.remove_prefix(1);
      const size_t end = value.find_first_of("\"\\");
      const bool is_member =
          object.substr(0, at).find('\\') == std::string_view::npos;
      if (is_member && end != std::string_view::npos && value[end] == '"') {
        *found = value.substr(0, end);
        return true;
      }
    }
  }
  const Json parsed = Json::Parse(object);
  const std::string* const text = parsed[name].if_string();
  if (text == nullptr) return false;
  *found = *text;
  return true;
}

bool HasScheme(std::string_view text) {
  const size_t at = text.find("://");
  return at != std::string_view::npos && at > 0 && IsAsciiLetter(text[0]) &&
         std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(at),
                     [](char c) {
                       return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' ||
                              c == '-' || c == '.';
                     });
}

std::string_view WithoutComma(std::string_view text) {
  text = Trim(text);
  while (text.ends_with(',')) text.remove_suffix(1);
  return text;
}

// Returns true iff what stands behind an address and a blank or comma is an id,
// and not more of the address: one word of letters, digits and "-_.:<>" that
// has a digit and does not end as the name of a file does (a dot and letters).
bool IsIdBehind(std::string_view text) {
  const auto is_of_id = [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) ||
           std::string_view("-_.:<>").find(c) != std::string_view::npos;
  };
  if (!std::all_of(text.begin(), text.end(), is_of_id) ||
      std::none_of(text.begin(), text.end(), IsAsciiDigit))
    return false;
  const size_t dot = text.rfind('.');
  if (dot == text.npos) return true;
  const std::string_view ending = text.substr(dot + 1);
  return !std::all_of(ending.begin(), ending.end(), IsAsciiLetter);
}

// The separator in front of the id behind the address that a line begins with,
// or npos when all of it is the address: what stands in front of an id has no
// blank and, where a comma alone parts the two, no other comma.
size_t IdBehind(std::string_view line) {
  const size_t at = line.find_last_of(" ,");
  if (at == line.npos || !IsIdBehind(line.substr(at + 1))) return line.npos;
  const std::string_view address = WithoutComma(line.substr(0, at));
  if (address.find(' ') != address.npos) return line.npos;
  const bool is_comma_alone = address.size() == at && line[at] == ',';
  if (is_comma_alone && address.find(',') != address.npos) return line.npos;
  return at;
}

// "address", "id address" or "address id", apart by a tabulator, a comma or
// blanks. Exactly one of the two columns begins with a scheme; else the line is
// one address.
void ParsePlain(std::string_view line, AddressLine* parsed) {
  parsed->kind = AddressLine::kAddress;
  const size_t tab = line.find('\t');
  const size_t at = tab != std::string_view::npos ? tab
                    : HasScheme(line)             ? IdBehind(line)
                                                  : line.find_first_of(", ");
  if (at != std::string_view::npos) {
    const std::string_view first = WithoutComma(line.substr(0, at));
    std::string_view second = Trim(line.substr(at + 1));
    if (const size_t end = second.find('\t'); end != std::string_view::npos)
      second = Trim(second.substr(0, end));  // further columns say nothing
    const bool is_second = HasScheme(second);
    if (is_second != HasScheme(first) && !second.empty()) {
      parsed->address = is_second ? second : first;
      parsed->id = is_second ? first : WithoutComma(second);
      return;
    }
  }
  parsed->address = line;
}

}  // namespace

void AddressLineParser::ReadHeader(std::string_view line) {
  separator_ = line[0];
  line.remove_prefix(1);
  const CdxColumns letters = Split(line, separator_);
  columns_ = letters.count - 1;  // behind "CDX"
  address_at_ = date_at_ = digest_at_ = SIZE_MAX;
  size_t canonical = SIZE_MAX;
  for (size_t i = 0; i < columns_; ++i) {
    const std::string_view letter = letters.text[i + 1];
    if (letter == "a") address_at_ = i;
    if (letter == "A") canonical = i;
    if (letter == "b") date_at_ = i;
    if (letter == "k") digest_at_ = i;
  }
  if (address_at_ == SIZE_MAX) address_at_ = canonical;
}

// The names are those that CDX servers give their columns.
bool AddressLineParser::ReadNames(const CdxColumns& columns) {
  size_t address = SIZE_MAX, date = SIZE_MAX, digest = SIZE_MAX;
  bool is_of_cdx = false;
  for (size_t i = 0; i < columns.count; ++i) {
    const std::string_view name = columns.text[i];
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != name.npos)
      return false;
    if (name == "original" || name == "url") address = i;
    if (name == "timestamp") date = i;
    if (name == "digest") digest = i;
    is_of_cdx |= name == "timestamp" || name == "urlkey";
  }
  if (address == SIZE_MAX || !is_of_cdx) return false;
  columns_ = columns.count;
  address_at_ = address;
  date_at_ = date;
  digest_at_ = digest;
  return true;
}

bool AddressLineParser::ParseCdx(const CdxColumns& columns,
                                 AddressLine* parsed) const {
  size_t address = address_at_, date = date_at_, digest = digest_at_;
  if (columns_ == 0 || columns.count != columns_) {
    if (columns.count < 3 || columns.count > 11 ||
        !IsTimestamp(columns.text[1]))
      return false;
    if (columns.count < 9 && !HasScheme(columns.text[2])) return false;
    address = 2;
    date = 1;
    digest = 5;
  }
  if (address >= columns.count) {
    parsed->kind = AddressLine::kBad;
    parsed->why = "no-url-column";
    return true;
  }
  parsed->kind = AddressLine::kAddress;
  parsed->address = columns.text[address];
  if (date < columns.count) parsed->date = columns.text[date];
  if (digest < columns.count) parsed->digest = columns.text[digest];
  return true;
}

void AddressLineParser::ParseRow(std::string_view array, AddressLine* parsed) {
  *parsed = {};
  const Json row = Json::Parse(array);
  parsed->kind = AddressLine::kBad;
  parsed->why = row.is_discarded() ? "bad-json" : "no-url-column";
  if (!row.is_array()) return;
  CdxColumns columns;
  for (const Json& item : row) {
    if (columns.count == CdxColumns::kMost) break;
    const std::string* const text = item.if_string();
    columns.text[columns.count++] =
        text == nullptr ? std::string_view() : std::string_view(*text);
  }
  if (columns.count == 0 || ReadNames(columns)) {
    parsed->kind = AddressLine::kSkip;
    parsed->why = {};
  } else if (ParseCdx(columns, parsed) &&
             parsed->kind == AddressLine::kAddress) {
    parsed->why = {};
  }
}

void AddressLineParser::Parse(std::string_view line, AddressLine* parsed) {
  parsed->kind = AddressLine::kSkip;
  parsed->address.clear();
  parsed->id.clear();
  parsed->date.clear();
  parsed->digest.clear();
  parsed->why = {};
  line = WithoutMark(line);
  if (line.starts_with("CDX ")) return ReadHeader(" " + std::string(line));
  if (line.size() > 4 && line.substr(1, 3) == "CDX" && line[4] == line[0] &&
      !IsAsciiLetter(line[0]))
    return ReadHeader(line);
  const std::string_view trimmed = Trim(line);
  if (trimmed.empty() || trimmed.starts_with('!')) return;
  std::string_view date;
  const std::string_view object = CdxjObject(trimmed, &date);
  if (!object.empty()) {
    if (FindMember(object, "url", &parsed->address)) {
      parsed->kind = AddressLine::kAddress;
      parsed->date = date;
      (void)FindMember(object, "digest", &parsed->digest);
    } else {
      parsed->kind = AddressLine::kBad;
      parsed->why = Json::Parse(object).is_discarded() ? "bad-json" : "no-url";
    }
    return;
  }
  const CdxColumns columns = Split(trimmed, columns_ > 0 ? separator_ : ' ');
  if (ReadNames(columns)) return;
  if (!ParseCdx(columns, parsed)) ParsePlain(trimmed, parsed);
}

bool LooksLikeAddressList(std::string_view first_bytes) {
  const size_t end = std::min(first_bytes.find('\n'), first_bytes.size());
  AddressLineParser parser;
  AddressLine line;
  parser.Parse(first_bytes.substr(0, end), &line);
  return line.kind == AddressLine::kAddress && HasScheme(line.address);
}

}  // namespace twinset
