#include "engines/networks.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace twinset {

namespace {

using Address = std::array<uint8_t, 16>;

Address Mapped(const void* four_bytes) {
  Address address = {};
  address[10] = address[11] = 0xFF;
  std::memcpy(address.data() + 12, four_bytes, 4);
  return address;
}

bool ReadAddress(const sockaddr* from, Address* to) {
  if (from->sa_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, from, sizeof four);
    *to = Mapped(&four.sin_addr);
    return true;
  }
  if (from->sa_family != AF_INET6) return false;
  sockaddr_in6 six;
  std::memcpy(&six, from, sizeof six);
  std::memcpy(to->data(), &six.sin6_addr, 16);
  return true;
}

Result<Network> ParseNetwork(const std::string& text) {
  const auto bad = [&] {
    return Fail(ErrorCode::kUsage,
                "no network as 192.0.2.0/24 or 2001:db8::/32", text);
  };
  const size_t slash = text.find('/');
  const std::string address = text.substr(0, slash);
  Network network;
  in_addr four;
  in6_addr six;
  int most = 0;
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) {
    network.address = Mapped(&four);
    most = 32;
  } else if (::inet_pton(AF_INET6, address.c_str(), &six) == 1) {
    std::memcpy(network.address.data(), &six, 16);
    most = 128;
  } else {
    return bad();
  }
  int bits = most;
  if (slash != std::string::npos) {
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + slash + 1, end, bits);
    if (read.ec != std::errc() || read.ptr != end || bits < 0 || bits > most)
      return bad();
  }
  network.bits = bits + 128 - most;
  return network;
}

bool Contains(const Network& network, const Address& address) {
  const auto whole = static_cast<size_t>(network.bits / 8);
  if (!std::equal(address.begin(),
                  address.begin() + static_cast<std::ptrdiff_t>(whole),
                  network.address.begin()))
    return false;
  const int rest = network.bits % 8;
  if (rest == 0) return true;
  const int mask = 0xFF << (8 - rest) & 0xFF;
  return ((address[whole] ^ network.address[whole]) & mask) == 0;
}

}  // namespace

Result<std::vector<Network>> ParseNetworks(
    const std::vector<std::string>& texts) {
  std::vector<Network> networks;
  for (const std::string& text : texts) {
    TWINSET_ASSIGN(const Network network, ParseNetwork(text));
    networks.push_back(network);
  }
  return networks;
}

bool Contains(const std::vector<Network>& networks, const sockaddr* address) {
  Address bytes;
  if (!ReadAddress(address, &bytes)) return false;
  return std::any_of(
      networks.begin(), networks.end(),
      [&](const Network& network) { return Contains(network, bytes); });
}

std::string AddressText(const sockaddr* address) {
  Address bytes;
  if (!ReadAddress(address, &bytes)) return "?";
  char text[INET6_ADDRSTRLEN] = "?";
  const bool four = address->sa_family == AF_INET;
  ::inet_ntop(four ? AF_INET : AF_INET6, bytes.data() + (four ? 12 : 0), text,
              sizeof text);
  return text;
}

}  // namespace twinset
