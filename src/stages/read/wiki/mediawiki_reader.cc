// Exports of MediaWiki (docs/formats/inputs.md): pages and their revisions.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/free_string.h"
#include "read/record_base.h"
#include "read/utf8.h"
#include "read/wiki/mediawiki_page.h"
#include "read/wiki/xml_scanner.h"

namespace twinset {
namespace {

constexpr std::string_view kRoot = "mediawiki", kPage = "page";
constexpr size_t kDeepest = 32;  // exports nest to five
constexpr size_t kLongestPrefix = 256;

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

class MediaWikiReader : public ReaderBase {
 public:
  MediaWikiReader(StreamPtr stream, const InputFile& input, uint32_t source,
                  const ReadOptions& options)
      : ReaderBase(std::move(stream), input, source, options,
                   InputFormat::kMediaWiki),
        scanner_(stream_.get()) {}

  Result<bool> Next(Record* record) override {
    if (resync_) {
      TWINSET_TRY(scanner_.SkipTo("<" + namespace_ + std::string(kPage),
                                  options_.max_skip_bytes));
      resync_ = false;
    }
    for (;;) {
      const uint64_t offset = scanner_.offset();
      TWINSET_ASSIGN(XmlToken token, scanner_.Next());
      if (token.kind == XmlToken::kOpen || token.kind == XmlToken::kClose)
        token.text = LocalName(token.text);
      if (in_page_)
        TWINSET_TRY(
            CheckSkipped(offset - page_.offset, options_.max_skip_bytes));
      Outcome outcome = Outcome::kGoOn;
      switch (token.kind) {
        case XmlToken::kEnd:
          return End(record);
        case XmlToken::kFault:
          TWINSET_TRY(TakeGap(offset, record));
          return true;
        case XmlToken::kBad:
          outcome = Damage("bad-xml", std::string(token.text), offset, record);
          break;
        case XmlToken::kOpen:
          outcome = Open(token, offset, record);
          break;
        case XmlToken::kClose:
          outcome = Close(token.text, offset, record);
          break;
        case XmlToken::kText:
          outcome = Text(token.text, offset, record);
          break;
      }
      if (outcome == Outcome::kGoOn) continue;
      if (outcome == Outcome::kSound) TWINSET_TRY(CheckMember(record));
      return true;
    }
  }

 private:
  // Says whether `record` is filled; kSound: as the bytes say, which may stand
  // in a damaged member.
  enum class Outcome : uint8_t { kGoOn, kSound, kDamaged };

  // ---- tokens ----

  // A name without the prefix of the namespace, which the root element tells.
  std::string_view LocalName(std::string_view name) {
    const size_t colon = name.find(':');
    if (path_.empty() && !is_open_ && colon != name.npos &&
        colon < kLongestPrefix && name.substr(colon + 1) == kRoot)
      namespace_ = name.substr(0, colon + 1);
    if (!namespace_.empty() && name.starts_with(namespace_))
      name.remove_prefix(namespace_.size());
    return name;
  }

  Outcome Open(const XmlToken& token, uint64_t offset, Record* record) {
    if (token.text == kPage && (in_page_ || path_.size() > 1 ||
                                (path_.size() == 1 && path_[0] != kRoot))) {
      // The tag that closes the page before, or another element, is lost.
      const Outcome outcome =
          Damage("unclosed", "another page begins inside", offset, record);
      resync_ = false;
      BeginPage(token, offset);
      return outcome;
    }
    if (token.text == kPage) {
      BeginPage(token, offset);
      return token.is_empty ? EndPage(record) : Outcome::kGoOn;
    }
    if (path_.size() == kDeepest)
      return Damage("bad-xml", "elements nest deeper than 32", offset, record);
    if (path_.empty() && token.text != kRoot)
      return Damage("junk", "an element that is no part of an export", offset,
                    record);
    if (path_.empty()) is_open_ = true;
    if (in_page_ && IsAt({"revision", "text"}))
      return Damage("bad-xml", "an element stands inside <text>", offset,
                    record);
    if (in_page_ && IsAt({"revision"}) && token.text == "text" &&
        std::exchange(revision_.has_begun_text, true))
      return Damage("bad-xml", "a revision has a second <text>", offset,
                    record);
    value_.clear();
    path_.emplace_back(token.text.substr(0, 64));
    if (in_page_) BeginInPage(token, offset);
    return token.is_empty ? Close(path_.back(), offset, record)
                          : Outcome::kGoOn;
  }

