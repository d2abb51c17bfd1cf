#include "web/graph_source.h"

#include "base/hash.h"

namespace twinset {

namespace {

// Uniform in [0, 1).
double Unit(uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

Status CheckNode(NodeId node, uint64_t nodes) {
  if (node < nodes) return {};
  return Fail(ErrorCode::kNotFound, "no node " + std::to_string(node));
}

}  // namespace

bool GraphSource::Indexed(NodeId node) const {
  return index_.pages >= 1 ||
         Unit(Mix64(Mix64(index_.seed) ^ (2 * node))) < index_.pages;
}

bool GraphSource::KnowsLink(NodeId from, NodeId to) const {
  if (!Indexed(from)) return false;
  return index_.links >= 1 ||
         Unit(Mix64(Mix64(Mix64(index_.seed) ^ (2 * from + 1)) ^ to)) <
             index_.links;
}

Result<std::vector<NodeId>> GraphSource::OutLinks(NodeId node) {
  TWINSET_TRY(CheckNode(node, nodes()));
  const auto links = graph_->graph.Out(static_cast<uint32_t>(node));
  return std::vector<NodeId>(links.begin(), links.end());
}

Result<std::vector<NodeId>> GraphSource::BackLinks(NodeId node) {
  TWINSET_TRY(CheckNode(node, nodes()));
  std::vector<NodeId> known;
  for (const uint32_t from : graph_->graph.In(static_cast<uint32_t>(node)))
    if (KnowsLink(from, node)) known.push_back(from);
  return known;
}

std::string GraphSource::Url(NodeId node) const {
  return graph_->Url(static_cast<uint32_t>(node));
}

}  // namespace twinset
