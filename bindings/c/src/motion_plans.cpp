#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "wherry/c/movers.h"

#include "blocks.hpp"
#include "halo.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

motion_plan_object& motions_named(wherry_motion_plan plan, std::string_view where, std::string_view argument = "plan") {
  return object_of<motion_plan_object>(plan, where, argument);
}

template <int N> wherry::axis_permutation<N> axes_in(const int* axes, std::string_view where) {
  auto result = wherry::same_axes<N>();
  for (std::size_t d = 0; d < N; ++d) {
    if (axes[d] < 0 || axes[d] >= N) refuse(where, "'axes' has the number ", axes[d], ", expected 0 to ", N - 1);
    result[d] = static_cast<std::int8_t>(axes[d]);
  }
  return result;
}

template <int N> wherry::motion<N> motion_in(const wherry_motion& entry, std::string_view where) {
  return {entry.from, entry.to, box_in<N>(entry.source, where, "source"),
          box_in<N>(entry.destination, where, "destination"),
          entry.turned != 0 ? axes_in<N>(entry.axes, where) : wherry::same_axes<N>()};
}
template <int N> wherry_motion motion_out(const wherry::motion<N>& entry) {
  wherry_motion result{};
  result.from = entry.from;
  result.to = entry.to;
  result.source = box_of<N>(entry.source);
  result.destination = box_of<N>(entry.destination);
  result.turned = entry.axes != wherry::same_axes<N>() ? 1 : 0;
  for (std::size_t d = 0; d < N; ++d) result.axes[d] = entry.axes[d];
  return result;
}

template <int N> std::shared_ptr<motion_plan_object> new_motions(motions_of<N> made) {
  return std::make_shared<motion_plan_object>(in_any_dimensions<motions_of>(std::move(made)));
}
template <int N> std::shared_ptr<motion_plan_object> new_rule(wherry::box_motions<N> rule) {
  return new_motions<N>({std::nullopt, {std::move(rule)}});
}
template <int N> std::shared_ptr<motion_plan_object> new_list(wherry::motion_plan<N> list) {
  return new_motions<N>({std::move(list), {}});
}

/// Runs a call for a list of entries.
template <class Step> wherry_status with_list(wherry_motion_plan plan, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    std::visit(
        [&]<int N>(motions_of<N>& given) {
          if (!given.list)
            refuse(where, "'plan' is a rule and not a list: wherry_motion_plan_listed makes a list of it");
          step(*given.list);
        },
        motions_named(plan, where).motions);
  });
}
template <class List> std::size_t place_in(const List& list, std::int64_t index, std::string_view where) {
  if (index < 0 || static_cast<std::uint64_t>(index) >= list.size())
    refuse(where, "'index' is ", index, ", but the plan has ", list.size(), " entries");
  return static_cast<std::size_t>(index);
}

/// The entries of one stage that `rank` takes part in.
template <int N> wherry::motion_plan<N> entries_of(const motions_of<N>& given, int rank, std::string_view where) {
  if (given.list) return *given.list;
  if (given.rules.size() != 1) refuse(where, "'plan' has ", given.rules.size(), " stages, expected 1");
  return given.rules.front().plan(rank);
}

/// Makes other motions of a list, or of each stage of a rule.
template <class Change>
std::shared_ptr<motion_plan_object> changed_motions(const motion_plan_object& given, Change&& change) {
  return std::visit(
      [&]<int N>(const motions_of<N>& one) {
        if (one.list) return new_list<N>(change(wherry::box_motions<N>::of(*one.list)).plan());
        motions_of<N> made;
        for (const auto& stage : one.rules) made.rules.push_back(change(stage));
        return new_motions<N>(std::move(made));
      },
      given.motions);
}

template <class Ask>
wherry_status text_of_motions(wherry_motion_plan plan, wherry_floor_plan source, wherry_floor_plan destination,
                              const char** text, std::string_view where, Ask&& ask) noexcept {
  return guarded(where, [&] {
    auto& given = motions_named(plan, where);
    require_result(text, where, "text");
    given.text = std::visit(
        [&]<int N>(const motions_of<N>& one) {
          return ask(entries_of(one, wherry::plans::every_rank, where), plan_in<N>(source, where, "source"),
                     plan_in<N>(destination, where, "destination"));
        },
        given.motions);
    *text = given.text.c_str();
  });
}

template <int N>
std::vector<wherry::box_motions<N>> halo_motions(const wherry::floor_plan<N>& plan, const wherry_widths* widths,
                                                 const wherry_domain* space, const wherry_halo_motion_options& how,
                                                 std::string_view where) {
  const auto around = widths_in<N>(widths);
  const auto cells = domain_in<N>(space, where);
  const auto on = centring_in<N>(how.on_planes);
  const auto stencil = stencil_of(how.stencil, how.directions, how.direction_count, N, where);
  const auto order = order_of(how.order, where);
  if (order == wherry::halo_order::automatic || order == wherry::halo_order::direct)
    return {wherry::halo_motion(plan, on, around, cells, stencil)};
  if (!on.is_of_cells() || !stencil.is_all())
    refuse(where, "'options.order' is only for values in cells and the whole stencil");
  return wherry::halo_stages(plan, around, cells, order);
}

