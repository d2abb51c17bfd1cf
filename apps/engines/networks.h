// Which addresses may be connected to: the public internet, and the networks
// that the user named (docs/methods/polite-fetching.md).
#ifndef TWINSET_APPS_ENGINES_NETWORKS_H_
#define TWINSET_APPS_ENGINES_NETWORKS_H_

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// A block of addresses (CIDR). IPv4 addresses are held as ::ffff:a.b.c.d, so
// that both spellings of one are treated alike.
struct Network {
  std::array<uint8_t, 16> address = {};
  int bits = 128;
};

// "127.0.0.0/8", "::1"; kUsage for anything else.
Result<std::vector<Network>> ParseNetworks(
    const std::vector<std::string>& texts);

// The one judge of all connections. It judges addresses, never names, so it is
// asked with the very address that a socket is about to be connected to.
struct NetworkGuard {
  // What may be asked although it is not public.
  std::vector<Network> named;
  // Nothing else may be asked at all; empty: no such limit.
  std::vector<Network> only;

  // An address that carries an IPv4 address (mapped, NAT64) is judged by that
  // one. False for what is no address of the internet.
  bool Allows(const sockaddr* address) const;
};

// Returns true iff everybody may be asked there: false for loopback, private,
// link-local, unique local, shared (CGNAT), multicast, reserved and
// documentation addresses, the metadata services of clouds, and IPv6 addresses
// outside global unicast or of tunnels (6to4, Teredo), whatever they carry.
bool IsPublic(const sockaddr* address);

// "127.0.0.1", for messages.
std::string AddressText(const sockaddr* address);

// The refusal of `address`, which `where` led to.
tl::unexpected<Error> OutsideNetworks(const std::string& address,
                                      const std::string& where);

}  // namespace twinset

#endif  // TWINSET_APPS_ENGINES_NETWORKS_H_