  void BeginPage(const XmlToken& token, uint64_t offset) {
    page_ = {};
    page_.offset = offset;
    best_ = {};
    in_page_ = !token.is_empty;
    path_ = {std::string(kRoot)};
    if (in_page_) path_.emplace_back(kPage);
  }

  void BeginInPage(const XmlToken& token, uint64_t offset) {
    if (IsAt({"redirect"})) {
      page_.is_redirect = true;
      page_.redirect = XmlAttribute(token.attributes, "title");
    } else if (IsAt({"revision"})) {
      revision_ = {};
      revision_.offset = offset;
      ++page_.revisions;
    } else if (IsAt({"revision", "text"})) {
      revision_.text.clear();
      revision_.text_bytes = 0;
      revision_.is_deleted = !XmlAttribute(token.attributes, "deleted").empty();
      const std::string bytes = XmlAttribute(token.attributes, "bytes");
      revision_.has_text = !token.is_empty || bytes.empty() || bytes == "0";
    }
  }

  Outcome Text(std::string_view text, uint64_t offset, Record* record) {
    if (in_page_ && IsAt({"revision", "text"})) {
      revision_.text_bytes += text.size();
      if (revision_.text_bytes <= options_.max_document_bytes)
        revision_.text += text;
      else
        FreeString(&revision_.text);
    } else if (value_.size() <= options_.max_field_bytes) {
      // One byte more than the limit is enough to be beyond it.
      value_ += text.substr(0, options_.max_field_bytes + 1 - value_.size());
    }
    if (offset == 0 && text.starts_with(kUtf8Bom))
      text.remove_prefix(kUtf8Bom.size());
    if (in_page_ || path_.size() > 1 || IsBlank(text)) return Outcome::kGoOn;
    return Damage("junk", "text that is in no element", offset, record);
  }

  Outcome Close(std::string_view name, uint64_t offset, Record* record) {
    if (path_.empty() && name == kRoot) {
      is_open_ = false;
      return Outcome::kGoOn;
    }
    if (path_.empty() || path_.back() != name.substr(0, 64))
      return Damage("bad-xml",
                    "</" + std::string(name.substr(0, 64)) + "> closes " +
                        (path_.empty() ? "nothing" : "<" + path_.back() + ">"),
                    offset, record);
    if (in_page_) {
      const Outcome outcome = CloseInPage(record);
      path_.pop_back();
      value_.clear();
      return outcome;
    }
    if (path_.size() == 1) is_open_ = false;
    if (path_.back() == "base" && path_.size() == 3)
      prefix_ = WikiAddressPrefix(value_);
    const bool is_other = path_.size() == 2 && path_.back() != "siteinfo";
    path_.pop_back();
    value_.clear();
    if (!is_other) return Outcome::kGoOn;
    Begin(record, offset);
    Skip("type", record);
    return Outcome::kSound;
  }

  Outcome CloseInPage(Record* record) {
    if (path_.size() == 2) return EndPage(record);
    const std::array<std::pair<std::string_view, std::string*>, 3> of_page = {
        {{"title", &page_.title}, {"ns", &page_.ns}, {"id", &page_.id}}};
    const std::array<std::pair<std::string_view, std::string*>, 5> of_revision =
        {{{"id", &revision_.id},
          {"timestamp", &revision_.timestamp},
          {"sha1", &revision_.sha1},
          {"model", &revision_.model},
          {"format", &revision_.format}}};
    for (const auto& [name, value] : of_page)
      if (IsAt({name})) *value = std::move(value_);
    for (const auto& [name, value] : of_revision)
      if (IsAt({"revision", name})) *value = std::move(value_);
    return IsAt({"revision"}) ? EndRevision(record) : Outcome::kGoOn;
  }

