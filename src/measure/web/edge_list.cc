#include "web/edge_list.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/file.h"
#include "documents/pass_progress.h"
#include "documents/text_lines.h"

namespace twinset {

namespace {

// While reading: an arc in a vector that doubles, then twice in rows; a node in
// the map, in two orders and in the offsets.
constexpr uint64_t kArcBytes = 24, kNodeBytes = 120;

// The first field of `*rest`, which then begins at the next one. Fields stand
// between spaces, tabs and single commas.
std::string_view TakeField(std::string_view* rest) {
  const size_t end = std::min(rest->find_first_of(" \t,"), rest->size());
  const std::string_view field = rest->substr(0, end);
  rest->remove_prefix(end);
  *rest = Trim(*rest, kBlanks);
  if (!rest->empty() && rest->front() == ',') {
    rest->remove_prefix(1);
    *rest = Trim(*rest, kBlanks);
  }
  return field;
}

std::optional<uint64_t> ParseId(std::string_view field) {
  uint64_t id = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, id);
  if (field.empty() || error != std::errc() || stop != end) return {};
  return id;
}

// Returns true iff a line that is no row may be one of the names of columns: it
// begins with a letter, no field with a digit, and it holds no address.
bool LooksLikeHeader(std::string_view line) {
  line = Trim(line, kBlanks);
  if (line.find("://") != line.npos) return false;
  while (!line.empty()) {
    std::string_view name = TakeField(&line);
    name = Trim(name, "\"'");
    if (name.empty()) continue;
    const auto first = static_cast<unsigned char>(name.front());
    // Blanks and signs beyond ASCII begin with C2 or E2 in UTF-8, and U+3000
    // and U+FEFF with E3 80 80 and EF; letters do not, but for a few.
    const bool is_letter = IsAsciiLetter(name.front()) || first == '_' ||
                           (first >= 0xc3 && first != 0xe2 && first != 0xef &&
                            !name.starts_with("\xe3\x80\x80"));
    if (!is_letter) return false;
  }
  return true;
}

enum class LineKind { kEmpty, kComment, kArc, kOther };

// "1 2", "1\t2\t0.5": further fields (weights, times) do not count.
LineKind ParseArc(std::string_view line, uint64_t* from, uint64_t* to) {
  line = Trim(line, kBlanks);
  if (line.empty()) return LineKind::kEmpty;
  if (line.front() == '#' || line.front() == '%') return LineKind::kComment;
  const auto first = ParseId(TakeField(&line));
  const auto second = ParseId(TakeField(&line));
  if (!first || !second) return LineKind::kOther;
  *from = *first;
  *to = *second;
  return LineKind::kArc;
}

// The first bytes of UTF-16 as ASCII, if they are that.
Result<std::string> HeadWithoutZeros(const std::string& path) {
  std::string head(4096, '\0');
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  TWINSET_ASSIGN(const size_t size, file.Read(head.data(), head.size()));
  head.resize(size);
  std::erase_if(head, [](char c) {
    return c == '\0' || c == '\xff' || c == '\xfe' || c == '\r';
  });
  return head;
}

std::string MegabytesUp(uint64_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + "M";
}

class Builder {
 public:
  Builder(bool keep_dangling, uint64_t memory_bytes)
      : keep_dangling_(keep_dangling), memory_bytes_(memory_bytes) {}

  // `name` is of the file being read, for problems.
  void Begin(std::string name) {
    name_ = std::move(name);
    seen_arc_ = false;
    first_ = true;
  }

