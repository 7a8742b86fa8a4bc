#include "wherry/c/index.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/index_exchange.hpp"

#include "convert.hpp"
#include "index_arrays.hpp"

namespace wherry_c {

/// A plan, and which array of the program's each of its fields belongs to.
struct index_plan_object {
  wherry::index_plan plan;
  int arrays = 0;
  std::vector<exchange_object::field_of_array> fields;
  std::string text{};
};
template <> inline constexpr kind kind_of<index_plan_object> = kind::index_plan;

namespace {

std::vector<wherry::peer_indices> peers_of(const wherry_peer_indices* lists, int count, std::string_view where,
                                           std::string_view argument) {
  std::vector<wherry::peer_indices> result;
  for (const auto& one : list_of(lists, count, where, argument)) {
    const auto at = list_of(one.at, one.count, where, wherry::detail::text(argument, "[", result.size(), "].at"));
    result.push_back({one.peer, {at.begin(), at.end()}});
  }
  return result;
}

wherry::index_options index_options_of(const wherry_index_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::index_options result;
  result.reverse = options.reverse != 0;
  result.update = reduction_of(options.update, where, "options.update");
  result.combine_copies = reduction_of(options.combine_copies, where, "options.combine_copies");
  for (const auto& part : list_of(options.parts, options.part_count, where, "options.parts"))
    result.parts.push_back({part.begin, part.end});
  result.carry = carry_of(options.carry, where);
  return result;
}

/// Makes index lists by a step that is collective, of arguments that another step checks.
template <class Check, class Resolve>
wherry_status resolving(wherry_communicator comm, wherry_index_lists* result, std::string_view where, Check&& check,
                        Resolve&& resolve) noexcept {
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      check();
    });
    return std::make_shared<index_lists_object>(resolve(ours));
  });
}

template <class Handle>
std::shared_ptr<index_plan_object> make_plan(wherry_communicator comm, wherry_index_lists lists, int array_count,
                                             const wherry_view* arrays, const wherry_index_options* options,
                                             const Handle* result, std::string_view where) {
  const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
  const wherry::index_lists* along = nullptr;
  wherry::index_options wanted;
  index_arrays list;
  wherry::detail::collectively(ours, where, [&] {
    require_result(result, where, "result");
    along = &object_of<index_lists_object>(lists, where, "lists").lists;
    list = index_arrays_of(arrays, array_count, true, where);
    wanted = index_options_of(options, where);
  });
  wherry::index_plan plan(ours, *along, wanted, std::move(list.fields));
  return std::make_shared<index_plan_object>(std::move(plan), array_count, std::move(list.places));
}

std::shared_ptr<exchange_object> bind_plan(const index_plan_object& plan) {
  return std::make_shared<exchange_object>(exchange_object{
      .pattern = std::make_shared<wherry::index_exchange>(plan.plan), .arrays = plan.arrays, .fields = plan.fields});
}

