// What an index (twinset/index.h) is asked, and what it answers.
#ifndef TWINSET_INDEX_ANSWERS_H_
#define TWINSET_INDEX_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {
inline namespace v1 {

// What stands in one of two texts alone.
struct IndexDifference {
  bool of_asked = false;  // else: of the stored document
  uint64_t tokens = 0;
  std::string text;  // of long ones the begin
};

// A document of the index that is similar to another one.
struct IndexMatch {
  std::string id, url;
  std::string date;       // as it was written
  double similarity = 0;  // exact
  // The share of the features of the asked document that this one has, and the
  // other way.
  double contained = 0, contains = 0;
  bool is_kept = false;  // it was dropped for none
  // Documents that are equal to it in what is compared, with itself; when the
  // first and the last of them were seen (RFC 3339: their dates, or when they
  // came); and the sets that hold them.
  uint64_t copies = 0;
  std::string first_seen, last_seen;
  std::vector<std::string> tags;
  size_t index = 0;  // of several that are asked at once (QueryAll)
  // Where that is asked for, of the most similar one: how the texts differ that
  // are compared, in their order, and how many differences more there are.
  std::vector<IndexDifference> differences;
  uint64_t more_differences = 0;
};

// A capture that a list tells of, as CDX files do: by its word alone.
struct IndexDeclaration {
  std::string url, date;  // as they are written
  std::string digest;     // "sha1:" in base 32, "sha256:" in hexadecimal digits
  std::string tag;
  std::string seen = {};  // RFC 3339: the date; what an answer tells
};

struct IndexQuery {
  uint64_t limit = 0;      // of matches; 0: all
  bool kept_only = false;  // none of those that were dropped
  // Only documents that have one of these tags, and none of those; kNotFound
  // for a tag that no document has.
  std::vector<std::string> within_tags = {}, without_tags = {};
  // One alone of equal documents: that which is kept. Under tags, where that is
  // of another set, the one of these sets that came last, kept or dropped.
  bool one_of_equal = false;
  bool why = false;  // the differences to the most similar one
  // Also a declared capture of the same payload: of `stored`, what an archive
  // stores as payload, where that is set, else of Document::payload.
  bool asks_declared = false;
  std::string_view stored = {};

  bool asks_tags() const {
    return !within_tags.empty() || !without_tags.empty();
  }
};

struct IndexAddOptions {
  bool why = false;  // what is dropped is told with its differences
  // What would be new is dropped, and not stored, where a list declares a
  // capture of the same payload.
  bool trusts_declared = false;
  // A document with the id of a stored one and other content replaces it, in
  // one step; else it becomes id#2.
  bool replaces = false;
};

struct IndexFound {
  // The most similar first; of equal similarity those that are kept, then those
  // that came last. Of several indexes: of equal similarity those of the first.
  std::vector<IndexMatch> matches;
  // A key of the document is shared by so many that it was compared with a few
  // of them alone: matches may be missing.
  bool is_bounded = false;
  bool is_empty = false;  // it has no features: it is like none
  // Where that is asked for: a capture that a list declares to have the digest
  // of its payload. It is none of the matches, as nobody has compared it.
  std::optional<IndexDeclaration> declared = {};
  std::string rejected, detail;  // set: it cannot be compared, and why
};

struct IndexAnswer {
  std::string id;            // by which the index knows it, or the repeated one
  bool is_new = false;       // it is kept: nothing kept is similar to it
  bool is_repeated = false;  // the same id with the same content: not stored
  // The kept document that is most similar to it; a new one itself.
  IndexMatch kept;
  std::vector<std::string> replaced = {};  // the documents that it replaced
  // As in IndexFound, for what no kept one is like. Where it is trusted, `kept`
  // is empty and nothing was stored.
  std::optional<IndexDeclaration> declared = {};
  // Both came from archives, which store the same payload, byte for byte.
  bool is_same_payload = false;
  bool is_bounded = false, is_empty = false;  // as in IndexFound
  std::string rejected, detail;               // set: it was not stored, and why

  // False too where what a list declares was trusted.
  bool is_stored() const { return rejected.empty() && !kept.id.empty(); }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_INDEX_ANSWERS_H_
