#include <algorithm>
#include <array>
#include <cstdint>

#include "algorithm.hpp"
#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective {
namespace {

// A single rank has its own contribution as result, or nothing to do.
bool has_result_alone(pattern what) {
  return what != pattern::barrier && what != pattern::bcast && what != pattern::exscan;
}

}  // namespace

std::string_view name_of(pattern what) {
  static constexpr std::array<std::string_view, patterns> names{"barrier", "bcast",     "gather",    "scatter",
                                                                "reduce",  "allgather", "allreduce", "reduce_scatter",
                                                                "scan",    "exscan",    "alltoall"};
  return names[static_cast<std::size_t>(what)];
}

std::span<const algorithm> algorithms() {
  using namespace rows;
  static const std::array all{linear_barrier,
                              binomial_barrier,
                              recursive_doubling_barrier,
                              dissemination_barrier,
                              linear_bcast,
                              binomial_bcast,
                              scatter_allgather_bcast,
                              ring_bcast,
                              chain_bcast,
                              linear_gather,
                              binomial_gather,
                              linear_scatter,
                              binomial_scatter,
                              linear_reduce,
                              binomial_reduce,
                              rabenseifner_reduce,
                              chain_reduce,
                              linear_allgather,
                              recursive_doubling_allgather,
                              bruck_allgather,
                              ring_allgather,
                              neighbor_exchange_allgather,
                              linear_allreduce,
                              binomial_allreduce,
                              recursive_doubling_allreduce,
                              rabenseifner_allreduce,
                              ring_allreduce,
                              linear_reduce_scatter,
                              recursive_halving_reduce_scatter,
                              pairwise_reduce_scatter,
                              ring_reduce_scatter,
                              linear_scan,
                              recursive_doubling_scan,
                              chain_scan,
                              linear_exscan,
                              recursive_doubling_exscan,
                              linear_alltoall,
                              bruck_alltoall,
                              pairwise_alltoall};
  return all;
}

const algorithm* find(std::string_view name, pattern what) {
  const auto all = algorithms();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const algorithm& a) { return a.pattern == what && a.name == name; });
  return found == all.end() ? nullptr : &*found;
}

int algorithm::stages(const place& at) const {
  return at.size > 1 ? count_stages(at) : has_result_alone(pattern) ? 1 : 0;
}

void algorithm::make_stage(const place& at, int k, stage& into) const {
  into.clear();
  if (at.size > 1)
    fill(at, k, into);
  else
    into.receive(at.rank, arrival::store, all_of(blocks(at)));
}

block_range algorithm::held(const place& at) const {
  return held_by != nullptr && at.size > 1 ? held_by(at) : all_of(blocks(at));
}

void stage::add(const block_range& what) {
  if (what.count == 0) return;
  auto& to = last_->back();
  if (to.range_count > 0) {
    auto& before = ranges.back();
    if (before.where == what.where && before.first + before.count == what.first) {
      before.count += what.count;
      return;
    }
  }
  ranges.push_back(what);
  ++to.range_count;
}

void stage::add_around(std::int64_t first, int count, int blocks, buffer where) {
  const int begin = around(first, blocks), until_end = blocks - begin < count ? blocks - begin : count;
  add({begin, until_end, where});
  add({0, count - until_end, where});
}

}  // namespace wherry::collective
