#include "wherry/c/floor_plans.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/motion/balance.hpp"
#include "wherry/motion/decompose.hpp"
#include "wherry/motion/resolve.hpp"

#include "blocks.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

using made_plan = std::shared_ptr<floor_plan_object>;

/// Runs a local call that makes a floor plan of a box.
template <class Make>
wherry_status plan_of_box(const wherry_box& cells, wherry_floor_plan* result, std::string_view where,
                          Make&& make) noexcept {
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_dimensions_of(cells, where, "cells", [&]<int N>() { return new_plan<N>(make(box_of<N>(cells))); });
  });
}
/// Runs a local call that makes a floor plan of another.
template <class Make>
wherry_status plan_of_plan(wherry_floor_plan plan, wherry_floor_plan* result, std::string_view where,
                           std::string_view argument, Make&& make) noexcept {
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_plan(plan, where, argument,
                     [&]<int N>(const wherry::floor_plan<N>& one) { return new_plan<N>(make(one)); });
  });
}
wherry::owner_map owners_of(int count, const int* owners, std::string_view where, std::string_view argument) {
  if (owners == nullptr) return {};
  const auto list = list_of(owners, count, where, argument);
  return {list.begin(), list.end()};
}
std::vector<double> weights_of(int count, const double* weights, std::string_view where, std::string_view argument) {
  if (weights == nullptr) return {};
  const auto list = list_of(weights, count, where, argument);
  return {list.begin(), list.end()};
}

template <class Options> wherry::balance_options balance_of(const Options& options, std::string_view where) {
  wherry::balance_options result;
  result.weights = weights_of(options.weight_count, options.weights, where, "options.weights");
  switch (options.method) {
    case WHERRY_ASSIGN_HILBERT:
      result.method = wherry::assignment::along_hilbert_curve;
      return result;
    case WHERRY_ASSIGN_MORTON:
      result.method = wherry::assignment::along_morton_curve;
      return result;
    case WHERRY_ASSIGN_ROUND_ROBIN:
      result.method = wherry::assignment::round_robin;
      return result;
    case WHERRY_ASSIGN_HEAVIEST_FIRST:
      result.method = wherry::assignment::heaviest_first;
      return result;
    case WHERRY_ASSIGN_IN_ORDER:
      result.method = wherry::assignment::in_order;
      return result;
  }
  refuse(where, "'options.method' is ", options.method, ", which does not exist");
}

void give_owners(const wherry::owner_map& made, int* owners, std::string_view where) {
  if (!made.empty()) require_result(owners, where, "owners");
  std::copy(made.begin(), made.end(), owners);
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_floor_plan_create(int dimensions, int box_count, const wherry_box* boxes, const int* owners,
                                       wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
      const auto ranks = list_of(owners, box_count, where, "owners");
      return new_plan<N>(
          {boxes_in<N>(boxes, box_count, where, "boxes"), wherry::owner_map(ranks.begin(), ranks.end())});
    });
  });
}
wherry_status wherry_floor_plan_create_partial(int dimensions, int total, int box_count, const int* numbers,
                                               const wherry_box* boxes, const int* owners, wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_create_partial";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    if (total < 0) refuse(where, "'total' is ", total);
    return with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
      const auto ranks = list_of(owners, box_count, where, "owners");
      const auto places = list_of(numbers, box_count, where, "numbers");
      return new_plan<N>({total, std::vector<int>(places.begin(), places.end()),
                          boxes_in<N>(boxes, box_count, where, "boxes"),
                          wherry::owner_map(ranks.begin(), ranks.end())});
    });
  });
}
wherry_status wherry_floor_plan_create_distributed(wherry_communicator comm, int dimensions, int box_count,
                                                   const wherry_box* boxes, const wherry_widths* reach,
                                                   const wherry_domain* space, wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_create_distributed";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::function<made_plan()> make;
    const auto check = [&] {
      require_result(result, where, "result");
      with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
        make = [&ours, reach, mine = boxes_in<N>(boxes, box_count, where, "boxes"),
                cells = domain_in<N>(space, where)] {
          const auto made = wherry::distributed_floor_plan<N>(ours, mine);
          return new_plan<N>(reach == nullptr ? made : wherry::resolve(ours, made, widths_in<N>(reach), cells));
        };
      });
    };
    wherry::detail::collectively(ours, where, check,
                                 2 * static_cast<std::uint32_t>(dimensions) + (reach != nullptr ? 1 : 0),
                                 "ranks disagree in 'dimensions', or in whether there is a 'reach'");
    return make();
  });
}
wherry_status wherry_floor_plan_free(wherry_floor_plan* plan) {
  constexpr auto where = "wherry_floor_plan_free";
  return guarded(where, [&] { free_handle<floor_plan_object>(plan, where, "plan"); });
}

