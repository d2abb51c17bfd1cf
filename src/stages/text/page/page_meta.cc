#include "text/page/page_meta.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/html/html_tokenizer_chars.h"
#include "text/page/page_date.h"

namespace twinset {
namespace {

constexpr int kMaxSeconds = 1'000'000'000;

enum class Slot : uint8_t { kDescription, kAuthor, kPublished, kModified };

// Names of meta properties (Open Graph, schema.org, Dublin Core, what news
// sites and search engines agreed on), best first within a slot.
struct KnownProperty {
  std::string_view name;
  Slot slot;
};
constexpr KnownProperty kProperties[] = {
    {"description", Slot::kDescription},
    {"og:description", Slot::kDescription},
    {"dc.description", Slot::kDescription},
    {"dcterms.description", Slot::kDescription},
    {"twitter:description", Slot::kDescription},
    {"author", Slot::kAuthor},
    {"dc.creator", Slot::kAuthor},
    {"dcterms.creator", Slot::kAuthor},
    {"article:author", Slot::kAuthor},
    {"parsely-author", Slot::kAuthor},
    {"sailthru.author", Slot::kAuthor},
    {"article:published_time", Slot::kPublished},
    {"og:article:published_time", Slot::kPublished},
    {"datepublished", Slot::kPublished},
    {"dcterms.issued", Slot::kPublished},
    {"dc.date.issued", Slot::kPublished},
    {"dcterms.created", Slot::kPublished},
    {"dc.date.created", Slot::kPublished},
    {"parsely-pub-date", Slot::kPublished},
    {"sailthru.date", Slot::kPublished},
    {"pubdate", Slot::kPublished},
    {"publishdate", Slot::kPublished},
    {"publish-date", Slot::kPublished},
    {"og:published_time", Slot::kPublished},
    {"dc.date", Slot::kPublished},
    {"dcterms.date", Slot::kPublished},
    {"citation_publication_date", Slot::kPublished},
    {"datecreated", Slot::kPublished},
    {"date", Slot::kPublished},
    {"article:modified_time", Slot::kModified},
    {"og:updated_time", Slot::kModified},
    {"datemodified", Slot::kModified},
    {"dcterms.modified", Slot::kModified},
    {"dc.date.modified", Slot::kModified},
    {"last-modified", Slot::kModified},
    {"lastmod", Slot::kModified},
};
// Behind all properties: elements that only look like the page's date.
constexpr int kPubdateRank = 1000, kAnyTimeRank = 1001;

std::string CollapsedSpace(std::string_view text) {
  std::string out;
  bool space = false;
  for (const char c : text) {
    if (IsAsciiSpace(c)) {
      space = !out.empty();
      continue;
    }
    if (space) out.push_back(' ');
    space = false;
    out.push_back(c);
  }
  return out;
}

// A view that loses its front step by step.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest(text) {}
  std::string_view rest;
  char Peek() const { return rest.empty() ? '\0' : rest[0]; }
  void SkipSpace() {
    while (!rest.empty() && IsAsciiSpace(rest[0])) rest.remove_prefix(1);
  }
  bool Skip(char lower) {
    if (rest.empty() || ToLowerAscii(rest[0]) != lower) return false;
    rest.remove_prefix(1);
    return true;
  }
};

// "url = 'x'" or "x" to x.
std::string_view RefreshUrl(std::string_view text) {
  Cursor in(text);
  if (in.Skip('u')) {
    if (!in.Skip('r') || !in.Skip('l')) return text;
    in.SkipSpace();
    if (!in.Skip('=')) return text;
    in.SkipSpace();
  }
  const char quote = in.Peek();
  if (quote != '"' && quote != '\'') return in.rest;
  in.rest.remove_prefix(1);
  return in.rest.substr(0, in.rest.find(quote));
}

}  // namespace

RefreshTarget ParseRefresh(std::string_view content) {
  RefreshTarget target;
  Cursor in(content);
  in.SkipSpace();
  const auto is_digit = [&] { return in.Peek() >= '0' && in.Peek() <= '9'; };
  if (!is_digit() && in.Peek() != '.') return target;
  int64_t seconds = 0;
  for (; is_digit(); in.rest.remove_prefix(1)) {
    seconds = std::min<int64_t>(seconds * 10 + (in.Peek() - '0'), kMaxSeconds);
  }
  while (is_digit() || in.Peek() == '.') in.rest.remove_prefix(1);
  if (!in.rest.empty()) {
    const char next = in.Peek();
    if (next != ';' && next != ',' && !IsAsciiSpace(next)) return target;
    in.SkipSpace();
    if (in.Peek() == ';' || in.Peek() == ',') in.rest.remove_prefix(1);
    in.SkipSpace();
  }
  target.valid = true;
  target.seconds = static_cast<int>(seconds);
  target.url = Trim(RefreshUrl(in.rest));
  return target;
}

