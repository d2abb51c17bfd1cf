// Where requests really go: servers on loopback count who connects, and names
// are answered by this program, which stands in for the resolver of the system.
#include "engines/http_client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::mutex names_mutex;
// What a name is answered with, at each question anew.
std::function<std::vector<std::string>(const std::string& name)> names;

addrinfo* Entry(const std::string& text, int port) {
  sockaddr_in four = {};
  sockaddr_in6 six = {};
  const bool is_four = ::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1;
  if (!is_four) ::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr);
  four.sin_family = AF_INET;
  six.sin6_family = AF_INET6;
  four.sin_port = six.sin6_port = htons(static_cast<uint16_t>(port));
  const socklen_t size = is_four ? sizeof four : sizeof six;
  auto* entry = static_cast<addrinfo*>(std::calloc(1, sizeof(addrinfo) + size));
  entry->ai_family = is_four ? AF_INET : AF_INET6;
  entry->ai_socktype = SOCK_STREAM;
  entry->ai_protocol = IPPROTO_TCP;
  entry->ai_addrlen = size;
  entry->ai_addr = reinterpret_cast<sockaddr*>(entry + 1);
  std::memcpy(entry->ai_addr, is_four ? static_cast<const void*>(&four) : &six,
              size);
  return entry;
}

}  // namespace

// In place of the C library's, for libcurl too: so they are visible to it.
extern "C" [[gnu::visibility("default")]] int getaddrinfo(const char* name,
                                                          const char* service,
                                                          const addrinfo*,
                                                          addrinfo** found) {
  const std::lock_guard lock(names_mutex);
  *found = nullptr;
  const auto addresses = names(name == nullptr ? "" : name);
  for (auto i = addresses.rbegin(); i != addresses.rend(); ++i) {
    addrinfo* entry = Entry(*i, service == nullptr ? 0 : std::atoi(service));
    entry->ai_next = *found;
    *found = entry;
  }
  return *found == nullptr ? EAI_NONAME : 0;
}
extern "C" [[gnu::visibility("default")]] void freeaddrinfo(
    addrinfo* entry) noexcept {
  while (entry != nullptr) {
    addrinfo* next = entry->ai_next;
    std::free(entry);
    entry = next;
  }
}

namespace twinset {
namespace {

using testing::HasSubstr;

// Answers every request by its path: /to/URL redirects there, all else is a
// page. Counts connections.
class Server {
 public:
  explicit Server(const std::string& address, int port = 0) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = {};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<uint16_t>(port));
    ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at),
              0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    socklen_t size = sizeof at;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  int port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void Serve() {
    for (int fd; (fd = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      ++connections_;
      Answer(fd);
      ::close(fd);
    }
  }
  void Answer(int fd) {
    std::string request;
    char bytes[4096];
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(fd, bytes, sizeof bytes, 0);
      if (size <= 0) return;
      request.append(bytes, static_cast<size_t>(size));
    }
    const std::string path = request.substr(4, request.find(' ', 4) - 4);
    std::string reply =
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n"
        "Connection: close\r\n\r\npage";
    if (path.starts_with("/to/")) {
      reply = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " +
              path.substr(4) + "\r\nConnection: close\r\n\r\n";
    }
    (void)!::write(fd, reply.data(), reply.size());
  }

  int listener_ = -1, port_ = 0;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

// A server that may be asked, 127.0.0.1, and one that may not, 127.0.0.2, on
// one port, as names have none of their own.
class NetworkGuardTest : public testing::Test {
 protected:
  NetworkGuardTest() : open_("127.0.0.1"), closed_("127.0.0.2", open_.port()) {
    Name([](const std::string&) { return std::vector<std::string>(); });
  }

