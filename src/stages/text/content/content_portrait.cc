#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/content/content_page.h"
#include "text/html/html_entities.h"

namespace twinset {
namespace {

constexpr size_t kMaxTitleWords = 64;
constexpr size_t kMaxPairs = size_t{1} << 16;

void AddPairs(std::string_view text, bool references, HashSet* pairs) {
  uint32_t last = 0;
  EachWordHash(text, references, [&](uint32_t word) {
    if (last != 0 && pairs->size() < kMaxPairs)
      pairs->Add(WordPair(last, word));
    last = word;
  });
}

// One string of JSON whose opening quote is before `at`, decoded; `at` is left
// behind it.
std::string JsonString(std::string_view text, size_t* at) {
  std::string out;
  size_t i = *at;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    if (text[i] == 'u' && i + 4 < text.size()) {
      uint32_t value = 0;
      for (size_t k = 1; k <= 4; ++k) {
        const char c = text[i + k];
        const int digit = c >= '0' && c <= '9' ? c - '0'
                          : (c | 32) >= 'a' && (c | 32) <= 'f'
                              ? (c | 32) - 'a' + 10
                              : 0;
        value = value << 4 | static_cast<uint32_t>(digit);
      }
      i += 4;
      // Surrogates stand for characters that are no words.
      if (value < 0xD800 || value > 0xDFFF) AppendCodePoint(value, &out);
      continue;
    }
    out += text[i] == 'n' || text[i] == 'r' || text[i] == 't' ? ' ' : text[i];
  }
  *at = std::min(i + 1, text.size());
  return out;
}

// The types that one script of JSON-LD names.
uint8_t TypesOf(std::string_view script) {
  constexpr std::string_view kKey = "\"@type\"";
  uint8_t types = 0;
  for (size_t at = script.find(kKey); at != std::string_view::npos;
       at = script.find(kKey, at)) {
    at += kKey.size();
    at = std::min(script.find_first_not_of(" :\n\t[", at), script.size());
    if (at == script.size() || script[at] != '"') continue;
    const size_t end = std::min(script.find('"', at + 1), script.size());
    types |= DeclaredTypeBit(script.substr(at + 1, end - at - 1));
  }
  return types;
}

// The articles in one script of JSON-LD.
void AddBodies(std::string_view script, HashSet* pairs) {
  constexpr std::string_view kKey = "\"articleBody\"";
  for (size_t at = script.find(kKey); at != std::string_view::npos;
       at = script.find(kKey, at)) {
    at += kKey.size();
    while (at < script.size() && (script[at] == ' ' || script[at] == ':' ||
                                  script[at] == '\n' || script[at] == '\t')) {
      ++at;
    }
    if (at >= script.size() || script[at] != '"') continue;
    ++at;
    AddPairs(JsonString(script, &at), true, pairs);
  }
}

// Scripts leave no nodes: they stand in the gaps between them.
void AddScripts(std::string_view gap, SelfPortrait* self) {
  size_t at = 0;
  while (at < gap.size()) {
    const void* plus = std::memchr(gap.data() + at, '+', gap.size() - at);
    if (plus == nullptr) return;
    const auto found =
        static_cast<size_t>(static_cast<const char*>(plus) - gap.data());
    at = found + 1;
    if (found < 14 || gap.substr(found - 14, 19) != "application/ld+json")
      continue;
    const size_t end = std::min(gap.find("</script", at), gap.size());
    AddBodies(gap.substr(at, end - at), &self->body);
    self->declared |= TypesOf(gap.substr(at, end - at));
    at = end;
  }
}

// Address of a link rel=canonical, else 0.
uint32_t CanonicalAddress(const std::vector<HtmlAttribute>& attributes) {
  std::string_view rel, href;
  for (const HtmlAttribute& attribute : attributes) {
    if (EqualsIgnoreCase(attribute.name, "rel")) rel = attribute.value;
    if (EqualsIgnoreCase(attribute.name, "href")) href = attribute.value;
  }
  return EqualsIgnoreCase(rel, "canonical") && !href.empty() ? AddressHash(href)
                                                             : 0;
}

}  // namespace

