#include "wherry/c/index_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"

#include "blocks.hpp"

namespace wherry_c {

using index_plan = wherry::index_floor_plan<>;
using index_bytes = wherry::index_array<std::byte>;

struct index_floor_plan_object {
  index_plan plan;
};
template <> inline constexpr kind kind_of<index_floor_plan_object> = kind::index_floor_plan;

struct index_array_object : std::enable_shared_from_this<index_array_object> {
  index_bytes array;
  wherry_type type;

  index_array_object(index_bytes made, wherry_type of) : array(std::move(made)), type(of) {}
};
template <> inline constexpr kind kind_of<index_array_object> = kind::index_array;

/// A list of entries, or the rule that makes them.
struct index_motions_object {
  wherry::index_motion_plan<> list{};
  std::optional<wherry::index_motions<wherry::index_set>> rule{};
};
template <> inline constexpr kind kind_of<index_motions_object> = kind::index_motions;

namespace {

static_assert(sizeof(wherry_index_run) == sizeof(wherry::detail::index_run) &&
              offsetof(wherry_index_run, count) == offsetof(wherry::detail::index_run, count));

const index_plan& index_plan_in(wherry_index_floor_plan plan, std::string_view where, std::string_view argument) {
  return object_of<index_floor_plan_object>(plan, where, argument).plan;
}
std::shared_ptr<index_floor_plan_object> new_index_plan(index_plan made) {
  return std::make_shared<index_floor_plan_object>(index_floor_plan_object{std::move(made)});
}

wherry::index_set set_in(const wherry_index_set& given, std::string_view where, std::string_view argument) {
  const auto checked = [&](const auto* values, std::int64_t count, std::string_view what) {
    if (count < 0) refuse(where, argument, " has ", count, ' ', what);
    if (count > 0 && values == nullptr) refuse(where, argument, " has ", count, ' ', what, ", but their list is NULL");
  };
  checked(given.runs, given.run_count, "runs");
  checked(given.members, given.member_count, "members");
  std::vector<wherry::detail::index_run> runs;
  for (std::int64_t i = 0; i < given.run_count; ++i) runs.push_back({given.runs[i].first, given.runs[i].count});
  wherry::index_set result(std::move(runs));
  if (given.member_count == 0) return result;
  wherry::index_set listed(std::vector<wherry::index_t>(given.members, given.members + given.member_count));
  return result.empty() ? listed : wherry::union_of(result, listed);
}
std::vector<wherry::index_set> sets_in(int count, const wherry_index_set* parts, std::string_view where) {
  std::vector<wherry::index_set> result;
  for (const auto& part : list_of(parts, count, where, "parts"))
    result.push_back(set_in(part, where, wherry::detail::text("part ", result.size())));
  return result;
}

wherry::index_array_options index_options_of(const wherry_index_array_options* given, wherry_type type,
                                             std::string_view where) {
  const auto options = options_of(given, where);
  if (options.components < 0) refuse(where, "'options.components' is ", options.components);
  if (options.space != WHERRY_HOST && options.space != WHERRY_DEVICE)
    refuse(where, "'options.space' is ", options.space, ", expected WHERRY_HOST or WHERRY_DEVICE");
  wherry::index_array_options result;
  const auto of = element_of(type, 1, where, "the index array");
  result.element = {of.bytes, of.type};
  result.components = options.components == 0 ? 1 : options.components;
  result.interleaved = options.apart == 0;
  if (options.name != nullptr) result.name = options.name;
  if (options.space == WHERRY_DEVICE) result.space = wherry::memory_space::device;
  return result;
}

wherry::movement index_movement_of(const wherry_index_movement& given, const wherry::communicator& comm,
                                   bool has_update, std::vector<std::shared_ptr<void>>& arrays, std::string_view where,
                                   const std::string& name) {
  const auto of = [&name](std::string_view member) { return wherry::detail::text(name, '.', member); };
  const auto& motions = object_of<index_motions_object>(given.motions, where, of("motions"));
  auto& from = object_of<index_array_object>(given.source, where, of("source"));
  auto& to = object_of<index_array_object>(given.destination, where, of("destination"));
  if (!(from.array.comm() == comm)) refuse(where, '\'', of("source"), "' has another communicator than 'comm'");
  if (!(to.array.comm() == comm)) refuse(where, '\'', of("destination"), "' has another communicator than 'comm'");
  wherry::movement_options how{reduction_of(given.update, where, of("update"))};
  if (!how.update && !has_update) how.update = conversion_between(from.type, 1, to.type, 1, where, name);
  arrays.push_back(from.shared_from_this());
  arrays.push_back(to.shared_from_this());
  // A mover keeps the rule, and not the list, so that the list goes along with it.
  if (motions.rule) return {*motions.rule, std::as_const(from.array), to.array, how};
  const auto list = std::make_shared<wherry::index_motion_plan<>>(motions.list);
  arrays.push_back(list);
  return {*list, std::as_const(from.array), to.array, how};
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_index_floor_plan_create(int part_count, const wherry_index_set* parts, const int* owners,
                                             wherry_index_floor_plan* result) {
  constexpr auto where = "wherry_index_floor_plan_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    const auto ranks = list_of(owners, part_count, where, "owners");
    return new_index_plan({sets_in(part_count, parts, where), wherry::owner_map(ranks.begin(), ranks.end())});
  });
}
wherry_status wherry_index_floor_plan_create_distributed(wherry_communicator comm, int part_count,
                                                         const wherry_index_set* parts,
                                                         wherry_index_floor_plan* result) {
  constexpr auto where = "wherry_index_floor_plan_create_distributed";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::vector<wherry::index_set> mine;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      mine = sets_in(part_count, parts, where);
    });
    return new_index_plan(wherry::distributed_floor_plan(ours, std::move(mine)));
  });
}
wherry_status wherry_index_floor_plan_resolve(wherry_communicator comm, wherry_index_floor_plan plan,
                                              wherry_index_floor_plan* result) {
  constexpr auto where = "wherry_index_floor_plan_resolve";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::optional<index_plan> given;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      given = index_plan_in(plan, where, "plan");
    });
    return new_index_plan(wherry::resolve(ours, *given));
  });
}
wherry_status wherry_index_floor_plan_resolve_pair(wherry_communicator comm, wherry_index_floor_plan from,
                                                   wherry_index_floor_plan to, wherry_index_floor_plan* from_result,
                                                   wherry_index_floor_plan* to_result) {
  constexpr auto where = "wherry_index_floor_plan_resolve_pair";
  return guarded(where, [&] {
    if (from_result != nullptr) *from_result = nullptr;
    if (to_result != nullptr) *to_result = nullptr;
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::optional<index_plan> one, other;
    wherry::detail::collectively(ours, where, [&] {
      require_result(from_result, where, "from_result");
      require_result(to_result, where, "to_result");
      one = index_plan_in(from, where, "from");
      other = index_plan_in(to, where, "to");
    });
    auto both = wherry::resolve(ours, *one, *other);
    auto second = new_index_plan(both.to);
    *from_result = new_handle<wherry_index_floor_plan>(new_index_plan(both.from));
    *to_result = new_handle<wherry_index_floor_plan>(std::move(second));
  });
}
wherry_status wherry_index_floor_plan_without_overlap(wherry_index_floor_plan plan, int rank,
                                                      wherry_index_floor_plan* result) {
  constexpr auto where = "wherry_index_floor_plan_without_overlap";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    if (rank < -1) refuse(where, "'rank' is ", rank);
    return new_index_plan(wherry::without_overlap(index_plan_in(plan, where, "plan"), rank));
  });
}
wherry_status wherry_index_floor_plan_free(wherry_index_floor_plan* plan) {
  constexpr auto where = "wherry_index_floor_plan_free";
  return guarded(where, [&] { free_handle<index_floor_plan_object>(plan, where, "plan"); });
}
wherry_status wherry_index_floor_plan_size(wherry_index_floor_plan plan, int* size, int* known, int* complete) {
  constexpr auto where = "wherry_index_floor_plan_size";
  return guarded(where, [&] {
    const auto& one = index_plan_in(plan, where, "plan");
    if (size != nullptr) *size = one.size();
    if (known != nullptr) *known = one.known();
    if (complete != nullptr) *complete = one.complete() ? 1 : 0;
  });
}
wherry_status wherry_index_floor_plan_part(wherry_index_floor_plan plan, int number, wherry_index_set* part,
                                           int* owner) {
  constexpr auto where = "wherry_index_floor_plan_part";
  return guarded(where, [&] {
    const auto& one = index_plan_in(plan, where, "plan");
    const auto runs = one[number].runs();
    if (part != nullptr)
      *part = {static_cast<std::int64_t>(runs.size()), reinterpret_cast<const wherry_index_run*>(runs.data()), 0,
               nullptr};
    if (owner != nullptr) *owner = one.owner(number);
  });
}
wherry_status wherry_index_floor_plan_place_of(wherry_index_floor_plan plan, int number, int64_t point,
                                               int64_t* place) {
  constexpr auto where = "wherry_index_floor_plan_place_of";
  return guarded(where, [&] {
    const auto& one = index_plan_in(plan, where, "plan");
    require_result(place, where, "place");
    *place = one[number].place_of(point);
  });
}
wherry_status wherry_index_floor_plan_owned_by(wherry_index_floor_plan plan, int rank, int capacity, int* numbers,
                                               int* count) {
  constexpr auto where = "wherry_index_floor_plan_owned_by";
  return guarded(where, [&] {
    give_list(index_plan_in(plan, where, "plan").owned_by(rank), capacity, numbers, count, where, "numbers",
              [](int number) { return number; });
  });
}

