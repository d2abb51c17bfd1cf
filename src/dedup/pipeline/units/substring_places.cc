#include "pipeline/units/substring_places.h"

namespace twinset {

Result<DocumentsOfPlaces> DocumentsOfPlaces::Open(const Run& run) {
  TWINSET_ASSIGN(auto starts, OpenRun<uint64_t>(run, "starts.run"));
  DocumentsOfPlaces documents(std::move(starts));
  TWINSET_TRY(documents.starts_.Next(&documents.end_));
  return documents;
}

Result<uint64_t> DocumentsOfPlaces::GoTo(uint64_t place) {
  uint64_t passed = 0;
  for (; place >= end_; ++passed) {
    begin_ = end_;
    TWINSET_ASSIGN(const bool more, starts_.Next(&end_));
    if (!more)
      return Fail(ErrorCode::kCorrupt, "a repeated window is in no document");
  }
  document_ += passed;
  return passed;
}

Result<TokensOfPlaces> TokensOfPlaces::Open(const Run& run) {
  TWINSET_ASSIGN(auto documents, DocumentsOfPlaces::Open(run));
  TWINSET_ASSIGN(auto features, OpenBlob(run, run.features_file));
  return TokensOfPlaces(std::move(documents), std::move(features));
}

Result<std::string_view> TokensOfPlaces::From(uint64_t place) {
  TWINSET_ASSIGN(uint64_t passed, documents_.GoTo(place));
  if (passed > 0) {
    while (--passed > 0) TWINSET_TRY(features_.Skip());
    std::string_view bytes;
    TWINSET_TRY(features_.Next(&bytes));
    TWINSET_ASSIGN(begin_, StoredTokens::Open(bytes));
    end_ = begin_;
  }
  TWINSET_TRY(begin_.SkipTo(place - documents_.begin()));
  return begin_.rest();
}

Result<std::string_view> TokensOfPlaces::Some(uint64_t place, uint64_t tokens) {
  TWINSET_ASSIGN(const std::string_view from, From(place));
  TWINSET_TRY(end_.SkipTo(place + tokens - documents_.begin()));
  return from.substr(0, from.size() - end_.rest().size());
}

}  // namespace twinset
