#include "engines/networks.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace twinset {
namespace {

using testing::HasSubstr;

sockaddr_storage AddressOf(const std::string& text) {
  sockaddr_storage storage = {};
  sockaddr_in four = {};
  sockaddr_in6 six = {};
  if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    std::memcpy(&storage, &four, sizeof four);
  } else if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    std::memcpy(&storage, &six, sizeof six);
  } else {
    ADD_FAILURE() << text << " is no address";
  }
  return storage;
}

bool Public(const std::string& text) {
  const sockaddr_storage address = AddressOf(text);
  return IsPublic(reinterpret_cast<const sockaddr*>(&address));
}

NetworkGuard Guard(const std::vector<std::string>& named,
                   const std::vector<std::string>& only = {}) {
  return {*ParseNetworks(named), *ParseNetworks(only)};
}

bool Allows(const NetworkGuard& guard, const std::string& text) {
  const sockaddr_storage address = AddressOf(text);
  return guard.Allows(reinterpret_cast<const sockaddr*>(&address));
}

std::string Text4(uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8)
    text += (text.empty() ? "" : ".") + std::to_string(address >> shift & 255);
  return text;
}

// First and last address of what is not public, written out by hand.
constexpr std::pair<uint32_t, uint32_t> kNotPublic[] = {
    {0x00000000, 0x00FFFFFF}, {0x0A000000, 0x0AFFFFFF},
    {0x64400000, 0x647FFFFF}, {0x7F000000, 0x7FFFFFFF},
    {0xA83F8110, 0xA83F8110}, {0xA9FE0000, 0xA9FEFFFF},
    {0xAC100000, 0xAC1FFFFF}, {0xC0000000, 0xC00000FF},
    {0xC0000200, 0xC00002FF}, {0xC0586300, 0xC05863FF},
    {0xC0A80000, 0xC0A8FFFF}, {0xC6120000, 0xC613FFFF},
    {0xC6336400, 0xC63364FF}, {0xCB007100, 0xCB0071FF},
    {0xE0000000, 0xFFFFFFFF}};

bool ReferencePublic(uint32_t address) {
  for (const auto& [first, last] : kNotPublic)
    if (address >= first && address <= last) return false;
  return true;
}

TEST(IsPublic, Ipv4AsTheListByHandAtEveryEdgeAndAtRandom) {
  std::vector<uint32_t> addresses = {0x08080808, 0xA9FEA9FE, 0x646464C8};
  for (const auto& [first, last] : kNotPublic)
    for (const uint32_t edge : {first - 1, first, last, last + 1})
      addresses.push_back(edge);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i)
    addresses.push_back(static_cast<uint32_t>(random()));
  int refused = 0;
  for (const uint32_t address : addresses) {
    const std::string text = Text4(address);
    const bool expected = ReferencePublic(address);
    refused += !expected;
    ASSERT_EQ(Public(text), expected) << text;
    // The spellings of IPv6 that lead to the same host.
    ASSERT_EQ(Public("::ffff:" + text), expected) << text;
    ASSERT_EQ(Public("64:ff9b::" + text), expected) << text;
  }
  EXPECT_GT(refused, 2000);
}

TEST(IsPublic, Ipv6) {
  for (const char* text :
       {"2606:4700::1111", "2a00:1450:4001:82a::200e", "2400::1", "2003:0:1::1",
        "3ffe:ffff::1", "2001:200::1", "2001:db7:ffff::1"})
    EXPECT_TRUE(Public(text)) << text;
  for (const char* text : {
           "::",
           "::1",  // unspecified, loopback
           "::7f00:1",
           "::8.8.8.8",           // IPv4-compatible
           "::ffff:0:127.0.0.1",  // IPv4-translated
           "64:ff9b:1::7f00:1",   // NAT64 of a network
           "100::1",              // discarded
           "fc00::1",
           "fd00:ec2::254",  // unique local; metadata
           "fd20:ce::254",
           "fe80::1",
           "fe80::a9fe:a9fe",
           "fec0::1",  // site-local
           "ff02::1",
           "ff0e::1",                   // multicast
           "2001::1",                   // Teredo
           "2001:0:7f00:1::80ff:fffe",  // Teredo of 127.0.0.1
           "2001:10::1",
           "2001:20::1",  // ORCHID
           "2001:2::1",   // benchmarks
           "2001:db8::1",
           "3fff::1",  // documentation
           "2002:7f00:1::",
           "2002:a9fe:a9fe::1",  // 6to4
           "2002:808:808::1",
           "4000::1",
           "5f00::1",
           "1fff::1",  // not global unicast
       })
    EXPECT_FALSE(Public(text)) << text;
}