/// The motions that a function of the program's gives. No exception may pass through that function, so what is wrong
/// is kept until it has returned.
struct taken_motions {
  std::vector<wherry_motion> motions;
  bool has_null = false, lacks_memory = false;

  static void take(void* taker, const wherry_motion* entry) noexcept {
    auto& all = *static_cast<taken_motions*>(taker);
    if (entry == nullptr) {
      all.has_null = true;
      return;
    }
    try {
      all.motions.push_back(*entry);
    } catch (...) {
      all.lacks_memory = true;
    }
  }
};

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_motion_plan_create(int dimensions, wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_dimensions<most_box_dimensions>(dimensions, where, []<int N>() { return new_list<N>({}); });
  });
}
wherry_status wherry_motion_plan_free(wherry_motion_plan* plan) {
  constexpr auto where = "wherry_motion_plan_free";
  return guarded(where, [&] { free_handle<motion_plan_object>(plan, where, "plan"); });
}
wherry_status wherry_motion_plan_add(wherry_motion_plan plan, const wherry_motion* entry) {
  constexpr auto where = "wherry_motion_plan_add";
  return with_list(plan, where, [&]<int N>(wherry::motion_plan<N>& list) {
    refuse_in_program_function(where);
    require_result(entry, where, "entry");
    list.add(motion_in<N>(*entry, where));
  });
}
wherry_status wherry_motion_plan_copy(wherry_motion_plan plan, int from, wherry_box source, int to,
                                      wherry_box destination) {
  constexpr auto where = "wherry_motion_plan_copy";
  return with_list(plan, where, [&]<int N>(wherry::motion_plan<N>& list) {
    refuse_in_program_function(where);
    list.copy(from, box_in<N>(source, where, "source"), to, box_in<N>(destination, where, "destination"));
  });
}
wherry_status wherry_motion_plan_append(wherry_motion_plan plan, wherry_motion_plan other) {
  constexpr auto where = "wherry_motion_plan_append";
  return with_list(plan, where, [&]<int N>(wherry::motion_plan<N>& list) {
    const auto& more = in_dimensions<N>(motions_named(other, where, "other").motions, where, "other");
    if (!more.list) refuse(where, "'other' is a rule and not a list: wherry_motion_plan_listed makes a list of it");
    list.append(wherry::motion_plan<N>(*more.list));  // it may be the same list
  });
}
wherry_status wherry_motion_plan_set(wherry_motion_plan plan, int64_t index, const wherry_motion* entry) {
  constexpr auto where = "wherry_motion_plan_set";
  return with_list(plan, where, [&]<int N>(wherry::motion_plan<N>& list) {
    require_result(entry, where, "entry");
    list[place_in(list, index, where)] = motion_in<N>(*entry, where);
  });
}
wherry_status wherry_motion_plan_remove(wherry_motion_plan plan, int64_t index) {
  constexpr auto where = "wherry_motion_plan_remove";
  return with_list(plan, where, [&](auto& list) { list.remove(place_in(list, index, where)); });
}
wherry_status wherry_motion_plan_clear(wherry_motion_plan plan) {
  return with_list(plan, "wherry_motion_plan_clear", [](auto& list) { list.clear(); });
}
wherry_status wherry_motion_plan_size(wherry_motion_plan plan, int64_t* size) {
  constexpr auto where = "wherry_motion_plan_size";
  return with_list(plan, where, [&](const auto& list) {
    require_result(size, where, "size");
    *size = static_cast<std::int64_t>(list.size());
  });
}
wherry_status wherry_motion_plan_entry(wherry_motion_plan plan, int64_t index, wherry_motion* result) {
  constexpr auto where = "wherry_motion_plan_entry";
  return with_list(plan, where, [&](const auto& list) {
    require_result(result, where, "result");
    *result = motion_out(list[place_in(list, index, where)]);
  });
}

