// A finished run as pages for people, which a server sends: its clusters, the
// documents of each, pairs side by side.
#ifndef TWINSET_RUN_VIEW_H_
#define TWINSET_RUN_VIEW_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct RunViewOptions : InputsNow {
  std::string folder;         // result folder of Dedup, Match or Recut
  ResourceOptions resources;  // memory_bytes and tmp: while it opens
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;
};

enum class RunViewPage : uint8_t {
  kClusters,   // the run, and its clusters, the largest first
  kDocuments,  // documents of clusters that a search finds
  kCluster,
  kDocument,
  kPairs,
  kPair
};

// What a reader asks for. A page reads the members that are its own.
struct RunViewAsked {
  RunViewPage page = RunViewPage::kClusters;
  std::string id = {},
              other =
                  {};  // of a document or a cluster; the other one of a pair
  // What a document of kDocuments has in its id or address, or in its text.
  std::string text = {};
  bool in_texts = false;
  std::string kind = {}, host = {};  // empty: any
  uint64_t least = 0;                // documents of a cluster
  uint64_t most = 0;                 // 0: any number
  double low = 0, high = 1;          // similarity of pairs
  uint64_t from = 0;  // where the page begins, as the one before says
};

// Thread-safe. The run is only read; whoever replaces its files meanwhile does
// not change what is shown.
class RunView {
 public:
  // Goes once through the lists of the run and remembers in work files where
  // rows stand. kUsage for a folder without a finished run, kUnsupported for a
  // run over units and for lists in CSV, kCorrupt for damaged ones. Memory:
  // that of the resources, at most 256 MB unless it is given.
  static Result<std::unique_ptr<RunView>> Open(const RunViewOptions& options);
  ~RunView();

  // HTML without scripts, whose style is at /style.css and whose links lead to
  // /, /documents, /cluster, /document, /pairs and /pair. Every text is
  // escaped. kNotFound for an id that no row has, kUsage for what makes no
  // sense. Texts are read again from the inputs: where that is not possible,
  // the page says so. Memory: a few MB, and the documents of a pair. Time: a
  // page of rows ends after 1 GB of them, a search in texts after 5 seconds,
  // and says where it goes on.
  Result<std::string> Draw(const RunViewAsked& asked) const;
  // The page that says why there is none.
  static std::string DrawError(const Error& error);
  static std::string Style();  // what is at /style.css

  uint64_t clusters() const, pairs() const;  // that the run lists

 private:
  struct Parts;
  explicit RunView(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_RUN_VIEW_H_