  void NodeLine(const TextLine& line) {
    has_nodes_ = true;
    ++facts_.lines;
    if (too_large_) return;
    if (!line.problem.empty()) return Garbage(line, line.problem);
    std::string_view rest = Trim(line.text, kBlanks);
    if (rest.empty()) return;
    if (rest.front() == '#') {
      ++facts_.comments;
      return;
    }
    const bool first = std::exchange(first_, false);
    // With tabs the address is the second column, which may be empty.
    const size_t tab = line.text.find('\t');
    const auto id = ParseId(TakeField(&rest));
    if (!id && first && LooksLikeHeader(line.text)) {
      ++facts_.headers;
      return;
    }
    if (!id) return Garbage(line, "no id at the front");
    if (tab != line.text.npos) {
      rest = line.text.substr(tab + 1);
      rest = rest.substr(0, rest.find('\t'));
    }
    const size_t before = ids_.size();
    const uint32_t node = Node(*id);
    if (ids_.size() == before) {
      ++facts_.repeated_ids;
      return Problem(line, "id " + std::to_string(*id) + " came before");
    }
    urls_.resize(node + 1);
    urls_[node] = std::string(Trim(rest, kBlanks));
    url_bytes_ += 32 + urls_[node].size();
    given_ = ids_.size();
    CheckMemory();
  }

  void EdgeLine(const TextLine& line) {
    ++facts_.lines;
    if (!line.problem.empty()) return Garbage(line, line.problem);
    uint64_t from = 0, to = 0;
    switch (ParseArc(line.text, &from, &to)) {
      case LineKind::kEmpty:
        return;
      case LineKind::kComment:
        ++facts_.comments;
        return;
      case LineKind::kOther:
        if (std::exchange(first_, false) && !seen_arc_ &&
            LooksLikeHeader(line.text)) {
          ++facts_.headers;
          return;
        }
        return Garbage(line, "not two ids");
      case LineKind::kArc:
        break;
    }
    first_ = false;
    seen_arc_ = true;
    ++facts_.arcs;
    if (too_large_) return;
    const uint32_t a = Node(from), b = Node(to);
    if (has_nodes_ && (a >= given_ || b >= given_)) {
      ++facts_.dangling;
      Problem(line, "id " + std::to_string(a >= given_ ? from : to) +
                        " is not in the node file");
      if (!keep_dangling_) return;
    }
    arcs_.emplace_back(a, b);
    if ((arcs_.size() & 0xFFFF) == 0) CheckMemory();
  }

  Result<EdgeListGraph> Finish() {
    CheckMemory();
    if (too_large_) return TooLarge();
    if (facts_.arcs == 0) {
      return Fail(
          ErrorCode::kCorrupt, "no line is an arc", name_,
          "lines are two ids with a tab or spaces between; for pages give "
          "--graph-format pages");
    }
    facts_.dangling_ids = has_nodes_ ? ids_.size() - given_ : 0;
    size_t nodes = ids_.size();
    if (has_nodes_ && !keep_dangling_) nodes = given_;
    if (nodes == 0)
      return Fail(ErrorCode::kCorrupt, "the node file names no node", name_);
    return Ordered(nodes);
  }

