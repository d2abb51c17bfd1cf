// Lines of lists of addresses: plain lists, CDX and CDXJ
// (docs/formats/address-lists.md).
#ifndef TWINSET_SRC_READ_ROWS_ADDRESS_LINE_H_
#define TWINSET_SRC_READ_ROWS_ADDRESS_LINE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset::inline v1 {

// What one line of a list says.
struct AddressLine {
  enum Kind { kAddress, kSkip, kBad } kind = kSkip;
  std::string address;
  std::string id;        // of a plain list with a second column
  std::string date;      // of CDX and CDXJ: 14 digits, or fewer
  std::string_view why;  // kBad: "no-url", "bad-json", ...
};

// Reads the lines of one list, from its first on. What a line is follows from
// itself and from the header of CDX in front of it, so that lists may be
// joined:
//   " CDX N b a ..."      header: the letters of the columns; skipped
//   "!..."                header of CDXJ; skipped
//   "key 14-digits {...}" CDXJ: member "url"
//   as many columns as a header named, or without one 9 to 11 of which the
//   second is 14 digits: CDX
//   anything else: an address, which may have an id in a column beside it
class AddressLineParser {
 public:
  // `line` without its end. The views of *parsed live as long as this object.
  void Parse(std::string_view line, AddressLine* parsed);

 private:
  void ReadHeader(std::string_view line);
  bool ParseCdx(std::string_view line, AddressLine* parsed) const;

  // Of CDX: how many columns, and which are the address and its date; none
  // until a header came.
  size_t columns_ = 0, address_at_ = SIZE_MAX, date_at_ = SIZE_MAX;
  char separator_ = ' ';
};

// Whether the first bytes of a text are those of such a list and not of prose.
bool LooksLikeAddressList(std::string_view first_bytes);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_READ_ROWS_ADDRESS_LINE_H_
