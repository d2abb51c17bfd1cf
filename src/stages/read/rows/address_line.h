// Lines of lists of addresses: plain lists, CDX and CDXJ
// (docs/formats/lists.md).
#ifndef TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_LINE_H_
#define TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_LINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// What one line of a list says.
struct AddressLine {
  enum Kind { kAddress, kSkip, kBad } kind = kSkip;
  std::string address;
  std::string id;        // of a plain list with a second column
  std::string date;      // of CDX and CDXJ: 14 digits, or fewer
  std::string digest;    // likewise: of the payload, as it is written
  std::string_view why;  // kBad: "no-url", "bad-json", ...
};

// The first columns of a line of CDX; the last of them holds the rest.
struct CdxColumns {
  static constexpr size_t kMost = 32;
  std::array<std::string_view, kMost> text;
  size_t count = 0;
};

// Reads the lines of one list, from its first on. What a line is follows from
// itself and from the header of CDX in front of it, so that lists may be
// joined:
//   " CDX N b a ..."      header: the letters of the columns; skipped
//   "urlkey timestamp original ..." header: their names; skipped
//   "!..."                header of CDXJ; skipped
//   "key 14-digits {...}" CDXJ: member "url"
//   as many columns as a header named; or three to eleven of which the second
//   is 14 digits and the third an address with a scheme (of nine to eleven any
//   third): CDX, whose sixth column is the digest
//   anything else: an address, which may have an id in a column beside it
class AddressLineParser {
 public:
  // `line` without its end. The views of *parsed live as long as this object.
  void Parse(std::string_view line, AddressLine* parsed);
  // The same of a row of JSON, ["key", "14 digits", "address", ...], as CDX
  // servers answer; the first may name the columns.
  void ParseRow(std::string_view array, AddressLine* parsed);

 private:
  void ReadHeader(std::string_view line);
  bool ReadNames(const CdxColumns& columns);
  bool ParseCdx(const CdxColumns& columns, AddressLine* parsed) const;

  // Columns of a header: how many columns, and which are the address, its date
  // and its digest; none until a header came.
  size_t columns_ = 0, address_at_ = SIZE_MAX, date_at_ = SIZE_MAX;
  size_t digest_at_ = SIZE_MAX;
  char separator_ = ' ';
};

// Returns true iff the first bytes of a text are those of such a list and not
// of prose.
bool LooksLikeAddressList(std::string_view first_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_ADDRESS_LINE_H_
