// Blocks of addresses (CIDR), IPv4 and IPv6.
#ifndef TWINSET_APPS_ENGINES_NETWORKS_H_
#define TWINSET_APPS_ENGINES_NETWORKS_H_

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// IPv4 addresses are held as ::ffff:a.b.c.d, so that both spellings of one are
// treated alike.
struct Network {
  std::array<uint8_t, 16> address = {};
  int bits = 128;
};

// "127.0.0.0/8", "::1"; kUsage for anything else.
Result<std::vector<Network>> ParseNetworks(
    const std::vector<std::string>& texts);

// False for what is no address of the internet.
bool Contains(const std::vector<Network>& networks, const sockaddr* address);

// "127.0.0.1", for messages.
std::string AddressText(const sockaddr* address);

}  // namespace twinset

#endif  // TWINSET_APPS_ENGINES_NETWORKS_H_