wherry_status wherry_index_array_create(wherry_communicator comm, wherry_index_floor_plan plan, wherry_type type,
                                        const wherry_index_array_options* options, wherry_index_array* result) {
  constexpr auto where = "wherry_index_array_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    require_result(result, where, "result");
    return std::make_shared<index_array_object>(
        index_bytes(ours, index_plan_in(plan, where, "plan"), index_options_of(options, type, where)), type);
  });
}
wherry_status wherry_index_array_create_over(wherry_communicator comm, wherry_index_floor_plan plan, wherry_type type,
                                             int value_count, void* const* values,
                                             const wherry_index_array_options* options, wherry_index_array* result) {
  constexpr auto where = "wherry_index_array_create_over";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    require_result(result, where, "result");
    const auto& one = index_plan_in(plan, where, "plan");
    const auto how = index_options_of(options, type, where);
    const auto mine = one.owned_by(ours.rank());
    const auto given = list_of(values, value_count, where, "values");
    if (given.size() != mine.size())
      refuse(where, given.size(), " addresses of values were given, but the rank owns ", mine.size(), " parts");
    const wherry::detail::checked bytes{where, "number of bytes"};
    std::vector<std::span<std::byte>> all;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto size =
          bytes.product(bytes.product(one[mine[i]].size(), how.element.bytes), wherry::index_t{how.components});
      if (size > 0 && given[i] == nullptr) refuse(where, "'values[", i, "]' is NULL, but its part has points");
      all.emplace_back(static_cast<std::byte*>(given[i]), static_cast<std::size_t>(size));
    }
    return std::make_shared<index_array_object>(index_bytes(ours, one, all, how), type);
  });
}
wherry_status wherry_index_array_free(wherry_index_array* array) {
  constexpr auto where = "wherry_index_array_free";
  return guarded(where, [&] { free_handle<index_array_object>(array, where, "array"); });
}
wherry_status wherry_index_array_size(wherry_index_array array, int* parts) {
  constexpr auto where = "wherry_index_array_size";
  return guarded(where, [&] {
    auto& given = object_of<index_array_object>(array, where, "array");
    require_result(parts, where, "parts");
    *parts = static_cast<int>(given.array.parts().size());
  });
}
wherry_status wherry_index_array_part(wherry_index_array array, int index, wherry_index_block* result) {
  constexpr auto where = "wherry_index_array_part";
  return guarded(where, [&] {
    auto& given = object_of<index_array_object>(array, where, "array");
    require_result(result, where, "result");
    const auto parts = given.array.parts();
    if (index < 0 || static_cast<std::size_t>(index) >= parts.size())
      refuse(where, "'index' is ", index, ", but the rank has ", parts.size(), " parts");
    const auto& [number, points, values] = parts[static_cast<std::size_t>(index)];
    const auto bytes = given.array.shape().element;
    *result = {number,
               values.components(),
               given.type,
               values.points(),
               values.data(),
               values.point_stride() / bytes,
               values.component_stride() / bytes};
  });
}

