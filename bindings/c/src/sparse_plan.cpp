#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "wherry/c/sparse.h"
#include "wherry/sparse/plan.hpp"

#include "convert.hpp"
#include "objects.hpp"
#include "sparse_lists.hpp"

namespace wherry_c {

struct sparse_plan_object {
  wherry::communicator comm;
  wherry::detail::sparse_pattern pattern;
  std::vector<std::int64_t> offsets;
};
template <> inline constexpr kind kind_of<sparse_plan_object> = kind::sparse_plan;

namespace {

/// The exchange of a plan as one of the patterns that are bound.
struct plan_exchange : wherry::bound_pattern {
  explicit plan_exchange(wherry::exchange bound) : bound_pattern(std::move(bound)) {}
};

sparse_plan_object& plan_of(wherry_sparse_plan plan, std::string_view where) {
  return object_of<sparse_plan_object>(plan, where, "plan");
}

/// @throws error(argument) for an array that has not `count` elements side by side in memory of the host
element elements_of(const wherry_view& array, std::size_t count, std::string_view where, std::string_view argument) {
  static std::byte nowhere;
  auto checked = array;
  if (checked.data == nullptr) checked.data = &nowhere;  // it may come with a start
  check_view(checked, 1, where, argument);
  if (space_of(array, where, argument) != wherry::memory_space::host)
    refuse(where, argument, " is in memory of an accelerator, expected memory of the host");
  if (array.extents[0] != static_cast<std::int64_t>(count))
    refuse(where, argument, " has ", array.extents[0], " elements, expected ", count);
  if (array.extents[0] > 1 && array.strides[0] != 1)
    refuse(where, argument, " has the stride ", array.strides[0], ", expected 1");
  return element_of(array.type, array.components, where, argument);
}

/// Binds an exchange along a plan, or back.
wherry_status bind(wherry_sparse_plan plan, bool back, const wherry_view& out, const wherry_view& in,
                   const wherry_sparse_plan_options* options, wherry_exchange* result,
                   std::string_view where) noexcept {
  return creating(result, where, [&] {
    const auto& ours = plan_of(plan, where);
    const auto& pattern = ours.pattern;
    const auto leaving = back ? pattern.arriving : pattern.destinations.size();
    const auto coming = back ? pattern.destinations.size() : pattern.arriving;
    element each;
    wherry::carry_options carry;
    wherry::detail::collectively(ours.comm, where, [&] {
      require_result(result, where, "result");
      each = elements_of(out, leaving, where, back ? "'replies'" : "'values'");
      const auto arriving = elements_of(in, coming, where, back ? "'answers'" : "'arrived'");
      if (each.type != arriving.type || each.bytes != arriving.bytes)
        refuse(where, "elements that leave and elements that arrive have different types");
      carry = carry_of(options_of(options, where).carry, where);
    });
    auto bound = std::make_shared<exchange_object>(exchange_object{
        .pattern = std::make_shared<plan_exchange>(wherry::detail::bind_pattern(
            ours.comm, pattern, back, {each.type, static_cast<std::size_t>(each.bytes)}, carry)),
        .arrays = 2,
        .fields = {{.array = 0, .may_be_null = leaving == 0}, {.array = 1, .may_be_null = coming == 0}}});
    void* const arrays[] = {out.data, in.data};
    if ((out.data != nullptr || leaving == 0) && (in.data != nullptr || coming == 0))
      bound->pattern->bound().set_fields(bound->addresses(arrays));
    return bound;
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_sparse_plan_create(wherry_communicator comm, int64_t count, const int* destinations,
                                        const wherry_sparse_options* options, wherry_sparse_plan* result) {
  constexpr auto where = "wherry_sparse_plan_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::span<const int> to;
    wherry::sparse_options how;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      to = list_of(destinations, count, where, "destinations");
      read_sparse_options(options, where, how);
    });
    auto pattern = wherry::detail::find_pattern(ours, to, how);
    auto offsets = ends_of(pattern.offsets, pattern.arriving);
    return std::make_shared<sparse_plan_object>(ours, std::move(pattern), std::move(offsets));
  });
}
wherry_status wherry_sparse_plan_arriving(wherry_sparse_plan plan, int64_t* count) {
  constexpr auto where = "wherry_sparse_plan_arriving";
  return guarded(where, [&] {
    const auto& ours = plan_of(plan, where);
    require_result(count, where, "count");
    *count = static_cast<int64_t>(ours.pattern.arriving);
  });
}
wherry_status wherry_sparse_plan_sources(wherry_sparse_plan plan, const int** ranks, int* count) {
  constexpr auto where = "wherry_sparse_plan_sources";
  return guarded(where, [&] {
    const auto& ours = plan_of(plan, where);
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    *ranks = ours.pattern.sources.data();
    *count = static_cast<int>(ours.pattern.sources.size());
  });
}
wherry_status wherry_sparse_plan_offsets(wherry_sparse_plan plan, const int64_t** offsets) {
  constexpr auto where = "wherry_sparse_plan_offsets";
  return guarded(where, [&] {
    const auto& ours = plan_of(plan, where);
    require_result(offsets, where, "offsets");
    *offsets = ours.offsets.data();
  });
}
wherry_status wherry_sparse_plan_exchange(wherry_sparse_plan plan, wherry_view values, wherry_view arrived,
                                          const wherry_sparse_plan_options* options, wherry_exchange* result) {
  return bind(plan, false, values, arrived, options, result, "wherry_sparse_plan_exchange");
}
wherry_status wherry_sparse_plan_answer(wherry_sparse_plan plan, wherry_view replies, wherry_view answers,
                                        const wherry_sparse_plan_options* options, wherry_exchange* result) {
  return bind(plan, true, replies, answers, options, result, "wherry_sparse_plan_answer");
}
wherry_status wherry_sparse_plan_free(wherry_sparse_plan* plan) {
  constexpr auto where = "wherry_sparse_plan_free";
  return guarded(where, [&] { free_handle<sparse_plan_object>(plan, where, "plan"); });
}
}
