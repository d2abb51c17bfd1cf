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
    return Fail(
        ErrorCode::kUsage,
        "'" + text + "' is no network as 192.0.2.0/24 or 2001:db8::/32");
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

bool IsMapped(const Address& address) {
  constexpr Address kPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  return std::equal(kPrefix.begin(), kPrefix.begin() + 12, address.begin());
}

// IPv4 addresses stand as mapped ones; a wider block of IPv6, as ::/0, holds
// none of them.
bool Contains(const Network& network, const Address& address) {
  if (network.bits < 96 && IsMapped(address)) return false;
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

bool Contains(const std::vector<Network>& networks, const Address& address) {
  return std::any_of(
      networks.begin(), networks.end(),
      [&](const Network& network) { return Contains(network, address); });
}

// The tables are right by their tests: what cannot be read is left out.
std::vector<Network> Table(const std::vector<std::string>& texts) {
  return ParseNetworks(texts).value_or(std::vector<Network>());
}

// Special-purpose blocks of IANA's registries (RFC 6890) that are not globally
// reachable, and services of clouds inside public space.
const std::vector<Network>& NotPublic4() {
  static const std::vector<Network> blocks = Table({
      "0.0.0.0/8",         // this network
      "10.0.0.0/8",        // private
      "100.64.0.0/10",     // shared (CGNAT); metadata of Alibaba
      "127.0.0.0/8",       // loopback
      "168.63.129.16/32",  // the platform of Azure
      "169.254.0.0/16",    // link-local; metadata of most clouds
      "172.16.0.0/12",     // private
      "192.0.0.0/24",      // protocol assignments; metadata of Oracle
      "192.0.2.0/24",      // documentation
      "192.88.99.0/24",    // relays of 6to4
      "192.168.0.0/16",    // private
      "198.18.0.0/15",     // benchmarks
      "198.51.100.0/24",   // documentation
      "203.0.113.0/24",    // documentation
      "224.0.0.0/4",       // multicast
      "240.0.0.0/4",       // reserved; broadcast
  });
  return blocks;
}

// Exceptions to global unicast, 2000::/3.
const std::vector<Network>& NotPublic6() {
  static const std::vector<Network> blocks = Table({
      "2001::/23",      // protocol assignments; Teredo, ORCHID, benchmarks
      "2001:db8::/32",  // documentation
      "2002::/16",      // 6to4
      "3fff::/20",      // documentation
  });
  return blocks;
}

// ::ffff:a.b.c.d, or what a NAT64 translates to that.
bool CarriesFour(const Address& address) {
  static const std::vector<Network> carriers =
      Table({"::ffff:0:0/96", "64:ff9b::/96"});
  return Contains(carriers, address);
}

Address Carried(const Address& address) { return Mapped(&address[12]); }

bool IsPublicAddress(const Address& address) {
  if (CarriesFour(address)) return !Contains(NotPublic4(), Carried(address));
  const bool global_unicast = (address[0] & 0xE0) == 0x20;
  return global_unicast && !Contains(NotPublic6(), address);
}

// As it stands, or by the IPv4 address in it.
bool IsAmong(const std::vector<Network>& networks, const Address& address) {
  return Contains(networks, address) ||
         (CarriesFour(address) && Contains(networks, Carried(address)));
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

bool NetworkGuard::Allows(const sockaddr* address) const {
  Address bytes;
  if (!ReadAddress(address, &bytes)) return false;
  if (!only.empty() && !IsAmong(only, bytes)) return false;
  return IsPublicAddress(bytes) || IsAmong(named, bytes);
}

bool IsPublic(const sockaddr* address) {
  Address bytes;
  return ReadAddress(address, &bytes) && IsPublicAddress(bytes);
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

tl::unexpected<Error> OutsideNetworks(const std::string& address,
                                      const std::string& where) {
  return Fail(
      ErrorCode::kUnsupported,
      "the address " + address + " is outside the networks that may be asked",
      where, "name its network in --networks if it is meant");
}

}  // namespace twinset
