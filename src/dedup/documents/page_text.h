// Pages that come from elsewhere than an input file (an engine, a crawl) seen
// the way the pipeline sees documents.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_PAGE_TEXT_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_PAGE_TEXT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// One page as a server sent it: `content_type` as in the header (may be empty:
// sniffed), body decoded from transfer and content codings.
struct FetchedPage {
  std::string url, content_type, body, date;
};

// Texts, tokens and shingles under one set of feature options. Thread-safe.
class TextReader {
 public:
  // kUsage for options that make no sense.
  static Result<TextReader> Make(const FeatureOptions& features);
  TextReader(TextReader&&) noexcept;
  TextReader& operator=(TextReader&&) noexcept;
  ~TextReader();

  // Text, title, language, and the facts asked for. kUnsupported for bytes that
  // are no text.
  Result<DocumentText> Read(const FetchedPage& page,
                            const TextDetails& details) const;
  // Normalised tokens of a text in order.
  std::vector<std::string> Tokens(std::string_view text) const;
  // The same one after the other.
  void ForEachToken(std::string_view text,
                    const std::function<void(std::string_view)>& body) const;
  // 64-bit hashes of the shingles under a secret of this object, ascending,
  // distinct.
  std::vector<uint64_t> Shingles(std::string_view text) const;
  // Exact Jaccard of the shingle sets; 0 when either is empty.
  double Resemblance(std::string_view x, std::string_view y) const;

 private:
  struct Parts;
  explicit TextReader(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// |a and b| / |a or b| of two ascending sequences; 0 when either is empty.
double ResemblanceOfShingles(const std::vector<uint64_t>& a,
                             const std::vector<uint64_t>& b);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_PAGE_TEXT_H_