wherry_status wherry_floor_plan_decompose(wherry_box cells, int ranks, const wherry_decompose_options* options,
                                          wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_decompose";
  return plan_of_box(cells, result, where, [&]<int N>(const wherry::box<N>& whole) {
    const auto given = options_of(options, where);
    wherry::decompose_options<N> how;
    how.largest = point_of<N>(given.largest);
    how.multiple_of = point_of<N>(given.multiple_of);
    for (auto& multiple : how.multiple_of)
      if (multiple == 0) multiple = 1;
    how.owners = balance_of(given, where);
    return wherry::decompose(whole, ranks, how);
  });
}
wherry_status wherry_floor_plan_even_blocks(wherry_box cells, const int64_t* pieces, int owner_count, const int* owners,
                                            wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_even_blocks";
  return plan_of_box(cells, result, where, [&]<int N>(const wherry::box<N>& whole) {
    return wherry::even_blocks<N>(whole, point_in<N>(pieces, where, "pieces"),
                                  owners_of(owner_count, owners, where, "owners"));
  });
}
wherry_status wherry_floor_plan_cut_blocks(int dimensions, const int* cut_counts, const int64_t* const* cuts,
                                           int owner_count, const int* owners, wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_cut_blocks";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    require_result(cut_counts, where, "cut_counts");
    require_result(cuts, where, "cuts");
    return with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
      wherry::block_cuts<N> all;
      for (std::size_t d = 0; d < N; ++d) {
        const auto along = list_of(cuts[d], cut_counts[d], where, "cuts");
        all[d].assign(along.begin(), along.end());
      }
      return new_plan<N>(wherry::cut_blocks<N>(all, owners_of(owner_count, owners, where, "owners")));
    });
  });
}
wherry_status wherry_floor_plan_block_cyclic(wherry_box cells, const int64_t* block, const int64_t* process_grid,
                                             int rank_count, const int* ranks, wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_block_cyclic";
  return plan_of_box(cells, result, where, [&]<int N>(const wherry::box<N>& whole) {
    return wherry::block_cyclic<N>(whole, point_in<N>(block, where, "block"),
                                   point_in<N>(process_grid, where, "process_grid"),
                                   owners_of(rank_count, ranks, where, "ranks"));
  });
}
wherry_status wherry_floor_plan_bisected_blocks(wherry_box cells, int ranks, wherry_floor_plan* result) {
  return plan_of_box(cells, result, "wherry_floor_plan_bisected_blocks",
                     [&](const auto& whole) { return wherry::bisected_blocks(whole, ranks); });
}
wherry_status wherry_floor_plan_balance(wherry_floor_plan plan, int ranks, const wherry_balance_options* options,
                                        wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_balance";
  return plan_of_plan(plan, result, where, "plan", [&](const auto& one) {
    return wherry::balance(one, ranks, balance_of(options_of(options, where), where));
  });
}
wherry_status wherry_floor_plan_loads(wherry_floor_plan plan, int ranks, int weight_count, const double* weights,
                                      double* loads, double* imbalance) {
  constexpr auto where = "wherry_floor_plan_loads";
  return ask_plan(plan, where, [&](const auto& one) {
    const auto known = wherry::loads_of(one, ranks, weights_of(weight_count, weights, where, "weights"));
    if (loads != nullptr) std::copy(known.loads.begin(), known.loads.end(), loads);
    if (imbalance != nullptr) *imbalance = known.imbalance();
  });
}
wherry_status wherry_owners_round_robin(int box_count, int ranks, int* owners) {
  constexpr auto where = "wherry_owners_round_robin";
  return guarded(where, [&] { give_owners(wherry::round_robin(box_count, ranks), owners, where); });
}
wherry_status wherry_owners_row_major(int dimensions, const int64_t* process_grid, int* owners) {
  constexpr auto where = "wherry_owners_row_major";
  return guarded(where, [&] {
    with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
      give_owners(wherry::row_major<N>(point_in<N>(process_grid, where, "process_grid")), owners, where);
    });
  });
}
wherry_status wherry_owners_heaviest_first(int box_count, const double* weights, int ranks, int* owners) {
  constexpr auto where = "wherry_owners_heaviest_first";
  return guarded(where, [&] {
    give_owners(wherry::heaviest_first(list_of(weights, box_count, where, "weights"), ranks), owners, where);
  });
}

