// Tests only: the decoders of the Encoding Standard, a byte at a time.
#ifndef TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_REFERENCE_H_
#define TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_REFERENCE_H_

#include <string>
#include <string_view>

namespace twinset::naive {

// `charset` is a canonical name; a byte order mark is not special.
std::string Decode(std::string_view charset, std::string_view bytes,
                   bool* malformed);

}  // namespace twinset::naive

#endif  // TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_REFERENCE_H_
