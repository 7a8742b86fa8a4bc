#include <cstdint>
#include <cstring>

#include "hierarchical_lines.hpp"

namespace wherry::collective::hierarchical {
namespace {

/// Vectors up to this size are sent in few messages, longer ones in few bytes.
constexpr std::int64_t few_messages = 16 << 10;

std::string_view algorithm_for(const dense_call& call, std::int64_t bytes, std::string_view short_one,
                               std::string_view long_one) {
  const auto* const how = find(long_one, call.what);
  const bool can = call.reduce.commutative() || !how->needs_commutative;
  return bytes > few_messages && can ? long_one : short_one;
}

}  // namespace

task reduce(invocation& call) {
  levels all(call, 1);
  all.root_speaks();
  const auto& d = call.dense;
  const auto bytes = d.count * d.reduce.element_bytes();
  auto here = all.within(pattern::reduce);
  scratch memory;
  here.input = d.input;
  here.output = d.is_root() ? d.output : block_table();
  if (all.speaks() && !d.is_root()) {
    memory = all.take(bytes);
    here.output = {memory.data(), bytes};
  }
  auto first = all.by_memory(here);
  co_await all_of(first);
  if (!all.speaks()) co_return;
  auto there = all.between(pattern::reduce);
  there.input = here.output;
  there.output = d.output;
  auto second = all.by_messages(algorithm_for(there, bytes, "binomial", "rabenseifner"), there);
  co_await all_of(second);
}

task allreduce(invocation& call) {
  levels all(call, 2);
  const auto& d = call.dense;
  auto here = all.within(pattern::reduce);
  here.input = d.input;
  here.output = d.output;
  auto first = all.by_memory(here);
  co_await all_of(first);
  if (all.speaks()) {
    auto there = all.between(pattern::allreduce);
    there.input = there.output = d.output;
    auto second = all.by_messages(
        algorithm_for(there, d.count * d.reduce.element_bytes(), "recursive_doubling", "rabenseifner"), there);
    co_await all_of(second);
  }
  auto told = all.within(pattern::bcast);
  told.input = told.output = d.output;
  auto third = all.by_memory(told);
  co_await all_of(third);
}

task reduce_scatter(invocation& call) {
  levels all(call, 2);
  const auto& d = call.dense;
  const auto element = d.reduce.element_bytes();
  // The blocks, node by node: all blocks of each node together, and those of this node's members.
  line of_nodes(all), of_members(all);
  add_nodes(of_nodes, all, d.input);
  add_members(of_members, all, d.input);
  const auto whole = of_nodes.whole();
  const auto mine = all.take(whole), reduced = all.take(whole);
  line_up(all, d.input, mine.data());
  auto here = all.within(pattern::reduce);
  here.count = whole / element;
  here.input = {mine.data(), whole};
  here.output = {reduced.data(), whole};
  auto first = all.by_memory(here);
  co_await all_of(first);
  const auto own = of_members.whole();
  auto* const of_node = mine.data();  // its old content has been read
  if (all.speaks()) {
    auto there = all.between(pattern::reduce_scatter);
    there.alike = false;
    there.count = own / element;
    there.input = of_nodes.at(reduced.data());
    there.output = {of_node, own};
    const auto* const how = find("pairwise", pattern::reduce_scatter);
    auto second = all.by_messages(how->needs_commutative && !d.reduce.commutative() ? "linear" : "pairwise", there);
    co_await all_of(second);
  }
  auto given = all.within(pattern::scatter);
  given.alike = false;
  given.input = of_members.at(of_node);
  given.output = d.output;
  auto third = all.by_memory(given);
  co_await all_of(third);
}

task scan(invocation& call) {
  const auto& d = call.dense;
  const bool exclusive = d.what == pattern::exscan;
  levels all(call, exclusive ? 3 : 2, levels::speaker::last);
  const auto bytes = d.count * d.reduce.element_bytes();
  const auto up_to_me = all.take(bytes), before_node = all.take(bytes);
  auto here = all.within(pattern::scan);
  here.input = d.input;
  here.output = {up_to_me.data(), bytes};
  auto first = all.by_memory(here);
  co_await all_of(first);
  const bool has_before = here.rank > 0;
  if (exclusive) {
    auto without_me = all.within(pattern::exscan);
    without_me.input = d.input;
    without_me.output = d.output;
    auto again = all.by_memory(without_me);
    co_await all_of(again);
  }
  if (all.speaks()) {
    auto there = all.between(pattern::exscan);
    there.input = {up_to_me.data(), bytes};
    there.output = {before_node.data(), bytes};
    auto second = all.by_messages("recursive_doubling", there);
    co_await all_of(second);
  }
  auto told = all.within(pattern::bcast);
  told.input = told.output = {before_node.data(), all.node() > 0 ? bytes : 0};
  auto third = all.by_memory(told);
  co_await all_of(third);

  const auto copy = [&](const scratch& from) {
    if (bytes > 0) std::memcpy(d.output.at(0), from.data(), static_cast<std::size_t>(bytes));
  };
  if (all.node() == 0) {
    if (!exclusive) copy(up_to_me);
  } else if (exclusive && !has_before) {
    copy(before_node);
  } else {
    d.reduce.combine(d.output.at(0), before_node.data(), exclusive ? d.output.at(0) : up_to_me.data(), d.count);
  }
}

}  // namespace wherry::collective::hierarchical