void AddRobots(std::string_view content, std::vector<std::string>* directives) {
  const auto add = [&](std::string_view word) {
    if (word.size() > kMaxRobotsBytes) return;
    std::string lower = ToLowerAscii(CollapsedSpace(word));
    if (std::find(directives->begin(), directives->end(), lower) ==
        directives->end()) {
      directives->push_back(std::move(lower));
    }
  };
  while (!content.empty()) {
    const size_t comma = std::min(content.find(','), content.size());
    std::string_view item = Trim(content.substr(0, comma));
    content.remove_prefix(std::min(comma + 1, content.size()));
    // "unavailable_after: 25 Jun 2030 15:00:00 GMT" is one directive.
    const bool whole = item.find(':') != item.npos;
    while (!item.empty()) {
      if (directives->size() >= kMaxRobots) return;
      size_t end = 0;
      while (end < item.size() && (whole || !IsAsciiSpace(item[end]))) ++end;
      add(item.substr(0, end));
      item = Trim(item.substr(end));
    }
  }
}

void MetaFacts::Best::Offer(std::string candidate, int candidate_rank) {
  if (candidate.empty() || candidate_rank >= rank) return;
  value = std::move(candidate);
  rank = candidate_rank;
}

void MetaFacts::Meta(const std::vector<HtmlAttribute>& attributes) {
  if (!HasAttribute(attributes, "content")) return;
  const std::string content = AttributeValue(attributes, "content");
  const std::string name = ToLowerAscii(AttributeValue(attributes, "name"));
  const std::string property =
      ToLowerAscii(AttributeValue(attributes, "property"));
  const std::string itemprop =
      ToLowerAscii(AttributeValue(attributes, "itemprop"));
  if (HasAttribute(attributes, "http-equiv")) {
    HttpEquiv(ToLowerAscii(AttributeValue(attributes, "http-equiv")), content);
  }
  if (Trim(name) == "robots") AddRobots(content, &robots_);
  for (const std::string* key : {&name, &property, &itemprop})
    Property(Trim(*key), content);
}

void MetaFacts::HttpEquiv(std::string_view name, const std::string& content) {
  if (name == "refresh") {
    if (!refresh_.valid) refresh_ = ParseRefresh(content);
  } else if (name == "content-language") {
    // The standard's pragma: one language or none.
    const std::string_view language = Trim(content);
    size_t end = 0;
    while (end < language.size() && !IsAsciiSpace(language[end])) ++end;
    if (content.find(',') == content.npos && content_language_.empty())
      content_language_ = language.substr(0, end);
  } else {
    Property(name, content);
  }
}

void MetaFacts::Property(std::string_view name, const std::string& content) {
  if (name.empty()) return;
  for (size_t i = 0; i < std::size(kProperties); ++i) {
    if (kProperties[i].name != name) continue;
    const int rank = static_cast<int>(i);
    switch (kProperties[i].slot) {
      case Slot::kDescription:
        return description_.Offer(CollapsedSpace(content), rank);
      case Slot::kAuthor:
        // Open Graph puts the address of a profile there.
        if (content.find("://") != content.npos) return;
        return author_.Offer(CollapsedSpace(content), rank);
      case Slot::kPublished:
        return published_.Offer(ToRfc3339(content), rank);
      case Slot::kModified:
        return modified_.Offer(ToRfc3339(content), rank);
    }
  }
}

void MetaFacts::Time(const std::vector<HtmlAttribute>& attributes) {
  const std::string datetime = AttributeValue(attributes, "datetime");
  if (datetime.empty()) return;
  const std::string itemprop =
      ToLowerAscii(AttributeValue(attributes, "itemprop"));
  if (!itemprop.empty()) Property(Trim(itemprop), datetime);
  const bool pubdate = HasAttribute(attributes, "pubdate");
  if (itemprop != "datemodified") {
    published_.Offer(ToRfc3339(datetime),
                     pubdate ? kPubdateRank : kAnyTimeRank);
  }
}

void MetaFacts::Finish(PageFacts* facts) {
  facts->description = std::move(description_.value);
  facts->author = std::move(author_.value);
  facts->published = std::move(published_.value);
  facts->modified = std::move(modified_.value);
  for (const std::string& directive : robots_)
    facts->robots += (facts->robots.empty() ? "" : ", ") + directive;
  if (facts->language.empty()) facts->language = std::move(content_language_);
  if (!refresh_.valid) return;
  facts->redirect = std::move(refresh_.url);
  facts->redirect_seconds = refresh_.seconds;
}

std::string AttributeValue(const std::vector<HtmlAttribute>& attributes,
                           std::string_view lower_name) {
  for (const HtmlAttribute& attribute : attributes) {
    if (EqualsIgnoreCase(attribute.name, lower_name))
      return DecodeAttribute(attribute.value);
  }
  return "";
}

bool HasAttribute(const std::vector<HtmlAttribute>& attributes,
                  std::string_view lower_name) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const HtmlAttribute& attribute) {
                       return EqualsIgnoreCase(attribute.name, lower_name);
                     });
}

}  // namespace twinset
