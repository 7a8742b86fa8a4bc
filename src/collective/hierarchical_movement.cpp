#include <algorithm>
#include <cstdint>

#include "wherry/core/error.hpp"

#include "hierarchical_lines.hpp"

namespace wherry::collective::hierarchical {
namespace {

/// The limits between algorithms among nodes, in bytes:
constexpr std::int64_t few_messages_of_bcast = 64 << 10;     ///< of the vector; above it, few bytes matter more
constexpr std::int64_t few_rounds_of_allgather = 512 << 10;  ///< of all nodes; above it, a ring
constexpr std::int64_t few_messages_of_one_root = 4 << 10;   ///< of one node's data
constexpr std::int64_t few_rounds_of_alltoall = 256;  ///< from one node to another; up to it, by way of other nodes
constexpr std::int64_t all_at_once_of_alltoall = 32 << 10;  ///< above it, one node after the other

using bytes_list = scratch_list<std::int64_t>;

/// True if all nodes have equally much, so that a node that passes on the data of others knows its size.
bool nodes_alike(const levels& all, const dense_call& d) {
  return d.alike && all.fewest_members() == all.most_members();
}

/// The algorithm to or from one root.
std::string_view algorithm_of_one_root(bool alike, std::int64_t bytes_of_node) {
  return alike && bytes_of_node <= few_messages_of_one_root ? "binomial" : "linear";
}

std::string_view algorithm_of_alltoall(const levels& all, const dense_call& d) {
  if (!d.alike) return "pairwise";  // a rank does not know the sizes of others
  const auto most = d.output.bytes(0) * all.most_members() * all.most_members();
  if (nodes_alike(all, d) && most <= few_rounds_of_alltoall) return "bruck";
  return most <= all_at_once_of_alltoall ? "linear" : "pairwise";
}

/// Checks that a rank sends as many bytes as the other one expects. (Between nodes only the sums are compared, by the
/// messages.)
void compare_pair(const invocation& call, int from, std::int64_t sent, int to, std::int64_t expected) {
  if (sent == expected) return;
  throw error(error_kind::mismatch, name_of(call.users.kind),
              wherry::detail::text("rank ", from, " sends ", sent, " bytes to rank ", to, ", which expects ", expected),
              call.on.comm.rank(), {from, to});
}

/// Tells the speaker the bytes of this node's members, which only the members know.
task tell_sizes(levels& all, std::int64_t& mine, bytes_list& sizes) {
  auto told = all.within(pattern::gather);
  told.input = {reinterpret_cast<std::byte*>(&mine), sizeof mine};
  told.output = {reinterpret_cast<std::byte*>(sizes.data()), sizeof mine};
  auto telling = all.by_memory(told);
  co_await all_of(telling);
}

}  // namespace

task bcast(invocation& call) {
  levels all(call, 1);
  all.root_speaks();
  const auto& d = call.dense;
  if (all.speaks()) {
    auto there = all.between(pattern::bcast);
    there.input = there.output = d.output;
    auto first = all.by_messages(d.output.bytes(0) > few_messages_of_bcast ? "scatter_allgather" : "binomial", there);
    co_await all_of(first);
  }
  auto here = all.within(pattern::bcast);
  here.input = here.output = d.output;
  auto second = all.by_memory(here);
  co_await all_of(second);
}

task gather(invocation& call) {
  const auto& d = call.dense;
  levels all(call, d.alike ? 1 : 2);
  all.root_speaks();
  auto mine = d.input.bytes(0);
  bytes_list sizes(all.pool(), static_cast<std::size_t>(all.members()), mine);
  if (!d.alike) {
    auto first = tell_sizes(all, mine, sizes);
    co_await all_of(first);
  }
  if (d.is_root())
    for (std::size_t m = 0; m < sizes.size(); ++m) {
      const int rank = all.members_of(all.node())[m];
      compare_pair(call, rank, d.alike ? d.output.bytes(rank) : sizes[m], d.root, d.output.bytes(rank));
    }
  line of_members(all);
  for (const auto bytes : sizes) of_members.add(bytes);
  scratch node_data;
  auto here = all.within(pattern::gather);
  here.alike = d.alike;
  here.input = d.input;
  if (all.speaks()) {
    node_data = all.take(of_members.whole());
    here.output = of_members.at(node_data.data());
  }
  auto second = all.by_memory(here);
  co_await all_of(second);
  if (!all.speaks()) co_return;

  line of_nodes(all);
  scratch all_data;
  auto there = all.between(pattern::gather);
  there.alike = nodes_alike(all, d);
  there.input = {node_data.data(), of_members.whole()};
  if (d.is_root()) {
    add_nodes(of_nodes, all, d.output);
    all_data = all.take(of_nodes.whole());
    there.output = of_nodes.at(all_data.data());
  }
  auto third = all.by_messages(algorithm_of_one_root(there.alike, of_members.whole()), there);
  co_await all_of(third);
  if (d.is_root()) spread(all, all_data.data(), d.output);
}

task scatter(invocation& call) {
  const auto& d = call.dense;
  levels all(call, d.alike ? 1 : 2);
  all.root_speaks();
  auto mine = d.output.bytes(0);
  bytes_list sizes(all.pool(), static_cast<std::size_t>(all.members()), mine);
  if (!d.alike) {
    auto first = tell_sizes(all, mine, sizes);
    co_await all_of(first);
  }
  if (d.is_root())
    for (std::size_t m = 0; m < sizes.size(); ++m) {
      const int rank = all.members_of(all.node())[m];
      compare_pair(call, d.root, d.input.bytes(rank), rank, d.alike ? d.input.bytes(rank) : sizes[m]);
    }
  line of_members(all);
  for (const auto bytes : sizes) of_members.add(bytes);
  scratch node_data, all_data;
  auto here = all.within(pattern::scatter);
  here.alike = d.alike;
  here.output = d.output;
  if (all.speaks()) {
    node_data = all.take(of_members.whole());
    here.input = of_members.at(node_data.data());
    line of_nodes(all);
    auto there = all.between(pattern::scatter);
    there.alike = nodes_alike(all, d);
    there.output = {node_data.data(), of_members.whole()};
    if (d.is_root()) {
      add_nodes(of_nodes, all, d.input);
      all_data = all.take(of_nodes.whole());
      line_up(all, d.input, all_data.data());
      there.input = of_nodes.at(all_data.data());
    }
    auto second = all.by_messages(algorithm_of_one_root(there.alike, of_members.whole()), there);
    co_await all_of(second);
  }
  auto third = all.by_memory(here);
  co_await all_of(third);
}

task allgather(invocation& call) {
  const auto& d = call.dense;
  levels all(call, 2);
  line of_members(all), of_nodes(all);
  add_members(of_members, all, d.output);
  add_nodes(of_nodes, all, d.output);
  // If the order of the ranks by node is that of the result, the data arrives there directly.
  const bool at_once = call.on.nodes.consecutive && d.output.alike();
  scratch memory;
  if (!at_once) memory = all.take(of_nodes.whole());
  auto* const data = at_once ? d.output.at(0) : memory.data();
  auto* const own_node = of_nodes.at(data).at(all.node());

  auto here = all.within(pattern::gather);
  here.alike = d.alike;
  here.input = d.input;
  here.output = of_members.at(own_node);
  auto first = all.by_memory(here);
  co_await all_of(first);
  if (all.speaks()) {
    auto there = all.between(pattern::allgather);
    there.alike = false;
    there.input = {own_node, of_members.whole()};
    there.output = of_nodes.at(data);
    auto second = all.by_messages(of_nodes.whole() <= few_rounds_of_allgather ? "bruck" : "ring", there);
    co_await all_of(second);
  }
  auto told = all.within(pattern::bcast);
  told.input = told.output = {data, of_nodes.whole()};
  auto third = all.by_memory(told);
  co_await all_of(third);
  if (!at_once) spread(all, data, d.output);
}

task alltoall(invocation& call) {
  const auto& d = call.dense;
  levels all(call, d.alike ? 2 : 3);
  const auto members = static_cast<std::size_t>(all.members()), ranks = static_cast<std::size_t>(d.size);
  // The bytes that each member sends to, and gets from, the ranks, node by node: [member][2 * place], and + 1.
  bytes_list mine(all.pool()), figures(all.pool(), members * 2 * ranks, 0);
  std::int64_t leaving = 0, arriving = 0;
  node_by_node(all, [&](int, int rank) {
    mine.push_back(d.input.bytes(rank));
    mine.push_back(d.output.bytes(rank));
    leaving += d.input.bytes(rank);
    arriving += d.output.bytes(rank);
  });
  if (d.alike) {
    for (std::size_t m = 0; m < members; ++m) std::copy(mine.begin(), mine.end(), figures.begin() + m * mine.size());
  } else {
    const auto bytes = static_cast<std::int64_t>(mine.size() * sizeof mine[0]);
    auto told = all.within(pattern::gather);
    told.input = {reinterpret_cast<std::byte*>(mine.data()), bytes};
    told.output = {reinterpret_cast<std::byte*>(figures.data()), bytes};
    auto first = all.by_memory(told);
    co_await all_of(first);
  }
  const auto sent = [&](std::size_t member, std::size_t place) { return figures[(member * ranks + place) * 2]; };
  const auto got = [&](std::size_t member, std::size_t place) { return figures[(member * ranks + place) * 2 + 1]; };

  std::size_t first_here = 0;
  for (int n = 0; n < all.node(); ++n) first_here += all.members_of(n).size();
  const auto here_ranks = all.members_of(all.node());
  for (std::size_t m = 0; all.speaks() && !d.alike && m < members; ++m)
    for (std::size_t to = 0; to < members; ++to)
      compare_pair(call, here_ranks[m], sent(m, first_here + to), here_ranks[to], got(to, first_here + m));

  const auto my_leaving = all.take(leaving), my_arriving = all.take(arriving);
  line_up(all, d.input, my_leaving.data());

  line from_members(all), to_members(all);
  if (all.speaks())
    for (std::size_t m = 0; m < members; ++m) {
      std::int64_t out = 0, in = 0;
      for (std::size_t p = 0; p < ranks; ++p) out += sent(m, p), in += got(m, p);
      from_members.add(out);
      to_members.add(in);
    }
  const auto collected = all.take(from_members.whole()), given = all.take(to_members.whole());
  auto up = all.within(pattern::gather);
  up.alike = d.alike;
  up.input = {my_leaving.data(), leaving};
  up.output = from_members.at(collected.data());
  auto second = all.by_memory(up);
  co_await all_of(second);

  const auto to_nodes_data = all.take(from_members.whole()), from_nodes_data = all.take(to_members.whole());
  if (all.speaks()) {
    // For each other node: the data from each member here to each member there.
    line to_nodes(all), from_nodes(all);
    scratch_list<std::byte*> next_of_member(all.pool());
    for (std::size_t m = 0; m < members; ++m) next_of_member.push_back(up.output.at(static_cast<int>(m)));
    auto* to = to_nodes_data.data();
    std::size_t first_place = 0;
    for (int n = 0; n < all.nodes(); ++n) {
      const auto there = all.members_of(n).size();
      std::int64_t out = 0, in = 0;
      for (std::size_t m = 0; m < members; ++m)
        for (std::size_t p = first_place; p < first_place + there; ++p) {
          copy_bytes(to, next_of_member[m], sent(m, p));
          to += sent(m, p);
          next_of_member[m] += sent(m, p);
          out += sent(m, p);
          in += got(m, p);
        }
      to_nodes.add(out);
      from_nodes.add(in);
      first_place += there;
    }
    auto between = all.between(pattern::alltoall);
    between.alike = nodes_alike(all, d);
    between.input = to_nodes.at(to_nodes_data.data());
    between.output = from_nodes.at(from_nodes_data.data());
    auto third = all.by_messages(algorithm_of_alltoall(all, d), between);
    co_await all_of(third);
    // From each node: the data from each member there to each member here.
    scratch_list<std::byte*> next(all.pool());
    for (std::size_t m = 0; m < members; ++m) next.push_back(to_members.at(given.data()).at(static_cast<int>(m)));
    const auto* from = from_nodes_data.data();
    for (std::size_t p = 0; p < ranks; ++p)
      for (std::size_t m = 0; m < members; ++m) {
        copy_bytes(next[m], from, got(m, p));
        from += got(m, p);
        next[m] += got(m, p);
      }
  }
  auto down = all.within(pattern::scatter);
  down.alike = false;
  down.input = to_members.at(given.data());
  down.output = {my_arriving.data(), arriving};
  auto fourth = all.by_memory(down);
  co_await all_of(fourth);
  spread(all, my_arriving.data(), d.output);
}

}  // namespace wherry::collective::hierarchical
