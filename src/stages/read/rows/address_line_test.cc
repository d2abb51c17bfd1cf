#include "read/rows/address_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "read/rows/address_reader.h"

namespace twinset {
namespace {

using Strings = std::vector<std::string>;

// "id address", "!reason" or "address" of each address of a list.
Strings Read(const std::string& list) {
  const auto reader = ReadAddressListFromMemory(list, {});
  Strings all;
  FoundAddress found;
  for (;;) {
    const auto more = reader->Next(&found);
    if (!more || !*more) return all;
    all.push_back(!found.why.empty() ? "!" + found.why
                  : found.id.empty() ? found.address
                                     : found.id + " " + found.address);
  }
}

TEST(AddressLines, PlainLists) {
  EXPECT_EQ(Read("http://a.b/\r\n\n  http://c.d/x \nwww.e.f/\nnot one\n"
                 "http://spaces.g/a b c"),
            (Strings{"http://a.b/", "http://c.d/x", "www.e.f/", "not one",
                     "http://spaces.g/a b c"}));
}

TEST(AddressLines, AnIdBesideTheAddress) {
  EXPECT_EQ(
      Read("clueweb12-0000tw-00-00000, http://a.b/x,y\n"
           "clueweb09-en0000-00-00000\thttp://a.b/\tmore\n"
           "http://a.b/\tid-3\n"
           "id-4 http://a.b/?u=http://c.d/\n"
           "http://a.b/ id-5\n"),
      (Strings{"clueweb12-0000tw-00-00000 http://a.b/x,y",
               "clueweb09-en0000-00-00000 http://a.b/", "id-3 http://a.b/",
               "id-4 http://a.b/?u=http://c.d/", "id-5 http://a.b/"}));
}

// What is behind a blank or a comma is an id only if it looks like one.
TEST(AddressLines, ABlankOrACommaMayBeOfTheAddress) {
  EXPECT_EQ(
      Read("http://a.b/a b\n"
           "http://a.b/my file2.html\n"
           "http://a.b/a b 2\n"
           "http://a.b/a,b\n"
           "http://a.b/0,1518,12,00.html\n"
           "http://a.b/@51.5,-0.12,17z\n"),
      (Strings{"http://a.b/a b", "http://a.b/my file2.html", "http://a.b/a b 2",
               "http://a.b/a,b", "http://a.b/0,1518,12,00.html",
               "http://a.b/@51.5,-0.12,17z"}));
  EXPECT_EQ(
      Read("http://a.b/1,doc1\n"
           "http://a.b/1, doc2\n"
           "http://a.b/x,y clueweb09-en0000-00-00000\n"
           "http://a.b/1  <urn:uuid:0a>\n"
           "http://a.b/a b\tid of words\n"),
      (Strings{"doc1 http://a.b/1", "doc2 http://a.b/1",
               "clueweb09-en0000-00-00000 http://a.b/x,y",
               "<urn:uuid:0a> http://a.b/1", "id of words http://a.b/a b"}));
}

TEST(AddressLines, Cdx) {
  EXPECT_EQ(
      Read(" CDX N b a m s k r M S V g\n"
           "b,a)/ 20080430204825 http://a.b/ text/html 200 X - - 1 2 w.gz\n"
           "b,a)/x 20080430204825 http://a.b/x text/html 200 X\n"
           "|CDX|b|A\n"
           "20080430|c.d/\n"),
      (Strings{"http://a.b/", "http://a.b/x", "c.d/"}));
  // Without a header: three to eleven columns.
  EXPECT_EQ(Read("b,a)/ 20080430204825 http://a.b/ text/html 200 X - 1 w.gz\n"),
            Strings{"http://a.b/"});
  EXPECT_EQ(Read("|CDX|b|a\n2008|\n"), Strings{"!no-url"});
  EXPECT_EQ(Read(" CDX N b m\nb,a)/ 20080430204825 text/html\n"),
            Strings{"!no-url-column"});
}

TEST(AddressLines, CdxOfServers) {
  EXPECT_EQ(Read("b,a)/ 20080430204825 http://a.b/ text/html 200 X 12\n"
                 "b,a)/1 20080430204825 http://a.b/1\n"),
            (Strings{"http://a.b/", "http://a.b/1"}));
  EXPECT_EQ(Read("CDX A b k a\n- 2008 X http://a.b/\n"),
            Strings{"http://a.b/"});
  EXPECT_EQ(Read("timestamp statuscode original\n"
                 "20080430204825 200 http://a.b/\n"),
            Strings{"http://a.b/"});
  const std::string header = "[[\"urlkey\",\"timestamp\",\"original\"],\n";
  EXPECT_EQ(Read("\xef\xbb\xbf" + header +
                 "[\"b,a)/\",\"20080430204825\",\"http://a.b/\"],\n"
                 "[\"b,a)/x\",\"20080430204825\",\"http:\\/\\/a.b/[x]\"]]"),
            (Strings{"http://a.b/", "http://a.b/[x]"}));
  // On one line, in another order, and with rows that are none.
  EXPECT_EQ(Read("[[\"original\",\"timestamp\"],[\"http://a.b/\",\"2008\"],"
                 "[\"x\",1,2],{\"url\":\"http://c.d/\"}]"),
            (Strings{"http://a.b/", "!no-url-column", "!no-url-column"}));
}

TEST(AddressLines, MarksAndOtherCodings) {
  EXPECT_EQ(Read("\xef\xbb\xbfhttp://a.b/\n\xef\xbb\xbfhttp://c.d/\r\n"),
            (Strings{"http://a.b/", "http://c.d/"}));
  const auto reader = ReadAddressListFromMemory("\xff\xfeh", {});
  FoundAddress found;
  const auto read = reader->Next(&found);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message, "is UTF-16");
}

TEST(AddressLines, Cdxj) {
  EXPECT_EQ(
      Read("!meta {\"format\": \"cdxj\"}\n"
           "b,a)/ 20200101000000 {\"url\": \"http://a.b/\", \"x\": 1}\n"
           "b,a)/ 2020 {\"x\": \"\\\"url\\\":\", \"url\":\"http:\\/\\/c/\"}\n"
           "b,a)/ 2020 {\"x\": 1}\n"
           "b,a)/ 2020 {\"url\": \n"),
      (Strings{"http://a.b/", "http://c/", "!no-url", "!bad-json"}));
}

TEST(AddressLines, ListsAreToldFromTables) {
  EXPECT_TRUE(LooksLikeAddressList("http://a.b/,x\n"));
  EXPECT_TRUE(LooksLikeAddressList("id\thttp://a.b/\n"));
  EXPECT_FALSE(LooksLikeAddressList("id,url,text\n1,http://a.b/,x\n"));
}

}  // namespace
}  // namespace twinset