wherry_status wherry_motion_plan_halo(wherry_floor_plan plan, const wherry_widths* widths, const wherry_domain* space,
                                      const wherry_halo_motion_options* options, wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_halo";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_plan(plan, where, "plan", [&]<int N>(const wherry::floor_plan<N>& one) {
      return new_motions<N>({std::nullopt, halo_motions(one, widths, space, options_of(options, where), where)});
    });
  });
}
wherry_status wherry_motion_plan_redistribution(wherry_floor_plan from, const int* on_planes, wherry_floor_plan to,
                                                const wherry_domain* space, wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_redistribution";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return with_plan(from, where, "from", [&]<int N>(const wherry::floor_plan<N>& one) {
      const auto& other = plan_in<N>(to, where, "to");
      const auto on = centring_in<N>(on_planes);
      const auto cells = domain_in<N>(space, where);
      return new_rule<N>(on.is_of_cells() ? wherry::redistribution(one, other, cells)
                                          : wherry::redistribution(one, on, other, cells));
    });
  });
}
wherry_status wherry_motion_plan_transposition(wherry_floor_plan from, wherry_floor_plan to, const int* axes,
                                               wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_transposition";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    require_result(axes, where, "axes");
    return with_plan(from, where, "from", [&]<int N>(const wherry::floor_plan<N>& one) {
      return new_rule<N>(wherry::transposition(one, plan_in<N>(to, where, "to"), axes_in<N>(axes, where)));
    });
  });
}
wherry_status wherry_motion_plan_by_rule(int dimensions, wherry_make_motions make, void* context,
                                         wherry_motion_plan* result) {
  static constexpr auto where = "wherry_motion_plan_by_rule";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    if (make == nullptr) refuse(where, "'make' is NULL");
    return with_dimensions<most_box_dimensions>(dimensions, where, [&]<int N>() {
      using rule = wherry::box_motions<N>;
      return new_rule<N>(rule([make, context](int rank, const typename rule::visitor& visit) {
        taken_motions taken;
        const int failure = call_program(make, rank, &taken_motions::take, static_cast<void*>(&taken), context);
        if (failure != 0)
          throw wherry::error(wherry::error_kind::resource, where, wherry::detail::text("'make' returned ", failure));
        if (taken.lacks_memory) throw std::bad_alloc();
        if (taken.has_null) refuse(where, "'make' gave a motion that is NULL");
        visit.expect(taken.motions.size());
        for (const auto& entry : taken.motions) visit(motion_in<N>(entry, where));
      }));
    });
  });
}

wherry_status wherry_motion_plan_only(wherry_motion_plan plan, wherry_choose_motion wanted, void* context,
                                      wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_only";
  return creating(result, where, [&] {
    const auto& given = motions_named(plan, where);
    require_result(result, where, "result");
    if (wanted == nullptr) refuse(where, "'wanted' is NULL");
    return changed_motions(given, [wanted, context]<int N>(const wherry::box_motions<N>& rule) {
      return rule.only([wanted, context](const wherry::motion<N>& entry) {
        const auto shown = motion_out(entry);
        return call_program(wanted, &shown, context) != 0;
      });
    });
  });
}
wherry_status wherry_motion_plan_transformed(wherry_motion_plan plan, wherry_change_motion change, void* context,
                                             wherry_motion_plan* result) {
  static constexpr auto where = "wherry_motion_plan_transformed";
  return creating(result, where, [&] {
    const auto& given = motions_named(plan, where);
    require_result(result, where, "result");
    if (change == nullptr) refuse(where, "'change' is NULL");
    return changed_motions(given, [change, context]<int N>(const wherry::box_motions<N>& rule) {
      return rule.transformed([change, context](const wherry::motion<N>& entry) {
        auto shown = motion_out(entry);
        call_program(change, &shown, context);
        return motion_in<N>(shown, where);
      });
    });
  });
}

wherry_status wherry_motion_plan_reversed(wherry_motion_plan plan, wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_reversed";
  return creating(result, where, [&] {
    const auto& given = motions_named(plan, where);
    require_result(result, where, "result");
    return std::visit(
        []<int N>(const motions_of<N>& one) {
          if (one.list) return new_list<N>(one.list->reversed());
          motions_of<N> back;
          for (auto stage = one.rules.rbegin(); stage != one.rules.rend(); ++stage)
            back.rules.push_back(stage->reversed());
          return new_motions<N>(std::move(back));
        },
        given.motions);
  });
}
wherry_status wherry_motion_plan_listed(wherry_motion_plan plan, int rank, wherry_motion_plan* result) {
  constexpr auto where = "wherry_motion_plan_listed";
  return creating(result, where, [&] {
    const auto& given = motions_named(plan, where);
    require_result(result, where, "result");
    if (rank < -1) refuse(where, "'rank' is ", rank);
    return std::visit([&]<int N>(const motions_of<N>& one) { return new_list<N>(entries_of(one, rank, where)); },
                      given.motions);
  });
}
wherry_status wherry_motion_plan_stages(wherry_motion_plan plan, int* stages) {
  constexpr auto where = "wherry_motion_plan_stages";
  return guarded(where, [&] {
    const auto& given = motions_named(plan, where);
    require_result(stages, where, "stages");
    *stages =
        std::visit([](const auto& one) { return one.list ? 1 : static_cast<int>(one.rules.size()); }, given.motions);
  });
}
wherry_status wherry_motion_plan_explain(wherry_motion_plan plan, wherry_floor_plan source,
                                         wherry_floor_plan destination, int most_rows, const char** text) {
  return text_of_motions(plan, source, destination, text, "wherry_motion_plan_explain",
                         [&](const auto& list, const auto& from, const auto& to) {
                           return list.explain(from, to, most_rows == 0 ? 64 : most_rows);
                         });
}
wherry_status wherry_motion_plan_to_json(wherry_motion_plan plan, wherry_floor_plan source,
                                         wherry_floor_plan destination, const char** text) {
  return text_of_motions(plan, source, destination, text, "wherry_motion_plan_to_json",
                         [](const auto& list, const auto& from, const auto& to) { return list.to_json(from, to); });
}
}