wherry_status wherry_floor_plan_resolve(wherry_communicator comm, wherry_floor_plan plan, const wherry_widths* reach,
                                        const wherry_domain* space, wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_resolve";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    floor_plan_object* given = nullptr;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      require_result(reach, where, "reach");
      given = &object_of<floor_plan_object>(plan, where, "plan");
      std::visit([&]<int N>(const wherry::floor_plan<N>&) { domain_in<N>(space, where); }, given->plan);
    });
    return std::visit(
        [&]<int N>(const wherry::floor_plan<N>& one) {
          return new_plan<N>(wherry::resolve(ours, one, widths_in<N>(reach), domain_in<N>(space, where)));
        },
        given->plan);
  });
}
wherry_status wherry_floor_plan_resolve_pair(wherry_communicator comm, wherry_floor_plan from, const int* on_planes,
                                             wherry_floor_plan to, const wherry_domain* space,
                                             wherry_floor_plan* from_result, wherry_floor_plan* to_result) {
  constexpr auto where = "wherry_floor_plan_resolve_pair";
  return guarded(where, [&] {
    if (from_result != nullptr) *from_result = nullptr;
    if (to_result != nullptr) *to_result = nullptr;
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    floor_plan_object* given = nullptr;
    wherry::detail::collectively(ours, where, [&] {
      require_result(from_result, where, "from_result");
      require_result(to_result, where, "to_result");
      given = &object_of<floor_plan_object>(from, where, "from");
      std::visit(
          [&]<int N>(const wherry::floor_plan<N>&) {
            plan_in<N>(to, where, "to");
            domain_in<N>(space, where);
          },
          given->plan);
    });
    std::visit(
        [&]<int N>(const wherry::floor_plan<N>& one) {
          auto both = wherry::resolve(ours, one, centring_in<N>(on_planes), plan_in<N>(to, where, "to"),
                                      domain_in<N>(space, where));
          auto second = new_plan<N>(both.to);
          *from_result = new_handle<wherry_floor_plan>(new_plan<N>(both.from));
          *to_result = new_handle<wherry_floor_plan>(std::move(second));
        },
        given->plan);
  });
}

wherry_status wherry_floor_plan_values(wherry_floor_plan plan, const int* on_planes, wherry_floor_plan* result) {
  return plan_of_plan(plan, result, "wherry_floor_plan_values", "plan", [&]<int N>(const wherry::floor_plan<N>& one) {
    return wherry::values_of(one, centring_in<N>(on_planes));
  });
}
wherry_status wherry_floor_plan_coarsened(wherry_floor_plan fine, const int64_t* ratio, int64_t reach,
                                          wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_coarsened";
  return plan_of_plan(fine, result, where, "fine", [&]<int N>(const wherry::floor_plan<N>& one) {
    return wherry::coarsened<N>(one, point_in<N>(ratio, where, "ratio"), reach);
  });
}
wherry_status wherry_floor_plan_transformed(wherry_floor_plan plan, wherry_change_box change, void* context,
                                            wherry_floor_plan* result) {
  constexpr auto where = "wherry_floor_plan_transformed";
  return plan_of_plan(plan, result, where, "plan", [&]<int N>(const wherry::floor_plan<N>& one) {
    if (change == nullptr) refuse(where, "'change' is NULL");
    return one.transformed([&](const wherry::box<N>& cells) {
      auto changed = box_of<N>(cells);
      if (const int failure = call_program(change, &changed, context); failure != 0)
        throw wherry::error(wherry::error_kind::resource, where, wherry::detail::text("'change' returned ", failure));
      return box_in<N>(changed, where, "box");
    });
  });
}
wherry_status wherry_floor_plan_add(wherry_floor_plan plan, wherry_box box, int owner) {
  constexpr auto where = "wherry_floor_plan_add";
  return ask_plan(plan, where, [&]<int N>(wherry::floor_plan<N>& one) {
    refuse_in_program_function(where);
    one.add(box_in<N>(box, where, "box"), owner);
  });
}
}
