#include "server/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace twinset::server {
namespace {

Error SystemError(const std::string& what, const std::string& where) {
  return {ErrorCode::kIo, what + ": " + std::strerror(errno), where, ""};
}

std::string AddressText(const sockaddr* address, socklen_t length,
                        bool with_port) {
  if (address == nullptr || address->sa_family == AF_UNIX) return "local";
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getnameinfo(address, length, host.data(), host.size(), port.data(),
                    port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown";
  std::string text = host.data();
  if (!with_port) return text;
  if (text.find(':') != std::string::npos) text = "[" + text + "]";
  return text + ":" + port.data();
}

bool IsLoopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_UNIX) return true;
  if (address.ss_family == AF_INET) {
    const auto* const four = reinterpret_cast<const sockaddr_in*>(&address);
    return ntohl(four->sin_addr.s_addr) >> 24 == 127;
  }
  const auto* const six = reinterpret_cast<const sockaddr_in6*>(&address);
  return address.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

// Host and port of "host:port".
Result<std::pair<std::string, std::string>> Parted(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size())
    return Fail(ErrorCode::kUsage, "'" + address + "' has no port", {},
                "write ADDRESS:PORT, as 127.0.0.1:7411");
  unsigned port = 0;
  const char* const end = address.data() + address.size();
  const auto parsed = std::from_chars(&address[colon + 1], end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port > 65535)
    return Fail(ErrorCode::kUsage,
                "'" + address.substr(colon + 1) + "' is no port", {},
                "write a number up to 65535; 0 is any that is free");
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  return std::pair(host, address.substr(colon + 1));
}

int BoundSocket(const addrinfo& found) {
  const int made = ::socket(
      found.ai_family, found.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -1;
  const int on = 1;
  ::setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(made, found.ai_addr, found.ai_addrlen) == 0 &&
      ::listen(made, SOMAXCONN) == 0)
    return made;
  const int error = errno;
  ::close(made);
  errno = error;
  return -1;
}

}  // namespace

Listener::Listener(int descriptor) : descriptor_(descriptor) {
  sockaddr_storage address = {};
  socklen_t length = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address),
                    &length) == 0) {
    address_ = AddressText(reinterpret_cast<sockaddr*>(&address), length, true);
    is_local_ = IsLoopback(address);
  }
}

Listener::Listener(Listener&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::move(other.address_)),
      is_local_(other.is_local_) {}

Listener::~Listener() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int Listener::Take() { return std::exchange(descriptor_, -1); }

Result<Listener> Listener::Open(const std::string& address) {
  TWINSET_ASSIGN(const auto parted, Parted(address));
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failed =
      ::getaddrinfo(parted.first.empty() ? nullptr : parted.first.c_str(),
                    parted.second.c_str(), &hints, &found);
  if (failed != 0) {
    return Fail(ErrorCode::kUsage,
                "'" + address + "' is no address: " + ::gai_strerror(failed),
                {}, "write ADDRESS:PORT, as 127.0.0.1:7411");
  }
  const int made = BoundSocket(*found);
  const Error error = SystemError("it cannot listen there", address);
  ::freeaddrinfo(found);
  if (made >= 0) return Listener(made);
  Error told = error;
  told.remedy = "is another server there? give --listen another port";
  return tl::unexpected(told);
}

Result<Listener> Listener::Inherited() {
  const char* const count = std::getenv("LISTEN_FDS");
  const char* const process = std::getenv("LISTEN_PID");
  if (count == nullptr || process == nullptr ||
      std::to_string(::getpid()) != process)
    return Fail(ErrorCode::kNotFound, "no socket was handed over");
  if (std::string(count) != "1") {
    return Fail(ErrorCode::kUsage,
                std::string(count) + " sockets were handed over", {},
                "name one ListenStream in the socket unit");
  }
  constexpr int kFirst = 3;
  int accepts = 0;
  socklen_t length = sizeof accepts;
  if (::getsockopt(kFirst, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length) != 0 ||
      accepts == 0)
    return Fail(ErrorCode::kUsage,
                "what was handed over is no socket that listens", {},
                "the socket unit needs Accept=no");
  return Listener(kFirst);
}

std::string PeerOf(int descriptor) {
  sockaddr_storage peer = {};
  socklen_t length = sizeof peer;
  if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &length) !=
      0)
    return "unknown";
  return AddressText(reinterpret_cast<sockaddr*>(&peer), length, false);
}

}  // namespace twinset::server