TEST(IsPublic, WhatIsNoAddressOfTheInternetIsNot) {
  sockaddr_storage local = {};
  local.ss_family = AF_UNIX;
  EXPECT_FALSE(IsPublic(reinterpret_cast<const sockaddr*>(&local)));
  EXPECT_FALSE(Guard({"0.0.0.0/0", "::/0"})
                   .Allows(reinterpret_cast<const sockaddr*>(&local)));
}

TEST(NetworkGuard, ABlockOfSixHoldsNoAddressOfFour) {
  for (const char* text : {"127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1"}) {
    EXPECT_FALSE(Allows(Guard({"::/0"}), text)) << text;
    EXPECT_FALSE(Allows(Guard({"::/64"}), text)) << text;
    EXPECT_TRUE(Allows(Guard({"::ffff:0:0/96"}), text)) << text;
  }
  EXPECT_TRUE(Allows(Guard({"::/0"}), "::1"));
}

TEST(NetworkGuard, NamedNetworksAreAddedToThePublicOnes) {
  const NetworkGuard guard = Guard({"127.0.0.0/8", "fd00:1::/32"});
  for (const char* text :
       {"127.0.0.1", "127.255.255.255", "::ffff:127.0.0.1",
        "64:ff9b::127.0.0.1", "fd00:1::5", "8.8.8.8", "2606:4700::1111"})
    EXPECT_TRUE(Allows(guard, text)) << text;
  for (const char* text : {"10.0.0.1", "169.254.169.254", "::1", "fd00:2::1",
                           "::127.0.0.1", "2002:7f00:1::"})
    EXPECT_FALSE(Allows(guard, text)) << text;
  // A tunnel is named as itself.
  EXPECT_TRUE(Allows(Guard({"2002:7f00:1::/48"}), "2002:7f00:1::"));
  EXPECT_FALSE(Allows(Guard({}), "127.0.0.1"));
  EXPECT_TRUE(Allows(Guard({}), "8.8.8.8"));
}

TEST(NetworkGuard, OnlyTakesAwayAndNeverAdds) {
  const NetworkGuard guard =
      Guard({"10.0.0.0/8"}, {"10.1.0.0/16", "127.0.0.1"});
  EXPECT_TRUE(Allows(guard, "10.1.2.3"));
  EXPECT_TRUE(Allows(guard, "::ffff:10.1.2.3"));
  EXPECT_FALSE(Allows(guard, "10.2.2.3"));
  EXPECT_FALSE(Allows(guard, "8.8.8.8"));
  EXPECT_FALSE(Allows(guard, "127.0.0.1"));
}

TEST(ParseNetworks, NamesWhatIsNone) {
  for (const char* text : {"", "here", "1.2.3", "1.2.3.4/33", "1.2.3.4/",
                           "1.2.3.4/-1", "::/129", "01.2.3.4", "1.2.3.4/8x"}) {
    const auto networks = ParseNetworks({text});
    ASSERT_FALSE(networks) << text;
    EXPECT_EQ(networks.error().code, ErrorCode::kUsage);
    EXPECT_THAT(networks.error().message,
                HasSubstr("'" + std::string(text) + "'"));
  }
}

}  // namespace
}  // namespace twinset
