#include "retrieval/duplicate_list.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/csv_row.h"
#include "base/json_text.h"
#include "twinset/json.h"

namespace twinset {

namespace {

// What other programs call the two documents of a pair.
struct PairNames {
  std::string_view a, b;
};
constexpr PairNames kPairNames[] = {{"a", "b"},
                                    {"id_a", "id_b"},
                                    {"firstId", "secondId"},
                                    {"first_id", "second_id"},
                                    {"id1", "id2"}};
constexpr std::string_view kSimilarities[] = {"similarity", "s3Score", "s3"};

class DuplicateParser {
 public:
  DuplicateParser(std::string name, const DuplicateReading& reading,
                  IdTable* ids, LineCounts* counts, DuplicateList* list)
      : name_(std::move(name)),
        log_(counts, reading.lines, "pair"),
        two_collections_(reading.two_collections),
        ids_(ids),
        list_(list) {}

  LineLog* log() { return &log_; }

  Status Take(std::string_view line, uint64_t number) {
    number_ = number;
    if (line.front() == '{') return TakeJson(line);
    return TakeRow(line);
  }

  void Finish() {
    for (std::vector<uint32_t>& group : clustered_) {
      KeepFirst(&group);
      if (group.size() > 1) list_->groups.push_back(std::move(group));
    }
  }

 private:
  Status LeaveOut(const std::string& reason, const std::string& what) {
    return log_.LeaveOut(reason, LineLog::Where(name_, number_), what);
  }

  Status AddPair(std::string_view a, std::string_view b, double similarity,
                 double grade, double label) {
    if (a.empty() || b.empty()) return LeaveOut("missing-id", "an id is empty");
    if (a == b && !two_collections_)
      return LeaveOut("same-id",
                      "a pair of " + std::string(a) + " with itself");
    ++log_.counts().used;
    list_->links.push_back(
        {ids_->NumberOf(a), ids_->NumberOf(b), similarity, grade, label});
    return {};
  }

  // Takes ids away that stand in front of themselves; whether there were any.
  static bool KeepFirst(std::vector<uint32_t>* group) {
    std::unordered_set<uint32_t> taken;
    return std::erase_if(*group, [&](uint32_t id) {
             return !taken.insert(id).second;
           }) > 0;
  }

  Status AddGroup(std::vector<uint32_t> group) {
    if (KeepFirst(&group))
      TWINSET_TRY(LeaveOut("repeated-id", "an id stands twice in its group"));
    if (group.size() < 2)
      return LeaveOut("small-group", "a group of fewer than two ids");
    ++log_.counts().used;
    list_->groups.push_back(std::move(group));
    return {};
  }

  Status AddMember(std::string_view id, std::string_view cluster) {
    if (id.empty()) return LeaveOut("missing-id", "an id is empty");
    const auto [place, is_new] =
        clusters_.emplace(ids_->NumberOf(cluster), clusters_.size());
    if (is_new) clustered_.emplace_back();
    ++log_.counts().used;
    clustered_[place->second].push_back(ids_->NumberOf(id));
    return {};
  }

  static bool IsScalar(const Json& value) {
    return value.is_number() || value.is_boolean();
  }

  // Returns true iff an id is a number or a truth value, as rows of documents
  // may have.
  static bool HasScalarIds(const Json& row) {
    for (const std::string_view name : {"ids", "equivalenceClass"})
      for (const Json& item : row[name])
        if (IsScalar(item.is_object() ? item["id"] : item)) return true;
    for (const PairNames& names : kPairNames)
      if (IsScalar(row[names.a]) || IsScalar(row[names.b])) return true;
    return IsScalar(row["id"]) || IsScalar(row["cluster"]);
  }

  Status TakeJson(std::string_view line) {
    const Json row = Json::Parse(line);
    if (!row.is_object()) return LeaveOut("bad-json", "the line is no object");
    if (!HasScalarIds(row)) return TakeObject(row, row);
    return TakeObject(row, Json::Parse(ScalarsAsText(line)));
  }

  // `texts`: the row with ids as strings.
  Status TakeObject(const Json& row, const Json& texts) {
    for (const std::string_view name : {"ids", "equivalenceClass"})
      if (row[name].is_array()) return TakeIds(texts[name]);
    for (const PairNames& names : kPairNames) {
      const std::string* a = texts[names.a].if_string();
      const std::string* b = texts[names.b].if_string();
      if (a == nullptr || b == nullptr) continue;
      double similarity = kUnsaid, grade = kUnsaid, label = kUnsaid;
      for (const std::string_view name : kSimilarities)
        row[name].get_to(similarity);
      row["grade"].get_to(grade);
      row["label"].get_to(label);
      return AddPair(*a, *b, similarity, grade, label);
    }
    const std::string* id = texts["id"].if_string();
    const std::string* cluster = texts["cluster"].if_string();
    if (id != nullptr && cluster != nullptr) return AddMember(*id, *cluster);
    std::string have;
    for (const auto& member : row.items())
      have += (have.empty() ? "" : ", ") + std::string(member.key);
    return LeaveOut("missing-columns",
                    "the row has neither a and b, nor ids, nor id and "
                    "cluster; it has " +
                        (have.empty() ? "nothing" : have));
  }

  Status TakeIds(const Json& ids) {
    std::vector<uint32_t> group;
    for (const Json& item : ids) {
      const std::string* id =
          item.is_object() ? item["id"].if_string() : item.if_string();
      if (id == nullptr || id->empty())
        return LeaveOut("missing-id", "an item of the group is no id");
      group.push_back(ids_->NumberOf(*id));
    }
    return AddGroup(std::move(group));
  }