  // Returns true iff the elements inside <page> are these.
  bool IsAt(std::initializer_list<std::string_view> names) const {
    if (path_.size() != names.size() + 2) return false;
    size_t at = 2;
    for (const std::string_view name : names)
      if (path_[at++] != name) return false;
    return true;
  }

  // ---- records ----

  Outcome EndRevision(Record* record) {
    if (options_.revisions == RevisionRule::kAll) {
      Begin(record, revision_.offset);
      Fill(&revision_, record);
      return Outcome::kSound;
    }
    // If times are equal, as in imports, the later revision is newer.
    if (page_.revisions == 1 || revision_.timestamp >= best_.timestamp)
      std::swap(best_, revision_);
    return Outcome::kGoOn;
  }

  Outcome EndPage(Record* record) {
    in_page_ = false;
    if (options_.revisions == RevisionRule::kAll && page_.revisions > 0)
      return Outcome::kGoOn;
    Begin(record, page_.offset);
    if (page_.revisions > 0) {
      Fill(&best_, record);
      return Outcome::kSound;
    }
    Identify(best_, record);
    Skip("no-revision", record);
    return Outcome::kSound;
  }

  void Identify(const WikiRevision& revision, Record* record) const {
    Document& document = record->document;
    document.id = page_.title;
    MakeUtf8(&document.id);
    document.provenance.url = WikiAddress(prefix_, document.id);
    document.provenance.date = revision.timestamp;
    if (options_.revisions == RevisionRule::kAll && page_.revisions > 0)
      document.id +=
          "@" + (revision.id.empty() ? "#" + std::to_string(page_.revisions)
                                     : revision.id);
  }

  void Fill(WikiRevision* revision, Record* record) {
    Identify(*revision, record);
    Document& document = record->document;
    const bool is_all = options_.revisions == RevisionRule::kAll;
    std::string target;
    if (page_.is_redirect) {
      target = is_all || page_.redirect.empty()
                   ? WikiRedirect(revision->text).value_or("")
                   : page_.redirect;
    }
    if (page_.title.empty())
      return Quarantine(record, "no-title", "the page has no <title>");
    if (!target.empty()) {
      MakeUtf8(&target);
      record->redirects_to = WikiAddress(prefix_, target);
      return Skip("redirect", record);
    }
    if (revision->is_deleted) return Skip("deleted", record);
    if (!revision->has_text)
      return Quarantine(record, "no-text",
                        "the export has no text of this revision");
    if (revision->text_bytes > options_.max_document_bytes)
      return Quarantine(record, "too-large",
                        "the text has " + std::to_string(revision->text_bytes) +
                            " bytes, the limit is " +
                            std::to_string(options_.max_document_bytes));
    document.payload = std::move(revision->text);
    MakeUtf8(&document.payload);
    document.truncated = revision->is_truncated;
    AddFields(*revision, &document);
    Finish(record);
  }

  void AddFields(const WikiRevision& revision, Document* document) const {
    const std::array<std::pair<std::string_view, const std::string*>, 8> known =
        {{{"title", &page_.title},
          {"ns", &page_.ns},
          {"page_id", &page_.id},
          {"revision", &revision.id},
          {"timestamp", &revision.timestamp},
          {"sha1", &revision.sha1},
          {"model", &revision.model},
          {"format", &revision.format}}};
    for (const std::string& name : options_.fields) {
      // A missing one keeps its place: fields are known by the asked order.
      document->fields.emplace_back(name, std::string());
      for (const auto& [known_name, value] : known)
        if (name == known_name) document->fields.back().second = *value;
      MakeUtf8(&document->fields.back().second);
    }
  }

