// Blocks one after the other, in the order of the nodes.
#pragma once

#include <cstdint>
#include <cstring>

#include "hierarchical.hpp"

namespace wherry::collective::hierarchical {

inline void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// A list of blocks one after the other: two numbers for each, bytes and offset.
class line {
 public:
  explicit line(const levels& all) : figures_(all.pool()) {}
  void add(std::int64_t bytes) {
    figures_.push_back(bytes);
    figures_.push_back(whole_);
    whole_ += bytes;
  }
  std::int64_t whole() const { return whole_; }
  block_table at(std::byte* base) const { return {base, figures_.data()}; }

 private:
  scratch_list<std::int64_t> figures_;
  std::int64_t whole_ = 0;
};

/// Visits each rank of each node, node by node.
template <class Visit> void node_by_node(const levels& all, Visit&& visit) {
  for (int n = 0; n < all.nodes(); ++n)
    for (const int rank : all.members_of(n)) visit(n, rank);
}

/// Adds a block for each node: the blocks of its ranks.
inline void add_nodes(line& to, const levels& all, const block_table& of_ranks) {
  for (int n = 0; n < all.nodes(); ++n) {
    std::int64_t bytes = 0;
    for (const int rank : all.members_of(n)) bytes += of_ranks.bytes(rank);
    to.add(bytes);
  }
}
/// Adds a block for each rank of this node.
inline void add_members(line& to, const levels& all, const block_table& of_ranks) {
  for (const int rank : all.members_of(all.node())) to.add(of_ranks.bytes(rank));
}

/// Copies the blocks of the ranks to a line.
inline void line_up(const levels& all, const block_table& of_ranks, std::byte* to) {
  node_by_node(all, [&](int, int rank) {
    copy_bytes(to, of_ranks.at(rank), of_ranks.bytes(rank));
    to += of_ranks.bytes(rank);
  });
}
/// Copies the blocks of a line to those of the ranks.
inline void spread(const levels& all, const std::byte* from, const block_table& of_ranks) {
  node_by_node(all, [&](int, int rank) {
    copy_bytes(of_ranks.at(rank), from, of_ranks.bytes(rank));
    from += of_ranks.bytes(rank);
  });
}

}  // namespace wherry::collective::hierarchical
