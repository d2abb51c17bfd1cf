// What an index is asked.
#include <algorithm>
#include <utility>

#include "live/index_parts.h"

namespace twinset {

Result<IndexFound> Index::Check(Document document, uint64_t limit) const try {
  IndexQuery query;
  query.limit = limit;
  return Check(std::move(document), std::move(query));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFound> Index::Check(Document document, IndexQuery query) const try {
  query.one_of_equal = true;
  query.asks_declared = true;
  return Query(std::move(document), query);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFound> Index::Query(Document document,
                                const IndexQuery& query) const try {
  std::vector<std::string> digests;
  if (query.asks_declared && parts_->HasDeclared())
    digests = DeclaredDigestsOf(query.stored.data() == nullptr
                                    ? std::string_view(document.payload)
                                    : query.stored);
  return parts_->Answer(
      &document,
      [&](const IndexReader& reader,
          const IndexedText& text) -> Result<IndexFound> {
        TWINSET_ASSIGN(IndexFound found, reader.Query(text, query));
        TWINSET_ASSIGN(const TagFilter filter, reader.FilterOf(query));
        TWINSET_ASSIGN(found.declared, reader.FindDeclared(digests, filter));
        return found;
      });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::optional<IndexDocument>> Index::Find(const std::string& id) const
    try {
  const std::shared_lock lock(parts_->mutex);
  TWINSET_TRY(parts_->CheckWorks());
  const IndexReader reader(parts_->store.get(), &parts_->features);
  TWINSET_ASSIGN(const uint64_t entry, reader.FindNamed(id));
  if (entry == kNoEntry) return std::optional<IndexDocument>();
  return reader.Document(entry);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

bool Index::HasTag(const std::string& tag) const {
  const std::shared_lock lock(parts_->mutex);
  return parts_->store->FindTag(tag).has_value();
}

namespace {

// Leaves of the tags those that one of several indexes has; nothing where none
// of its documents can pass. A tag that no index has is left to be refused.
std::optional<IndexQuery> QueryOfOne(std::span<const Index* const> indexes,
                                     const Index& one, IndexQuery query) {
  const bool is_within = !query.within_tags.empty();
  for (auto* tags : {&query.within_tags, &query.without_tags})
    std::erase_if(*tags, [&](const std::string& tag) {
      return !one.HasTag(tag) && std::any_of(indexes.begin(), indexes.end(),
                                             [&](const Index* other) {
                                               return other->HasTag(tag);
                                             });
    });
  if (is_within && query.within_tags.empty()) return std::nullopt;
  return query;
}

}  // namespace

Result<IndexFound> v1::QueryAll(std::span<const Index* const> indexes,
                                const Document& document,
                                const IndexQuery& query) try {
  IndexFound all;
  for (size_t i = 0; i < indexes.size(); ++i) {
    const auto asked = QueryOfOne(indexes, *indexes[i], query);
    if (!asked) continue;
    TWINSET_ASSIGN(IndexFound found, indexes[i]->Query(document, *asked));
    // What one index cannot compare, none is asked.
    if (!found.rejected.empty()) return found;
    all.is_bounded |= found.is_bounded;
    all.is_empty |= found.is_empty;
    if (!all.declared) all.declared = std::move(found.declared);
    for (IndexMatch& match : found.matches) {
      match.index = i;
      all.matches.push_back(std::move(match));
    }
  }
  std::stable_sort(all.matches.begin(), all.matches.end(),
                   [](const IndexMatch& x, const IndexMatch& y) {
                     return x.similarity > y.similarity;
                   });
  if (query.limit > 0 && all.matches.size() > query.limit)
    all.matches.resize(query.limit);
  return all;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::vector<IndexCapture>> Index::Captures(
    const IndexCaptureQuery& query) const try {
  const std::shared_lock lock(parts_->mutex);
  TWINSET_TRY(parts_->CheckWorks());
  return IndexReader(parts_->store.get(), &parts_->features).Captures(query);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::string> Index::TextOf(Document document) const try {
  IndexedText text = parts_->features.Take(&document);
  if (text.rejected.empty()) return std::move(text.text);
  return Fail(ErrorCode::kUsage,
              "the document cannot be compared: " + text.rejected +
                  (text.detail.empty() ? "" : " (" + text.detail + ")"));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
