// Header fields, HTTP heads and media types, as crawls really contain them.
#ifndef TWINSET_SRC_STAGES_READ_HTTP_MESSAGE_H_
#define TWINSET_SRC_STAGES_READ_HTTP_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"

namespace twinset {

// Without spaces, tabs and CRs at both ends.
std::string_view TrimBlanks(std::string_view text);

// A decimal number that fills `text` but for blanks around it, and fits 63
// bits.
std::optional<uint64_t> ParseDecimal(std::string_view text);

// Splits the first line off `rest`; the line comes without its LF or CRLF.
// False at the end.
bool TakeLine(std::string_view* rest, std::string_view* line);

// Named values in order. Values keep their bytes, whatever their encoding.
class HeaderFields {
 public:
  // Reads one line. A line that begins with a blank continues the value in
  // front of it (folding). One that is no `name: value` is dropped, or with
  // `join_broken` also continues the value in front of it (ClueWeb09 breaks
  // values at any place).
  void AddLine(std::string_view line, bool join_broken);
  // The first value of that name, case-insensitive; null if there is none.
  const std::string* Find(std::string_view name) const;
  // All values of that name joined by commas.
  std::string FindAll(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& all() const {
    return fields_;
  }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// Returns true iff `line` is `token:...`, the token of at most 64 characters.
bool LooksLikeField(std::string_view line);

struct HttpHead {
  int status = 0;  // 0: the status line names none
  HeaderFields fields;
  size_t size = 0;  // bytes up to and with the empty line; interim 1xx
                    // responses are included
};

// The head of a response if `block` begins like one ("HTTP/", any case). Lines
// end by CRLF or a bare LF; a head without an empty line fills the block.
// Linear time.
std::optional<HttpHead> ParseHttpHead(std::string_view block);

struct MediaType {
  std::string mime;     // "type/subtype", lower case; empty if there is none
  std::string charset;  // as labelled, without quotes
};
MediaType ParseMediaType(std::string_view content_type);

// A type that says nothing, so that the content has to be looked at.
bool IsGenericMime(std::string_view mime);

// The type of content that begins with a magic of its own (images, PDF,
// archives, sound, films); empty for all else.
std::string_view MimeOfSignature(std::string_view content);

// The type of `payload` by its first 1,445 bytes, after the WHATWG MIME
// Sniffing standard (sections 7 and 7.1): text/html, text/xml, application/pdf,
// a few images and archives, text/plain, else application/octet-stream. XHTML
// (xml_prolog.h, DeclaresXhtml) is application/xhtml+xml.
std::string SniffMime(std::string_view payload);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_HTTP_MESSAGE_H_
