#include "engine/anchor_texts.h"

#include <cstdio>
#include <string_view>

#include "net/url.h"

namespace twinset {

namespace {

constexpr size_t kMostText = 64 << 10;  // bytes of one page

constexpr char kInOrder[] =
    "SELECT first.url, links.text FROM (SELECT url, min(rowid) AS place FROM "
    "links WHERE url NOT IN (SELECT url FROM known) GROUP BY url) AS first "
    "JOIN links ON links.url = first.url ORDER BY first.place, links.rowid";

}  // namespace

Result<std::unique_ptr<AnchorTexts>> AnchorTexts::Create(
    const std::string& path) {
  auto anchors = std::unique_ptr<AnchorTexts>(new AnchorTexts);
  TWINSET_ASSIGN(anchors->db_, SqliteDb::Create(path));
  SqliteDb& db = anchors->db_;
  TWINSET_TRY(
      db.Execute("CREATE TABLE known(url TEXT PRIMARY KEY) WITHOUT ROWID;"
                 "CREATE TABLE links(url TEXT NOT NULL, text TEXT NOT NULL);"
                 "BEGIN"));
  TWINSET_ASSIGN(anchors->add_known_,
                 db.Prepare("INSERT OR IGNORE INTO known VALUES(?)"));
  TWINSET_ASSIGN(anchors->add_link_,
                 db.Prepare("INSERT INTO links VALUES(?, ?)"));
  return anchors;
}

AnchorTexts::~AnchorTexts() {
  if (!db_.path().empty()) (void)std::remove(db_.path().c_str());
}

Status AnchorTexts::AddKnown(const std::string& url) {
  const std::string normal = NormaliseUrl(url);
  add_known_.Bind(1, normal);
  return add_known_.Run();
}

Status AnchorTexts::AddLinks(const DocumentText& page) {
  const auto base = ResolveUrl(page.url, page.base);
  for (const DocumentLink& link : page.links) {
    if (link.anchor.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    const auto target = ResolveUrl(base ? *base : page.url, link.href);
    if (!target || !IsHttpUrl(*target)) continue;
    add_link_.Bind(1, *target);
    add_link_.Bind(2, link.anchor);
    TWINSET_TRY(add_link_.Run());
  }
  return {};
}

Status AnchorTexts::ForEach(
    const std::function<Status(const std::string& url,
                               const std::string& text)>& body) {
  TWINSET_TRY(db_.Execute("COMMIT; CREATE INDEX by_url ON links(url)"));
  TWINSET_ASSIGN(SqliteStatement links, db_.Prepare(kInOrder));
  std::string url, text;
  for (;;) {
    TWINSET_ASSIGN(const bool more, links.Step());
    if (!more || links.Text(0) != url) {
      if (!url.empty()) TWINSET_TRY(body(url, text));
      text.clear();
    }
    if (!more) return {};
    url = links.Text(0);
    const std::string_view anchor = links.Text(1);
    if (text.size() + anchor.size() >= kMostText) continue;
    if (!text.empty()) text += '\n';
    text += anchor;
  }
}

}  // namespace twinset