  Status TakeRow(std::string_view line) {
    if (separator_ == 0) separator_ = line.find('\t') != line.npos ? '\t' : ',';
    fields_.clear();
    SplitCsvRow(line, separator_, &fields_);
    for (std::string& field : fields_) field = std::string(Trim(field));
    if (!started_) {
      started_ = true;
      if (TakeHeader()) return {};
    }
    if (a_ >= 0) return TakeNamed();
    while (!fields_.empty() && fields_.back().empty()) fields_.pop_back();
    if (fields_.size() < 2)
      return LeaveOut("missing-columns", "fewer than two ids");
    if (fields_.size() == 3) {
      if (const auto similarity = ParseFinite(fields_[2]))
        return AddPair(fields_[0], fields_[1], *similarity, kUnsaid, kUnsaid);
    }
    if (fields_.size() == 2)
      return AddPair(fields_[0], fields_[1], kUnsaid, kUnsaid, kUnsaid);
    std::vector<uint32_t> group;
    for (const std::string& id : fields_) {
      if (id.empty()) return LeaveOut("missing-id", "an id is empty");
      group.push_back(ids_->NumberOf(id));
    }
    return AddGroup(std::move(group));
  }

  // Returns true iff the fields are names of columns.
  bool TakeHeader() {
    // No name of a column is a number: "a b 0.9" is a pair.
    for (const std::string& field : fields_)
      if (ParseFinite(field)) return false;
    const auto at = [&](std::string_view name) {
      const auto found = std::find(fields_.begin(), fields_.end(), name);
      return found == fields_.end() ? -1
                                    : static_cast<int>(found - fields_.begin());
    };
    for (const PairNames& names : kPairNames) {
      if (at(names.a) < 0 || at(names.b) < 0) continue;
      a_ = at(names.a);
      b_ = at(names.b);
    }
    if (a_ < 0 && at("id") >= 0 && at("cluster") >= 0) {
      a_ = at("id");
      b_ = at("cluster");
      members_ = true;
    }
    for (const std::string_view name : kSimilarities)
      if (similarity_ < 0) similarity_ = at(name);
    grade_ = at("grade");
    label_ = at("label");
    return a_ >= 0;
  }

  Status TakeNamed() {
    if (fields_.size() <= static_cast<size_t>(std::max(a_, b_)))
      return LeaveOut(
          "missing-columns",
          "the row has only " + std::to_string(fields_.size()) + " fields");
    const auto number = [&](int place) {
      if (place < 0 || fields_.size() <= static_cast<size_t>(place))
        return kUnsaid;
      return ParseFinite(fields_[static_cast<size_t>(place)]).value_or(kUnsaid);
    };
    const std::string& a = fields_[static_cast<size_t>(a_)];
    const std::string& b = fields_[static_cast<size_t>(b_)];
    if (members_) return AddMember(a, b);
    return AddPair(a, b, number(similarity_), number(grade_), number(label_));
  }

  const std::string name_;
  LineLog log_;
  const bool two_collections_;
  IdTable* const ids_;
  DuplicateList* const list_;
  uint64_t number_ = 0;
  // State of tables.
  char separator_ = 0;
  bool started_ = false, members_ = false;
  int a_ = -1, b_ = -1, similarity_ = -1, grade_ = -1, label_ = -1;
  std::vector<std::string> fields_;
  // State of clusters, which come one member at a time.
  std::unordered_map<uint32_t, size_t> clusters_;
  std::vector<std::vector<uint32_t>> clustered_;
};

}  // namespace

Status ReadDuplicates(const StudyText& text, const DuplicateReading& reading,
                      IdTable* ids, LineCounts* counts, DuplicateList* list) {
  DuplicateParser parser(text.name, reading, ids, counts, list);
  TWINSET_TRY(ForEachStudyLine(text, parser.log(),
                               [&](std::string_view line, uint64_t number) {
                                 return parser.Take(line, number);
                               }));
  parser.Finish();
  return {};
}

Result<DuplicateList> ReadDuplicateFiles(const std::vector<std::string>& paths,
                                         const DuplicateReading& reading,
                                         IdTable* ids, LineCounts* counts) {
  DuplicateList list;
  for (const std::string& path : paths) {
    TWINSET_TRY(ReadDuplicates(path, reading, ids, counts, &list));
    TWINSET_TRY(CheckLastFile(*counts, "see docs/formats/qrels.md"));
  }
  return list;
}

std::string FirstIdOf(const DuplicateList& list, const IdTable& ids) {
  if (!list.links.empty()) return ids[list.links.front().a];
  return list.groups.empty() ? "" : ids[list.groups.front().front()];
}

DuplicateGraph::DuplicateGraph(const DuplicateList& list, size_t size)
    : list_(list), edges_(size), groups_(size) {
  for (uint32_t i = 0; i < list.links.size(); ++i) {
    const DuplicateLink& link = list.links[i];
    edges_[link.a].push_back({link.b, i});
    if (link.a != link.b) edges_[link.b].push_back({link.a, i});
  }
  for (uint32_t i = 0; i < list.groups.size(); ++i)
    for (const uint32_t id : list.groups[i]) groups_[id].push_back(i);
}

std::vector<uint32_t> DuplicateGraph::Components() const {
  std::vector<uint32_t> parent(edges_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](uint32_t id) {
    while (parent[id] != id) {
      parent[id] = parent[parent[id]];
      id = parent[id];
    }
    return id;
  };
  const auto join = [&](uint32_t a, uint32_t b) {
    a = root(a);
    b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  for (const DuplicateLink& link : list_.links) join(link.a, link.b);
  for (const auto& group : list_.groups)
    for (const uint32_t id : group) join(group.front(), id);
  for (uint32_t id = 0; id < parent.size(); ++id) parent[id] = root(id);
  return parent;
}

}  // namespace twinset