wherry_status wherry_index_motions_create(wherry_index_motions* result) {
  constexpr auto where = "wherry_index_motions_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<index_motions_object>();
  });
}
wherry_status wherry_index_motions_free(wherry_index_motions* motions) {
  constexpr auto where = "wherry_index_motions_free";
  return guarded(where, [&] { free_handle<index_motions_object>(motions, where, "motions"); });
}
wherry_status wherry_index_motions_copy(wherry_index_motions motions, int from, const wherry_index_set* source, int to,
                                        const wherry_index_set* destination) {
  constexpr auto where = "wherry_index_motions_copy";
  return guarded(where, [&] {
    auto& given = object_of<index_motions_object>(motions, where, "motions");
    require_result(source, where, "source");
    require_result(destination, where, "destination");
    if (given.rule) refuse(where, "'motions' is no list");
    given.list.copy(from, set_in(*source, where, "'source'"), to, set_in(*destination, where, "'destination'"));
  });
}
wherry_status wherry_index_motions_halo(wherry_index_floor_plan owned, wherry_index_floor_plan touched,
                                        wherry_index_motions* result) {
  constexpr auto where = "wherry_index_motions_halo";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<index_motions_object>(index_motions_object{
        {}, wherry::halo_motion(index_plan_in(owned, where, "owned"), index_plan_in(touched, where, "touched"))});
  });
}
wherry_status wherry_index_motions_redistribution(wherry_index_floor_plan from, wherry_index_floor_plan to,
                                                  wherry_index_motions* result) {
  constexpr auto where = "wherry_index_motions_redistribution";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<index_motions_object>(index_motions_object{
        {}, wherry::redistribution(index_plan_in(from, where, "from"), index_plan_in(to, where, "to"))});
  });
}
wherry_status wherry_index_motions_reversed(wherry_index_motions motions, wherry_index_motions* result) {
  constexpr auto where = "wherry_index_motions_reversed";
  return creating(result, where, [&] {
    const auto& given = object_of<index_motions_object>(motions, where, "motions");
    require_result(result, where, "result");
    auto made = std::make_shared<index_motions_object>();
    if (given.rule)
      made->rule = given.rule->reversed();
    else
      made->list = given.list.reversed();
    return made;
  });
}

wherry_status wherry_index_mover_create(wherry_communicator comm, int movement_count,
                                        const wherry_index_movement* movements, const wherry_mover_options* options,
                                        wherry_exchange* result) {
  constexpr auto where = "wherry_index_mover_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    return new_mover(ours, movement_count, movements, options, result, where,
                     [&](const wherry_index_movement& given, const std::string& name, bool has_update, auto& arrays) {
                       return index_movement_of(given, ours, has_update, arrays, where, name);
                     });
  });
}
wherry_status wherry_index_mover_start_with(wherry_exchange exchange, int count, const wherry_index_array* arrays) {
  constexpr auto where = "wherry_index_mover_start_with";
  return guarded(where, [&] {
    auto& one = object_of<exchange_object>(exchange, where, "exchange");
    if (one.mover == nullptr) refuse(where, "'exchange' is no mover");
    std::vector<wherry::detail::moved_array> given;
    for (const auto array : list_of(arrays, count, where, "arrays"))
      given.push_back(wherry::detail::moved(
          object_of<index_array_object>(array, where, wherry::detail::text("arrays[", given.size(), ']')).array));
    one.mover->start_with(given);
  });
}
}
