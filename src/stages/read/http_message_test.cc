#include "read/http_message.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

using namespace std::string_literals;

TEST(HttpMessage, Head) {
  const std::string block =
      "HTTP/1.1 200 OK\r\nServer:x\nX-Long: a\r\n  b\r\n\tc\r\nno field\r\n"
      "X-Bytes: \xff\xfe\r\nx-long: second\r\nEmpty:\r\n\r\nbody";
  const auto head = ParseHttpHead(block);
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(block.substr(head->size), "body");
  EXPECT_EQ(*head->fields.Find("SERVER"), "x");
  EXPECT_EQ(*head->fields.Find("x-long"), "a b c");
  EXPECT_EQ(head->fields.FindAll("x-long"), "a b c,second");
  EXPECT_EQ(*head->fields.Find("x-bytes"), "\xff\xfe");
  EXPECT_EQ(*head->fields.Find("empty"), "");
  EXPECT_EQ(head->fields.Find("none"), nullptr);
  EXPECT_EQ(head->fields.all().size(), 5u);
}

TEST(HttpMessage, HeadsThatEndEarly) {
  for (const char* block :
       {"HTTP/1.0 301", "HTTP/1.0 301\r\nA: b", "HTTP/1.0 301\nA: b\n"}) {
    const auto head = ParseHttpHead(block);
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(head->status, 301);
    EXPECT_EQ(head->size, std::string(block).size());
  }
  EXPECT_FALSE(ParseHttpHead("<html>").has_value());
  EXPECT_FALSE(ParseHttpHead("").has_value());
}

TEST(HttpMessage, Status) {
  const auto status = [](const std::string& line) {
    return ParseHttpHead(line + "\r\n\r\n")->status;
  };
  EXPECT_EQ(status("HTTP/2 204"), 204);
  EXPECT_EQ(status("http/1.1   500 x"), 500);
  EXPECT_EQ(status("HTTP/1.1"), 0);
  EXPECT_EQ(status("HTTP/1.1 OK"), 0);
  EXPECT_EQ(status("HTTP/1.1 20"), 0);
  EXPECT_EQ(status("HTTP/1.1 2000"), 0);
}

TEST(HttpMessage, InterimResponse) {
  const std::string block =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nbody";
  const auto head = ParseHttpHead(block);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(block.substr(head->size), "body");
}

TEST(HttpMessage, MediaType) {
  const auto check = [](const char* text, const char* mime,
                        const char* charset) {
    const MediaType type = ParseMediaType(text);
    EXPECT_EQ(type.mime, mime) << text;
    EXPECT_EQ(type.charset, charset) << text;
  };
  check("text/html", "text/html", "");
  check(" Text/HTML ;Charset=UTF-8", "text/html", "UTF-8");
  check("text/html; charset = \"a b\"; x=y", "text/html", "a b");
  check("text/html; charset='x'", "text/html", "x");
  check("text/html; charset=\"open", "text/html", "open");
  check("text/html; charset=latin1, text/html", "text/html", "latin1");
  check("text/html,text/html", "text/html", "");
  check("; charset=utf-8", "", "utf-8");
  check("text/html; charset", "text/html", "");
  check("text/html; charset=", "text/html", "");
  check("", "", "");
}

TEST(HttpMessage, GenericMime) {
  for (const char* mime : {"", "application/octet-stream", "unknown/unknown",
                           "application/unknown", "no-type", "html"}) {
    EXPECT_TRUE(IsGenericMime(mime)) << mime;
  }
  for (const char* mime : {"text/plain", "text/html", "image/gif"}) {
    EXPECT_FALSE(IsGenericMime(mime)) << mime;
  }
}

TEST(HttpMessage, Sniffing) {
  EXPECT_EQ(SniffMime(""), "text/plain");
  EXPECT_EQ(SniffMime("words"), "text/plain");
  EXPECT_EQ(SniffMime("\xef\xbb\xbf \n<HTML lang=x>"), "text/html");
  EXPECT_EQ(SniffMime("<!DOCTYPE html>"), "text/html");
  EXPECT_EQ(SniffMime("<!-- c --><p>"), "text/html");
  EXPECT_EQ(SniffMime("<p>"), "text/html");
  EXPECT_EQ(SniffMime("<pre>"), "text/plain");
  EXPECT_EQ(SniffMime("<p"), "text/plain");
  EXPECT_EQ(SniffMime("<?xml version='1.0'?><rss>"), "text/xml");
  EXPECT_EQ(SniffMime("<?xml version='1.0'?><HTML>"), "text/html");
  EXPECT_EQ(SniffMime("%PDF-1.4"), "application/pdf");
  EXPECT_EQ(SniffMime("\xff\xd8\xff\xe0"), "image/jpeg");
  EXPECT_EQ(SniffMime("\xff\xfe"
                      "a\0"s),
            "text/plain");
  EXPECT_EQ(SniffMime("a\0b"s), "application/octet-stream");
  EXPECT_EQ(SniffMime(std::string(1445, 'a') + "\0"s), "text/plain");
}

TEST(HttpMessage, Decimal) {
  EXPECT_EQ(ParseDecimal(" 017\t"), 17u);
  EXPECT_EQ(ParseDecimal("999999999999999999"), 999999999999999999u);
  for (const char* text :
       {"", " ", "-1", "+1", "1x", "1 2", "0x1", "1000000000000000000"}) {
    EXPECT_FALSE(ParseDecimal(text).has_value()) << text;
  }
}

TEST(HttpMessage, BrokenValuesJoin) {
  HeaderFields fields;
  fields.AddLine("dropped", true);
  fields.AddLine("URI: http://e.org/a", true);
  fields.AddLine("b c", true);
  EXPECT_EQ(*fields.Find("uri"), "http://e.org/ab c");
}

}  // namespace
}  // namespace twinset
