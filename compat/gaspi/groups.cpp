// Groups of ranks.
#include <algorithm>
#include <memory>

#include "PGASPI.h"
#include "calls.hpp"
#include "members.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_group_create);
WHERRY_WEAK_NAME(gaspi_group_delete);
WHERRY_WEAK_NAME(gaspi_group_add);
WHERRY_WEAK_NAME(gaspi_group_commit);
WHERRY_WEAK_NAME(gaspi_group_num);
WHERRY_WEAK_NAME(gaspi_group_size);
WHERRY_WEAK_NAME(gaspi_group_ranks);
WHERRY_WEAK_NAME(gaspi_group_max);

namespace wherry::gaspi {
namespace {

gaspi_return_t no_group(std::string_view call, gaspi_group_t number) {
  return refuse(call, GASPI_ERR_INV_GROUP, detail::text("there is no group ", int{number}));
}

gaspi_number_t number_of_groups(const world& w) {
  return static_cast<gaspi_number_t>(
      std::count_if(w.groups.begin(), w.groups.end(), [](const auto& g) { return g != nullptr; }));
}

}  // namespace

group* find_group(world& w, gaspi_group_t number) {
  const std::lock_guard lock(w.guard);
  return w.groups[number].get();
}

group* committed(world& w, gaspi_group_t number) {
  auto* const g = find_group(w, number);
  return g != nullptr && g->ranks.committed() ? g : nullptr;
}

void make_group_of_all(world& w) {
  auto all = std::make_unique<group>(w.comm, w.config);
  for (int rank = 0; rank < w.comm.size(); ++rank) all->ranks.add(rank);
  all->ranks.commit();
  w.groups[GASPI_GROUP_ALL] = std::move(all);
}

}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_group_create(gaspi_group_t* const number) {
  constexpr auto call = "gaspi_group_create";
  return in_world(call, [&](world& w) {
    if (number == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'group' is null");
    const std::lock_guard lock(w.guard);
    const auto most = w.config.group_max;
    const auto free = std::find(w.groups.begin(), w.groups.end(), nullptr);
    if (number_of_groups(w) >= most || free == w.groups.end())
      return refuse(call, GASPI_ERR_MANY_GRP, text("there are already as many groups as 'group_max' allows: ", most));
    *free = std::make_unique<group>(w.comm, w.config);
    *number = static_cast<gaspi_group_t>(free - w.groups.begin());
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_group_delete(const gaspi_group_t number) {
  constexpr auto call = "gaspi_group_delete";
  return in_world(call, [&](world& w) {
    if (number == GASPI_GROUP_ALL) return refuse(call, GASPI_ERR_INV_GROUP, "GASPI_GROUP_ALL cannot be deleted");
    const std::lock_guard lock(w.guard);
    if (w.groups[number] == nullptr) return no_group(call, number);
    w.groups[number].reset();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_group_add(const gaspi_group_t number, const gaspi_rank_t rank) {
  constexpr auto call = "gaspi_group_add";
  return in_world(call, [&](world& w) {
    auto* const g = find_group(w, number);
    if (g == nullptr || g->is_closed) return no_group(call, number);
    const auto& there = g->ranks.ranks();
    if (!w.has_rank(rank) || std::find(there.begin(), there.end(), int{rank}) != there.end())
      return refuse(call, GASPI_ERR_INV_RANK,
                    text("'rank' is ", rank, ", which is not from 0 to ", w.size - 1, " or already in the group"));
    g->ranks.add(rank);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_group_commit(const gaspi_group_t number, const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_group_commit";
  return in_world(call, [&](world& w) {
    auto* const g = find_group(w, number);
    if (g == nullptr) return no_group(call, number);
    if (g->ranks.index() < 0) return refuse(call, GASPI_ERR_INV_GROUP, "this rank is not in the group");
    g->is_closed = true;
    return in_time(g->ranks.commit(seconds_of(timeout_ms)));
  });
}

gaspi_return_t pgaspi_group_num(gaspi_number_t* const group_num) {
  return answer("gaspi_group_num", group_num, [](world& w) {
    const std::lock_guard lock(w.guard);
    return number_of_groups(w);
  });
}

gaspi_return_t pgaspi_group_size(const gaspi_group_t number, gaspi_number_t* const group_size) {
  constexpr auto call = "gaspi_group_size";
  return in_world(call, [&](world& w) {
    if (group_size == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'group_size' is null");
    auto* const g = find_group(w, number);
    if (g == nullptr) return no_group(call, number);
    *group_size = static_cast<gaspi_number_t>(g->ranks.ranks().size());
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_group_ranks(const gaspi_group_t number, gaspi_rank_t* const group_ranks) {
  constexpr auto call = "gaspi_group_ranks";
  return in_world(call, [&](world& w) {
    if (group_ranks == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'group_ranks' is null");
    auto* const g = find_group(w, number);
    if (g == nullptr) return no_group(call, number);
    std::transform(g->ranks.ranks().begin(), g->ranks.ranks().end(), group_ranks,
                   [](int rank) { return static_cast<gaspi_rank_t>(rank); });
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_group_max(gaspi_number_t* const group_max) {
  return answer("gaspi_group_max", group_max, [](world& w) { return w.config.group_max; });
}
