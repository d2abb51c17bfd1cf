#include "documents/id_numbering.h"

#include <charconv>
#include <system_error>

namespace twinset {

std::optional<uint64_t> NumberInId(std::string_view id,
                                   std::string_view* base) {
  const size_t hash = id.rfind('#');
  if (hash == std::string_view::npos || hash + 1 >= id.size() ||
      id[hash + 1] == '0')
    return {};
  uint64_t number = 0;
  const char* end = id.data() + id.size();
  const auto [stop, error] = std::from_chars(id.data() + hash + 1, end, number);
  if (error != std::errc() || stop != end || number < 2) return {};
  *base = id.substr(0, hash);
  return number;
}

}  // namespace twinset
