// Many addresses as one pattern: what they share stays, what varies becomes
// {number}, {date}, {hex} or {any} (docs/methods/traps.md).
#ifndef TWINSET_SRC_GROUND_NET_URL_PATTERN_H_
#define TWINSET_SRC_GROUND_NET_URL_PATTERN_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset {

// What stands at a place that varies. kHex: random-looking, as session ids.
enum class Varying { kNothing, kNumber, kDate, kHex, kAny };

// A text with at most one part that varies.
struct PlacePattern {
  std::string prefix, suffix;  // the whole text is in prefix for kNothing
  Varying varying = Varying::kNothing;

  bool Matches(std::string_view text) const;
  std::string ToString() const;  // "page{number}.html"
};

// The pattern of one or more texts. Digits that vary take the digits beside
// them along; other parts begin and end at characters that are no letter or
// digit.
PlacePattern GeneralisePlace(const std::vector<std::string_view>& texts);

// An address cut into what can vary by itself.
struct AddressParts {
  std::vector<std::string> segments;  // of the path, behind each '/'
  std::vector<std::pair<std::string, std::string>> parameters;  // by name
};
// Splits a normalised address; scheme, host and fragment do not count.
AddressParts SplitAddress(std::string_view url);

struct UrlPattern {
  std::vector<PlacePattern> segments;
  bool any_path = false;  // anything may follow the segments
  struct Parameter {
    std::string name;
    PlacePattern value;
    bool optional = false;
  };
  std::vector<Parameter> parameters;  // by name; with any_path none, and free

  bool Matches(const AddressParts& url) const;
  // "/cal/{date}?view=month&[day={number}]".
  std::string ToString() const;
  // What varies, one for each place; an optional parameter counts as kAny, as
  // does any_path.
  std::vector<Varying> VaryingPlaces() const;
  // Returns true iff just one place varies, by random-looking values, or by
  // numbers in a parameter whose name says that it is a session.
  bool IsSession() const;
};

// What addresses of one trap have in common by their looks: runs of digits and
// random-looking words each as one sign, names of parameters.
std::string AddressShape(const AddressParts& url);

// Paths of several lengths give their common first segments and any_path.
UrlPattern GeneraliseUrls(const std::vector<AddressParts>& urls);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_URL_PATTERN_H_