  static void Skip(const char* reason, Record* record) {
    record->kind = RecordKind::kSkipped;
    record->reason = reason;
  }

  // ---- damage ----

  // Reports damage of the page in hand, or of what stands between pages; the
  // next record is behind the next <page>.
  Outcome Damage(std::string reason, std::string detail, uint64_t offset,
                 Record* record) {
    Begin(record, in_page_ ? page_.offset : offset);
    if (in_page_) {
      detail += ", at byte " + std::to_string(offset);
      Identify(revision_, record);
    }
    Quarantine(record, std::move(reason), std::move(detail));
    Leave();
    return Outcome::kDamaged;
  }

  // Forgets the page in hand and goes to the next one.
  void Leave() {
    in_page_ = false;
    path_.clear();
    value_.clear();
    revision_ = best_ = {};
    resync_ = true;
    was_damaged_ = true;
  }

  // What a gap cuts is lost or, where that is asked for, used as far as it
  // goes.
  Status TakeGap(uint64_t offset, Record* record) {
    const StreamFault* upcoming = stream_->UpcomingFault();
    if (upcoming != nullptr && upcoming->kind == StreamFault::kTruncated &&
        options_.keep_truncated && in_page_ && IsAt({"revision", "text"}) &&
        !revision_.timestamp.empty()) {
      revision_.is_truncated = true;
      const bool is_newest = page_.revisions == 1 ||
                             revision_.timestamp >= best_.timestamp ||
                             options_.revisions == RevisionRule::kAll;
      Begin(record, page_.offset);
      Fill(is_newest ? &revision_ : &best_, record);
      TWINSET_TRY(scanner_.TakeFault());
      Leave();
      return {};
    }
    return Lose(in_page_ ? page_.offset : offset, record);
  }

  // The record of the gap ahead, and of all in front of it from `begin` on.
  Status Lose(uint64_t begin, Record* record) {
    const bool had_page = in_page_;
    TWINSET_ASSIGN(const StreamFault fault, scanner_.TakeFault());
    BeginFault(record, fault, {});
    const uint64_t lost = scanner_.offset() - begin;
    if (had_page || lost > 0)
      record->detail += "; not used: the " + std::to_string(lost) +
                        " decompressed bytes in front";
    Leave();
    return {};
  }

  // A member whose checksum is wrong, and which ends close ahead, takes the
  // record with it.
  Status CheckMember(Record* record) {
    TWINSET_ASSIGN(const StreamFault* fault, scanner_.LookAhead(kHoldBack));
    was_damaged_ = false;
    if (fault == nullptr || !Poisons(*fault, scanner_.offset())) return {};
    const uint64_t begin = record->document.provenance.offset;
    TakeBack();
    return Lose(begin, record);
  }

  // A source that ends inside an element is not whole.
  Result<bool> End(Record* record) {
    const bool is_cut = in_page_ || (is_open_ && !was_damaged_);
    if (!is_cut) return false;
    const std::string detail =
        in_page_ ? "the page does not end" : "no </mediawiki>: pages may miss";
    Damage("truncated", detail, scanner_.offset(), record);
    is_open_ = false;
    return true;
  }

  XmlScanner scanner_;
  std::vector<std::string> path_;  // names of the open elements
  std::string value_;              // text of the innermost
  std::string prefix_;             // of addresses
  std::string namespace_;          // before names, with its colon
  WikiPage page_;
  WikiRevision revision_;  // the one in hand
  WikiRevision best_;      // the newest of the page so far
  bool in_page_ = false;
  bool is_open_ = false;  // <mediawiki>
  bool resync_ = false;   // the next <page> is to be found
  bool was_damaged_ = false;
};

}  // namespace

ReaderPtr MakeMediaWikiReader(StreamPtr stream, const InputFile& input,
                              uint32_t source, const ReadOptions& options) {
  return std::make_unique<MediaWikiReader>(std::move(stream), input, source,
                                           options);
}

}  // namespace twinset