 private:
  uint32_t Node(uint64_t id) {
    const auto [at, is_new] =
        numbers_.try_emplace(id, static_cast<uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(id);
    return at->second;
  }

  void Problem(const TextLine& line, const std::string& what) {
    if (facts_.problems.size() < kMostProblems) {
      facts_.problems.push_back(name_ + ":" + std::to_string(line.number) +
                                ": " + what);
    }
  }
  void Garbage(const TextLine& line, const std::string& what) {
    ++facts_.garbage;
    first_ = false;
    Problem(line, what);
  }

  uint64_t NeededBytes() const {
    return facts_.arcs * kArcBytes + ids_.size() * kNodeBytes + url_bytes_;
  }
  void CheckMemory() {
    const bool over = memory_bytes_ != 0 && NeededBytes() > memory_bytes_;
    if (!over && ids_.size() < UINT32_MAX) return;
    too_large_ = true;
    arcs_ = {};
  }
  tl::unexpected<Error> TooLarge() const {
    return Fail(
        ErrorCode::kMemory,
        "the graph of " + std::to_string(facts_.arcs) + " arcs and " +
            std::to_string(ids_.size()) + " nodes needs at least " +
            MegabytesUp(NeededBytes()),
        name_,
        memory_bytes_ != 0
            ? "give --memory " + MegabytesUp(NeededBytes() * 5 / 4) + " or more"
            : "at most 2^32 - 2 nodes fit");
  }

  Result<EdgeListGraph> Ordered(size_t nodes) {
    std::vector<uint32_t> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return ids_[a] < ids_[b]; });
    EdgeListGraph result;
    std::vector<uint32_t> rank(nodes);
    for (size_t i = 0; i < nodes; ++i) {
      rank[order[i]] = static_cast<uint32_t>(i);
      result.ids.push_back(ids_[order[i]]);
    }
    if (has_nodes_) {
      urls_.resize(nodes);
      for (const uint32_t node : order) {
        if (urls_[node].empty()) urls_[node] = std::to_string(ids_[node]);
        result.named.urls.push_back(std::move(urls_[node]));
      }
    }
    for (auto& [from, to] : arcs_) {
      from = rank[from];
      to = rank[to];
    }
    numbers_ = {};
    TWINSET_ASSIGN(
        result.named.graph,
        Graph::FromArcs(static_cast<uint32_t>(nodes), std::move(arcs_)));
    result.facts = std::move(facts_);
    return result;
  }

  const bool keep_dangling_;
  const uint64_t memory_bytes_;
  std::string name_;
  bool first_ = true;      // nothing but comments came yet
  bool seen_arc_ = false;  // in this file
  bool has_nodes_ = false, too_large_ = false;
  size_t given_ = 0;  // nodes of the node file, the first of ids_
  uint64_t url_bytes_ = 0;
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<uint64_t> ids_;
  std::vector<std::string> urls_;
  std::vector<std::pair<uint32_t, uint32_t>> arcs_;
  GraphFacts facts_;
};

}  // namespace

Result<EdgeListGraph> ReadEdgeList(const EdgeListOptions& options) {
  Builder builder(options.keep_dangling, options.memory_bytes);
  PassProgress progress(options.on_progress, "graph", "", "lines");
  if (!options.nodes.empty()) {
    builder.Begin(options.nodes);
    TWINSET_TRY(ForEachTextLine(options.nodes, [&](const TextLine& line) {
      progress.Add();
      builder.NodeLine(line);
      return true;
    }));
  }
  for (const std::string& path : options.edges) {
    builder.Begin(path);
    TWINSET_TRY(ForEachTextLine(path, [&](const TextLine& line) {
      progress.Add();
      builder.EdgeLine(line);
      return true;
    }));
  }
  return builder.Finish();
}

Result<EdgeListGraph> ReadEdgeListFromMemory(std::string edges,
                                             std::string nodes,
                                             bool keep_dangling) {
  Builder builder(keep_dangling, 0);
  if (!nodes.empty()) {
    builder.Begin("nodes");
    TWINSET_TRY(ForEachTextLineOf(std::move(nodes), [&](const TextLine& line) {
      builder.NodeLine(line);
      return true;
    }));
  }
  builder.Begin("edges");
  TWINSET_TRY(ForEachTextLineOf(std::move(edges), [&](const TextLine& line) {
    builder.EdgeLine(line);
    return true;
  }));
  return builder.Finish();
}

bool LooksLikeEdgeList(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  int lines = 0, arcs = 0;
  const auto take = [&](const TextLine& line) {
    uint64_t from = 0, to = 0;
    const LineKind kind = ParseArc(line.text, &from, &to);
    if (kind == LineKind::kComment || kind == LineKind::kEmpty)
      return ++lines < 1000;
    arcs += kind == LineKind::kArc;
    return kind == LineKind::kOther && ++lines < 8;
  };
  if (!ForEachTextLine(path, take)) {
    // In another coding it is an edge list that cannot be read, and no page.
    const auto head = HeadWithoutZeros(path);
    if (!head || !ForEachTextLineOf(*head, take)) return false;
  }
  return arcs > 0;
}

}  // namespace twinset