uint8_t DeclaredTypeBit(std::string_view name) {
  struct Type {
    std::string_view name;
    DeclaredType type;
  };
  constexpr Type kTypes[] = {
      {"article", DeclaredType::kArticle},
      {"newsarticle", DeclaredType::kArticle},
      {"blogposting", DeclaredType::kArticle},
      {"reportagenewsarticle", DeclaredType::kArticle},
      {"techarticle", DeclaredType::kReference},
      {"apireference", DeclaredType::kReference},
      {"qapage", DeclaredType::kForum},
      {"question", DeclaredType::kForum},
      {"discussionforumposting", DeclaredType::kForum},
      {"itemlist", DeclaredType::kListing},
      {"collectionpage", DeclaredType::kListing},
      {"searchresultspage", DeclaredType::kListing},
      {"blog", DeclaredType::kListing},
      {"product", DeclaredType::kProduct},
      {"website", DeclaredType::kWebsite},
  };
  name.remove_prefix(std::min(name.find_last_of('/') + 1, name.size()));
  for (const Type& known : kTypes) {
    if (EqualsIgnoreCase(name, known.name))
      return static_cast<uint8_t>(1u << static_cast<unsigned>(known.type));
  }
  return 0;
}

uint32_t AddressHash(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const size_t scheme = url.find("//");
  if (scheme != std::string_view::npos && scheme < 8) {
    url.remove_prefix(std::min(url.find('/', scheme + 2), url.size()));
  }
  while (url.ends_with('/')) url.remove_suffix(1);
  uint32_t hash = kWordSeed;
  for (const char c : url) hash = WordHash(hash, static_cast<unsigned char>(c));
  return hash == 0 ? 1 : hash;
}

SelfPortrait ReadSelfPortrait(std::string_view utf8, const HtmlTree& tree) {
  SelfPortrait self;
  bool has_title = false;
  uint32_t reached = 0;
  std::vector<HtmlAttribute> attributes;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const HtmlNode& node = tree.nodes[i];
    if (node.begin > reached + 30) {
      AddScripts(utf8.substr(reached, node.begin - reached), &self);
    }
    reached = std::max(reached, node.end);
    if (node.kind == HtmlNode::kOpen && node.tag == HtmlTag::kTitle &&
        !has_title && i + 1 < tree.nodes.size() &&
        tree.nodes[i + 1].kind == HtmlNode::kText) {
      has_title = true;
      const HtmlNode& text = tree.nodes[i + 1];
      EachWordHash(utf8.substr(text.begin, text.end - text.begin), true,
                   [&](uint32_t word) {
                     if (self.title.size() < kMaxTitleWords &&
                         (ContentWords::Get().Find(word) & kStopWord) == 0) {
                       self.title.Add(word);
                     }
                   });
    }
    if (node.kind != HtmlNode::kVoid ||
        (node.tag != HtmlTag::kMeta && node.tag != HtmlTag::kLink)) {
      continue;
    }
    ReadAttributes(utf8.substr(node.begin, node.end - node.begin), &attributes);
    if (node.tag == HtmlTag::kLink) {
      if (self.address == 0) self.address = CanonicalAddress(attributes);
      continue;
    }
    std::string_view name, content;
    for (const HtmlAttribute& attribute : attributes) {
      if (EqualsIgnoreCase(attribute.name, "name") ||
          EqualsIgnoreCase(attribute.name, "property")) {
        name = attribute.value;
      } else if (EqualsIgnoreCase(attribute.name, "content")) {
        content = attribute.value;
      }
    }
    if (EqualsIgnoreCase(name, "description") ||
        EqualsIgnoreCase(name, "og:description")) {
      AddPairs(content, true, &self.description);
    } else if (EqualsIgnoreCase(name, "og:url") && self.address == 0) {
      self.address = AddressHash(content);
    } else if (EqualsIgnoreCase(name, "og:type")) {
      self.declared |= DeclaredTypeBit(content);
    }
  }
  if (utf8.size() > reached) AddScripts(utf8.substr(reached), &self);
  return self;
}

}  // namespace twinset