  static void Name(
      std::function<std::vector<std::string>(const std::string&)> answer) {
    const std::lock_guard lock(names_mutex);
    names = std::move(answer);
  }
  std::string At(const std::string& host, const std::string& path = "/") const {
    return "http://" + host + ":" + std::to_string(open_.port()) + path;
  }
  static Result<HttpPage> Get(const std::string& url,
                              const std::vector<std::string>& networks,
                              const std::vector<std::string>& resolve = {}) {
    HttpLimits limits;
    limits.timeout_ms = 5000;
    limits.guard.named = *ParseNetworks(networks);
    limits.resolve = resolve;
    auto client = HttpClient::Make(limits);
    return client->Get(url);
  }
  static void ExpectRefused(const Result<HttpPage>& page,
                            const std::string& address) {
    ASSERT_FALSE(page) << page->body;
    EXPECT_EQ(page.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(page.error().message, HasSubstr("address " + address + " "));
    EXPECT_THAT(page.error().remedy, HasSubstr("--networks"));
  }

  Server open_, closed_;
};

TEST_F(NetworkGuardTest, SpellingsOfLoopback) {
  for (const char* host :
       {"127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1",
        "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]"})
    ExpectRefused(Get(At(host), {}),
                  host[0] == '[' ? "::ffff:127.0.0.1" : "127.0.0.1");
  ExpectRefused(Get("http://[::1]/", {}), "::1");
  ExpectRefused(Get("http://169.254.169.254/latest/meta-data/", {}),
                "169.254.169.254");
  ExpectRefused(Get("https://10.0.0.1/", {}), "10.0.0.1");
  EXPECT_EQ(open_.connections(), 0);
  const auto named = Get(At("127.0.0.1"), {"127.0.0.1"});
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(named->body, "page");
}

TEST_F(NetworkGuardTest, NamesThatResolveToPrivateAddresses) {
  for (const char* address :
       {"127.0.0.1", "10.1.2.3", "192.168.0.1", "100.64.0.1", "169.254.169.254",
        "::1", "fd00:ec2::254", "fe80::1", "::ffff:127.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::"}) {
    Name([&](const std::string& name) {
      return name == "innocent.example" ? std::vector<std::string>{address}
                                        : std::vector<std::string>();
    });
    ExpectRefused(Get(At("innocent.example"), {}),
                  std::string(address) == "64:ff9b::7f00:1" ? "64:ff9b::7f00:1"
                                                            : address);
  }
  // Several addresses: those that are refused are left out.
  Name([](const std::string&) {
    return std::vector<std::string>{"127.0.0.2", "127.0.0.1"};
  });
  EXPECT_TRUE(Get(At("several.example"), {"127.0.0.1"}));
  // What a description says of names is judged as well.
  ExpectRefused(
      Get(At("told.example"), {"127.0.0.1"},
          {"told.example:" + std::to_string(open_.port()) + ":127.0.0.2"}),
      "127.0.0.2");
  EXPECT_EQ(closed_.connections(), 0);
}

TEST_F(NetworkGuardTest, RedirectsAtEveryHop) {
  const std::vector<std::string> targets = {
      At("127.0.0.2"), At("closed.example"),
      "http://[::ffff:127.0.0.2]:" + std::to_string(open_.port()) + "/",
      "http://2130706434:" + std::to_string(open_.port()) + "/"};
  Name([](const std::string& name) {
    return name == "closed.example" ? std::vector<std::string>{"127.0.0.2"}
                                    : std::vector<std::string>();
  });
  for (const std::string& target : targets) {
    std::string url = target;
    for (int hop = 1; hop <= 5; ++hop) {
      url = At("127.0.0.1", "/to/" + url);
      const auto page = Get(url, {"127.0.0.1"});
      ASSERT_FALSE(page) << url;
      EXPECT_EQ(page.error().code, ErrorCode::kUnsupported) << url;
    }
  }
  for (const char* target : {"file:///etc/passwd", "ftp://127.0.0.1/x",
                             "gopher://127.0.0.1:70/x", "dict://127.0.0.1/"}) {
    const auto page =
        Get(At("127.0.0.1", "/to/" + std::string(target)), {"127.0.0.1"});
    ASSERT_FALSE(page) << target;
    EXPECT_EQ(page.error().code, ErrorCode::kUnsupported) << target;
  }
  EXPECT_EQ(closed_.connections(), 0);
}

// A resolver that says one thing to whoever checks and another to whoever
// connects finds nobody who checks: the address that is connected to decides.
TEST_F(NetworkGuardTest, NamesThatChange) {
  std::atomic<int> asked = 0;
  Name([&](const std::string&) {
    return std::vector<std::string>{asked++ % 2 == 0 ? "127.0.0.1"
                                                     : "127.0.0.2"};
  });
  int pages = 0, refused = 0;
  for (int i = 0; i < 10; ++i) {
    const auto page = Get(At("rebound.example"), {"127.0.0.1"});
    if (page) {
      ++pages;
    } else {
      ExpectRefused(page, "127.0.0.2");
      ++refused;
    }
  }
  EXPECT_EQ(pages, 5);
  EXPECT_EQ(refused, 5);
  EXPECT_EQ(closed_.connections(), 0);
}

TEST_F(NetworkGuardTest, ProxiesOfTheSurroundingsAreNotAsked) {
  const std::string proxy = At("127.0.0.1");
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"})
    ::setenv(name, proxy.c_str(), 1);
  const auto page = Get(At("127.0.0.2"), {"127.0.0.1"});
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"})
    ::unsetenv(name);
  ExpectRefused(page, "127.0.0.2");
  EXPECT_EQ(open_.connections(), 0);
}

}  // namespace
}  // namespace twinset