wherry_status show(wherry_index_lists lists, const wherry_peer_indices** entries, int* count, std::string_view argument,
                   std::vector<wherry_peer_indices> index_lists_object::* side, std::string_view where) noexcept {
  return guarded(where, [&] {
    const auto& shown = object_of<index_lists_object>(lists, where, "lists").*side;
    require_result(entries, where, argument);
    require_result(count, where, "count");
    *entries = shown.data();
    *count = static_cast<int>(shown.size());
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_index_lists_create(int send_count, const wherry_peer_indices* sends, int receive_count,
                                        const wherry_peer_indices* receives, wherry_index_lists* result) {
  constexpr auto where = "wherry_index_lists_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<index_lists_object>(wherry::index_lists{
        peers_of(sends, send_count, where, "sends"), peers_of(receives, receive_count, where, "receives")});
  });
}
wherry_status wherry_index_lists_create_from_ghosts(wherry_communicator comm, int64_t count, const wherry_ghost* ghosts,
                                                    wherry_index_lists* result) {
  constexpr auto where = "wherry_index_lists_create_from_ghosts";
  std::vector<wherry::ghost> all;
  return resolving(
      comm, result, where, [&] { all = ghosts_of(ghosts, count, where, "ghosts"); },
      [&](const auto& ours) { return wherry::resolve_ghosts(ours, all); });
}
wherry_status wherry_index_lists_create_from_ids(wherry_communicator comm, wherry_integers rows,
                                                 wherry_integers externals, wherry_index_lists* result) {
  constexpr auto where = "wherry_index_lists_create_from_ids";
  wherry::detail::integer_span own, others;
  return resolving(
      comm, result, where,
      [&] {
        own = integers_of(rows, where, "rows");
        others = integers_of(externals, where, "externals");
      },
      [&](const auto& ours) { return wherry::resolve_ids(ours, own, others); });
}
wherry_status wherry_index_lists_create_from_flat(wherry_communicator comm, const wherry_flat_lists* flat,
                                                  wherry_index_lists* result) {
  constexpr auto where = "wherry_index_lists_create_from_flat";
  wherry::flat_lists lists;
  return resolving(
      comm, result, where,
      [&] {
        require_result(flat, where, "flat");
        lists.neighbors = integers_of(flat->neighbors, where, "flat.neighbors");
        lists.send_lengths = integers_of(flat->send_lengths, where, "flat.send_lengths");
        lists.sent = integers_of(flat->sent, where, "flat.sent");
        lists.receive_lengths = integers_of(flat->receive_lengths, where, "flat.receive_lengths");
        lists.received = integers_of(flat->received, where, "flat.received");
        lists.first_external = flat->first_external;
      },
      [&](const auto& ours) { return wherry::make_lists(ours, lists); });
}
wherry_status wherry_index_lists_free(wherry_index_lists* lists) {
  constexpr auto where = "wherry_index_lists_free";
  return guarded(where, [&] { free_handle<index_lists_object>(lists, where, "lists"); });
}
wherry_status wherry_index_lists_sends(wherry_index_lists lists, const wherry_peer_indices** sends, int* count) {
  return show(lists, sends, count, "sends", &index_lists_object::sends, "wherry_index_lists_sends");
}
wherry_status wherry_index_lists_receives(wherry_index_lists lists, const wherry_peer_indices** receives, int* count) {
  return show(lists, receives, count, "receives", &index_lists_object::receives, "wherry_index_lists_receives");
}

wherry_status wherry_index_exchange_create(wherry_communicator comm, wherry_index_lists lists, int array_count,
                                           const wherry_view* arrays, const wherry_index_options* options,
                                           wherry_exchange* result) {
  constexpr auto where = "wherry_index_exchange_create";
  return creating(result, where,
                  [&] { return bind_plan(*make_plan(comm, lists, array_count, arrays, options, result, where)); });
}
wherry_status wherry_index_plan_create(wherry_communicator comm, wherry_index_lists lists, int array_count,
                                       const wherry_view* arrays, const wherry_index_options* options,
                                       wherry_index_plan* result) {
  constexpr auto where = "wherry_index_plan_create";
  return creating(result, where, [&] { return make_plan(comm, lists, array_count, arrays, options, result, where); });
}
wherry_status wherry_index_plan_bind(wherry_index_plan plan, int array_count, void* const* arrays,
                                     wherry_exchange* result) {
  constexpr auto where = "wherry_index_plan_bind";
  return creating(result, where, [&] {
    const auto& ours = object_of<index_plan_object>(plan, where, "plan");
    wherry::detail::collectively(ours.plan.comm(), where, [&] {
      require_result(result, where, "result");
      list_of(arrays, array_count, where, "arrays");
      if (array_count != 0 && array_count != ours.arrays)
        refuse(where, "there are ", array_count, " arrays, but the plan was made with ", ours.arrays);
      if (array_count == 0) return;
      for (const auto& field : ours.fields)
        if (arrays[field.array] == nullptr && !field.may_be_null) refuse(where, "'arrays[", field.array, "]' is NULL");
    });
    auto bound = bind_plan(ours);
    if (array_count > 0) bound->pattern->bound().set_fields(bound->addresses(arrays));
    return bound;
  });
}
wherry_status wherry_index_plan_to_json(wherry_index_plan plan, const char** text) {
  constexpr auto where = "wherry_index_plan_to_json";
  return guarded(where, [&] {
    auto& ours = object_of<index_plan_object>(plan, where, "plan");
    require_result(text, where, "text");
    ours.text = ours.plan.schedule().to_json();
    *text = ours.text.c_str();
  });
}
wherry_status wherry_index_plan_free(wherry_index_plan* plan) {
  constexpr auto where = "wherry_index_plan_free";
  return guarded(where, [&] { free_handle<index_plan_object>(plan, where, "plan"); });
}
}
