#include "pipeline/read/page_spool.h"

#include <algorithm>
#include <initializer_list>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/keyed_hash.h"
#include "base/utf8.h"
#include "net/url.h"
#include "pipeline/read/ingest.h"
#include "text/page/html_text.h"

namespace twinset {

namespace {

constexpr uint64_t kBlockStream = 0x6b636f6c62;  // "block"
constexpr size_t kMostNameBytes = 256;           // of a site, as shown

// The first code points of a text.
std::string_view Beginning(std::string_view text) {
  size_t end = 0, points = 0;
  for (; end < text.size(); ++end) {
    if (!IsContinuation(text[end]) && ++points > kBlockExcerpt) break;
  }
  return text.substr(0, end);
}

// The folder that `file` was found in, or that stands above it in the input
// that was given, as bytes and as rows name it.
PageSite FolderOf(const InputFile& file) {
  const size_t below = static_cast<size_t>(
      std::count(file.relative.begin(), file.relative.end(), '/'));
  const auto above = [&](const std::string& path) {
    size_t end = path.rfind('/');
    for (size_t i = 0; i < below && end != std::string::npos && end > 0; ++i)
      end = path.rfind('/', end - 1);
    return end == std::string::npos ? std::string() : path.substr(0, end);
  };
  PageSite site;
  site.key = "folder:" + above(file.path);
  site.name = above(file.source);
  if (site.name.empty()) site.name = ".";
  return site;
}

// Flags of a stored page; of its blocks there are four.
constexpr uint8_t kUnsure = 1, kDoubtful = 2, kMayWiden = 4;
constexpr int kBlockFlags = 4;

uint64_t Flags(std::initializer_list<bool> set) {
  uint64_t flags = 0, bit = 1;
  for (const bool is_set : set) {
    if (is_set) flags |= bit;
    bit <<= 1;
  }
  return flags;
}

// What the site may overrule is either doubtful or leaves out much.
uint8_t FlagsOf(const CleanText& clean) {
  if (clean.page.confidence < 0) return 0;
  if (clean.page.unsure) return kUnsure;
  const bool is_doubtful = clean.page.confidence < kDoubtfulConfidence;
  uint64_t kept = 0, dropped = 0;
  for (const TextPart& part : clean.parts) {
    if (part.kept) {
      kept += part.end - part.begin;
    } else if (!part.framed && (is_doubtful || !part.linked)) {
      dropped += part.end - part.begin;
    }
  }
  const bool may_widen = is_doubtful ? dropped > 0 : 2 * dropped > kept;
  return static_cast<uint8_t>((is_doubtful ? kDoubtful : 0) |
                              (may_widen ? kMayWiden : 0));
}

uint64_t NotZero(uint64_t hash) { return hash == 0 ? 1 : hash; }

// The lowest bit is the side; the rest is never 0.
constexpr uint64_t kSideBit = 1;
uint64_t SiteHash(const HashKey& key, const PageSite& site) {
  const uint64_t hash = SipHash13(key, site.key) & ~kSideBit;
  return (hash == 0 ? 2 * kSideBit : hash) | site.side;
}

}  // namespace

PageSite SiteOf(const Plan& plan, const Document& document,
                const InputFile& file, const std::string& language) {
  PageSite site;
  if (plan.scope.site.kind != ScopeField::kNone) {
    site.name = ScopeValue(plan.scope.site, document, file.source, language);
    if (site.name.empty()) return site;
    site.key = "value:" + site.name;
  } else if (site.name = UrlHost(NormaliseUrl(document.provenance.url));
             !site.name.empty()) {
    site.key = "host:" + site.name;
  } else if (document.is_file) {
    site = FolderOf(file);
  } else {
    return site;
  }
  site.side = plan.inputs.SideOf(document.provenance.source);
  return site;
}

std::string ExcerptOf(std::string_view text) {
  std::string buffer;
  return std::string(Beginning(CollapseWhiteSpace(text, &buffer)));
}

void MoveToSecondSide(std::string* page) {
  // Little-endian: the lowest bit stands in the first byte.
  if (!page->empty()) page->front() |= static_cast<char>(kSideBit);
}

void EncodePage(const Plan& plan, const PageSite& site, const CleanText& clean,
                std::string* bytes) {
  KeyStream keys(plan.features.key, kBlockStream);
  const HashKey of_sites = keys.NextKey(), of_blocks = keys.NextKey();
  bytes->clear();
  bytes->reserve(clean.text.size() + 16 * clean.parts.size() + 64);
  AppendLE(bytes, SiteHash(of_sites, site));
  AppendSized(bytes, std::string_view(site.name).substr(
                         0, LengthUpTo(site.name, kMostNameBytes)));
  AppendSized(bytes, clean.text);
  const uint8_t of_page = FlagsOf(clean);
  AppendLE<uint8_t>(bytes, of_page);
  AppendLE<uint32_t>(bytes, static_cast<uint32_t>(clean.parts.size()));
  std::string buffer, excerpts;
  uint32_t last = 0;
  for (const TextPart& part : clean.parts) {
    const std::string_view text =
        std::string_view(part.kept ? clean.text : clean.left_out)
            .substr(part.begin, part.end - part.begin);
    const std::string_view collapsed = CollapseWhiteSpace(text, &buffer);
    AppendLE(bytes, collapsed.empty()
                        ? uint64_t{0}
                        : NotZero(SipHash13(of_blocks, collapsed)));
    const uint64_t flags =
        Flags({part.kept, part.likely, part.framed, part.linked});
    if (part.kept) {
      AppendVarint(bytes, uint64_t{part.begin - last} << kBlockFlags | flags);
      AppendVarint(bytes, part.end - part.begin);
      last = part.end;
    } else {
      const std::string_view excerpt =
          (of_page & kMayWiden) != 0 && !part.framed
              ? std::string_view(collapsed)
              : Beginning(collapsed);
      AppendVarint(bytes, uint64_t{excerpt.size()} << kBlockFlags | flags);
      excerpts += excerpt;
    }
  }
  AppendSized(bytes, excerpts);
}

Status DecodePage(std::string_view bytes, SpooledPage* page) {
  ByteReader reader(bytes);
  page->site = reader.Read<uint64_t>();
  page->site_name = reader.ReadSized();
  page->text = reader.ReadSized();
  const auto flags = reader.Read<uint8_t>();
  page->is_unsure = (flags & kUnsure) != 0;
  page->is_doubtful = (flags & kDoubtful) != 0;
  page->may_widen = (flags & kMayWiden) != 0;
  page->blocks.resize(std::min<size_t>(reader.Read<uint32_t>(), bytes.size()));
  uint32_t in_text = 0, in_excerpts = 0;
  for (SpooledBlock& block : page->blocks) {
    block.hash = reader.Read<uint64_t>();
    const uint64_t head = reader.ReadVarint();
    block.kept = (head & 1) != 0;
    block.likely = (head & 2) != 0;
    block.framed = (head & 4) != 0;
    block.linked = (head & 8) != 0;
    if (block.kept) {
      block.begin = in_text + static_cast<uint32_t>(head >> kBlockFlags);
      block.end = in_text =
          block.begin + static_cast<uint32_t>(reader.ReadVarint());
    } else {
      block.begin = in_excerpts;
      block.end = in_excerpts += static_cast<uint32_t>(head >> kBlockFlags);
    }
  }
  page->excerpts = reader.ReadSized();
  if (!reader.ok() || !reader.AtEnd() || in_text > page->text.size() ||
      in_excerpts > page->excerpts.size()) {
    return Fail(ErrorCode::kCorrupt, "a stored page has the wrong length");
  }
  return {};
}

std::string UnframedText(const SpooledPage& page,
                         const std::vector<uint32_t>& dropped) {
  std::string text, buffer;
  auto next = dropped.begin();
  for (uint32_t i = 0; i < page.blocks.size(); ++i) {
    const bool is_dropped = next != dropped.end() && *next == i;
    if (is_dropped) ++next;
    const SpooledBlock& block = page.blocks[i];
    if (is_dropped || block.framed || block.hash == 0) continue;
    if (!text.empty()) text += '\n';
    text += CollapseWhiteSpace(page.TextOf(block), &buffer);
  }
  return text;
}

std::string TextWithout(const SpooledPage& page,
                        const std::vector<uint32_t>& dropped,
                        std::vector<TextCut>* cuts) {
  std::string left;
  left.reserve(page.text.size());
  if (cuts != nullptr) cuts->clear();
  size_t at = 0, counted_left = 0, counted_whole = 0;
  TextCut cut;
  // The text from `begin` on follows.
  const auto note = [&](size_t begin) {
    cut.left += static_cast<uint32_t>(
        CountCodePoints(std::string_view(left).substr(counted_left)));
    cut.whole += static_cast<uint32_t>(CountCodePoints(
        page.text.substr(counted_whole, begin - counted_whole)));
    counted_left = left.size();
    counted_whole = begin;
    cuts->push_back(cut);
  };
  // Keeps the text from `at` to `end`.
  const auto keep = [&](size_t end) {
    size_t begin = at;
    while (left.empty() && begin < end && IsAsciiSpace(page.text[begin]))
      ++begin;
    if (begin >= end) return;
    // What two elements kept apart stays apart.
    if (!left.empty() && !IsAsciiSpace(left.back()) &&
        !IsAsciiSpace(page.text[begin]))
      left += '\n';
    if (cuts != nullptr) note(begin);
    left += page.text.substr(begin, end - begin);
  };
  for (const uint32_t number : dropped) {
    const SpooledBlock& block = page.blocks[number];
    keep(block.begin);
    at = block.end;
  }
  keep(page.text.size());
  while (!left.empty() && IsAsciiSpace(left.back())) left.pop_back();
  return left;
}

}  // namespace twinset
