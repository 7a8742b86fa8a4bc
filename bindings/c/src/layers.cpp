#include "wherry/c/layers.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/ghost_layers.hpp"

#include "convert.hpp"
#include "index_arrays.hpp"
#include "program_functions.hpp"

namespace wherry_c {

struct ghost_layers_object {
  wherry::ghost_layers layers;
  std::vector<wherry::detail::erased_field> call{};  // of the next start
  std::string text{};
};
template <> inline constexpr kind kind_of<ghost_layers_object> = kind::ghost_layers;

struct layered_field_object {
  wherry_view array;
  std::vector<wherry::detail::index_field> fields;
  std::shared_ptr<wherry::detail::layer_marks> marks;
};
template <> inline constexpr kind kind_of<layered_field_object> = kind::layered_field;

namespace {

ghost_layers_object& layers_of(wherry_ghost_layers layers, std::string_view where) {
  return object_of<ghost_layers_object>(layers, where, "layers");
}
layered_field_object& field_of(wherry_layered_field field, std::string_view where) {
  return object_of<layered_field_object>(field, where, "field");
}

wherry::layer_options layer_options_of(const wherry_layer_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::layer_options result;
  if (auto update = reduction_of(options.update, where, "options.update")) result.update = *std::move(update);
  result.carry = carry_of(options.carry, where);
  return result;
}

/// Makes layers of lists that `resolve` makes, which is collective, of arguments that `check` checks.
template <class Check, class Resolve>
wherry_status making_layers(wherry_communicator comm, int layer_count, const wherry_layer_options* options,
                            wherry_ghost_layers* result, std::string_view where, Check&& check,
                            Resolve&& resolve) noexcept {
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::optional<wherry::layer_options> wanted;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      if (layer_count < 1) refuse(where, "'layer_count' is ", layer_count, ", expected at least 1");
      check();
      wanted = layer_options_of(options, where);
    });
    return std::make_shared<ghost_layers_object>(wherry::ghost_layers(ours, resolve(ours), *wanted));
  });
}

/// Runs a call for fields: `step(layers, erased fields)`.
template <class Step>
wherry_status with_fields(wherry_ghost_layers layers, int field_count, const wherry_layered_field* fields,
                          std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    auto& ours = layers_of(layers, where);
    refuse_in_program_function(where);
    ours.call.clear();
    for (const auto field : list_of(fields, field_count, where, "fields")) {
      const auto& one = object_of<layered_field_object>(field, where, "fields");
      ours.call.push_back({&one.marks, one.fields});
    }
    if (ours.call.empty()) refuse(where, "'field_count' is 0");
    step(ours.layers, wherry::detail::erased_fields{ours.call});
  });
}
/// The same for arrays without an account.
template <class Step>
wherry_status with_arrays(wherry_ghost_layers layers, int array_count, const wherry_view* arrays,
                          std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    auto& ours = layers_of(layers, where);
    refuse_in_program_function(where);
    std::vector<index_arrays> all;
    for (const auto& array : list_of(arrays, array_count, where, "arrays"))
      all.emplace_back().add(array, static_cast<int>(all.size()), false, where);
    if (all.empty()) refuse(where, "'array_count' is 0");
    ours.call.clear();
    for (const auto& one : all) ours.call.push_back({nullptr, one.fields});
    step(ours.layers, wherry::detail::erased_fields{ours.call});
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_ghost_layers_create(wherry_communicator comm, int layer_count, const wherry_index_lists* layers,
                                         const wherry_layer_options* options, wherry_ghost_layers* result) {
  constexpr auto where = "wherry_ghost_layers_create";
  std::vector<wherry::index_lists> lists;
  return making_layers(
      comm, layer_count, options, result, where,
      [&] {
        for (const auto one : list_of(layers, layer_count, where, "layers"))
          lists.push_back(object_of<index_lists_object>(one, where, "layers").lists);
      },
      [&](const auto&) { return std::move(lists); });
}
wherry_status wherry_ghost_layers_create_from_ids(wherry_communicator comm, wherry_integers rows, int layer_count,
                                                  const wherry_integers* externals, const wherry_layer_options* options,
                                                  wherry_ghost_layers* result) {
  constexpr auto where = "wherry_ghost_layers_create_from_ids";
  wherry::detail::integer_span own;
  std::vector<wherry::detail::integer_span> others;
  return making_layers(
      comm, layer_count, options, result, where,
      [&] {
        own = integers_of(rows, where, "rows");
        for (const auto& layer : list_of(externals, layer_count, where, "externals"))
          others.push_back(integers_of(layer, where, wherry::detail::text("externals[", others.size(), "]")));
      },
      [&](const auto& ours) { return wherry::resolve_layers(ours, own, others); });
}
wherry_status wherry_ghost_layers_create_from_ghosts(wherry_communicator comm, int layer_count, const int64_t* counts,
                                                     const wherry_ghost* const* ghosts,
                                                     const wherry_layer_options* options, wherry_ghost_layers* result) {
  constexpr auto where = "wherry_ghost_layers_create_from_ghosts";
  std::vector<std::vector<wherry::ghost>> all;
  return making_layers(
      comm, layer_count, options, result, where,
      [&] {
        const auto lengths = list_of(counts, layer_count, where, "counts");
        for (const auto* const layer : list_of(ghosts, layer_count, where, "ghosts"))
          all.push_back(ghosts_of(layer, lengths[all.size()], where, wherry::detail::text("ghosts[", all.size(), "]")));
      },
      [&](const auto& ours) { return wherry::resolve_layers(ours, all); });
}
wherry_status wherry_ghost_layers_copy(wherry_ghost_layers layers, wherry_ghost_layers* result) {
  constexpr auto where = "wherry_ghost_layers_copy";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<ghost_layers_object>(wherry::ghost_layers(layers_of(layers, where).layers));
  });
}
wherry_status wherry_ghost_layers_free(wherry_ghost_layers* layers) {
  constexpr auto where = "wherry_ghost_layers_free";
  return guarded(where, [&] { free_handle<ghost_layers_object>(layers, where, "layers"); });
}

wherry_status wherry_ghost_layers_depth(wherry_ghost_layers layers, int* depth) {
  constexpr auto where = "wherry_ghost_layers_depth";
  return guarded(where, [&] {
    const auto& ours = layers_of(layers, where);
    require_result(depth, where, "depth");
    *depth = ours.layers.depth();
  });
}
wherry_status wherry_ghost_layers_elements(wherry_ghost_layers layers, int depth, int64_t* elements) {
  constexpr auto where = "wherry_ghost_layers_elements";
  return guarded(where, [&] {
    const auto& ours = layers_of(layers, where);
    require_result(elements, where, "elements");
    *elements = ours.layers.elements(depth);
  });
}
wherry_status wherry_ghost_layers_lists(wherry_ghost_layers layers, int layer, wherry_index_lists* result) {
  constexpr auto where = "wherry_ghost_layers_lists";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<index_lists_object>(layers_of(layers, where).layers.lists(layer));
  });
}
wherry_status wherry_ghost_layers_explain(wherry_ghost_layers layers, const char** text) {
  constexpr auto where = "wherry_ghost_layers_explain";
  return guarded(where, [&] {
    auto& ours = layers_of(layers, where);
    require_result(text, where, "text");
    ours.text = ours.layers.explain();
    *text = ours.text.c_str();
  });
}
wherry_status wherry_ghost_layers_statistics(wherry_ghost_layers layers, wherry_statistics* result) {
  constexpr auto where = "wherry_ghost_layers_statistics";
  return guarded(where, [&] {
    const auto& ours = layers_of(layers, where);
    require_result(result, where, "result");
    *result = statistics_of(ours.layers.statistics());
  });
}

wherry_status wherry_layered_field_create(wherry_ghost_layers layers, wherry_view array, const char* name,
                                          wherry_layered_field* result) {
  constexpr auto where = "wherry_layered_field_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    const auto& ours = layers_of(layers, where);
    index_arrays list;
    list.add(array, 0, false, where);
    return std::make_shared<layered_field_object>(array, std::move(list.fields),
                                                  wherry::detail::make_marks(ours.layers, name == nullptr ? "" : name));
  });
}
wherry_status wherry_layered_field_free(wherry_layered_field* field) {
  constexpr auto where = "wherry_layered_field_free";
  return guarded(where, [&] { free_handle<layered_field_object>(field, where, "field"); });
}
wherry_status wherry_layered_field_mark_written(wherry_layered_field field, int depth) {
  constexpr auto where = "wherry_layered_field_mark_written";
  return guarded(where, [&] {
    const auto& ours = field_of(field, where);
    if (wherry::detail::mark_written(*ours.marks, depth))
      for (const auto& one : ours.fields) wherry::detail::add_to_hash(*ours.marks, wherry::detail::erased_array(one));
  });
}
wherry_status wherry_layered_field_clean_depth(wherry_layered_field field, int* depth) {
  constexpr auto where = "wherry_layered_field_clean_depth";
  return guarded(where, [&] {
    const auto& ours = field_of(field, where);
    require_result(depth, where, "depth");
    *depth = ours.marks->clean;
  });
}
wherry_status wherry_layered_field_array(wherry_layered_field field, wherry_view* array) {
  constexpr auto where = "wherry_layered_field_array";
  return guarded(where, [&] {
    const auto& ours = field_of(field, where);
    require_result(array, where, "array");
    *array = ours.array;
  });
}

wherry_status wherry_ghost_layers_start(wherry_ghost_layers layers, int depth, int field_count,
                                        const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_start",
                     [&](auto& ours, const auto& all) { ours.start(depth, all); });
}
wherry_status wherry_ghost_layers_start_if_needed(wherry_ghost_layers layers, int depth, int field_count,
                                                  const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_start_if_needed",
                     [&](auto& ours, const auto& all) { ours.start_if_needed(depth, all); });
}
wherry_status wherry_ghost_layers_start_reduce_to_owners(wherry_ghost_layers layers, int depth, int field_count,
                                                         const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_start_reduce_to_owners",
                     [&](auto& ours, const auto& all) { ours.start_reduce_to_owners(depth, all); });
}
wherry_status wherry_ghost_layers_test(wherry_ghost_layers layers, int* done) {
  constexpr auto where = "wherry_ghost_layers_test";
  return guarded(where, [&] {
    auto& ours = layers_of(layers, where);
    refuse_in_program_function(where);
    require_result(done, where, "done");
    *done = 0;
    *done = ours.layers.test() ? 1 : 0;
  });
}
wherry_status wherry_ghost_layers_wait(wherry_ghost_layers layers) {
  constexpr auto where = "wherry_ghost_layers_wait";
  return guarded(where, [&] {
    refuse_in_program_function(where);
    layers_of(layers, where).layers.wait();
  });
}
wherry_status wherry_ghost_layers_abandon(wherry_ghost_layers layers) {
  constexpr auto where = "wherry_ghost_layers_abandon";
  return guarded(where, [&] {
    refuse_in_program_function(where);
    layers_of(layers, where).layers.abandon();
  });
}

wherry_status wherry_ghost_layers_exchange(wherry_ghost_layers layers, int depth, int field_count,
                                           const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_exchange",
                     [&](auto& ours, const auto& all) { ours.exchange(depth, all); });
}
wherry_status wherry_ghost_layers_exchange_if_needed(wherry_ghost_layers layers, int depth, int field_count,
                                                     const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_exchange_if_needed",
                     [&](auto& ours, const auto& all) { ours.exchange_if_needed(depth, all); });
}
wherry_status wherry_ghost_layers_reduce_to_owners(wherry_ghost_layers layers, int depth, int field_count,
                                                   const wherry_layered_field* fields) {
  return with_fields(layers, field_count, fields, "wherry_ghost_layers_reduce_to_owners",
                     [&](auto& ours, const auto& all) { ours.reduce_to_owners(depth, all); });
}

wherry_status wherry_ghost_layers_start_arrays(wherry_ghost_layers layers, int depth, int array_count,
                                               const wherry_view* arrays) {
  return with_arrays(layers, array_count, arrays, "wherry_ghost_layers_start_arrays",
                     [&](auto& ours, const auto& all) { ours.start(depth, all); });
}
wherry_status wherry_ghost_layers_start_reduce_arrays(wherry_ghost_layers layers, int depth, int array_count,
                                                      const wherry_view* arrays) {
  return with_arrays(layers, array_count, arrays, "wherry_ghost_layers_start_reduce_arrays",
                     [&](auto& ours, const auto& all) { ours.start_reduce_to_owners(depth, all); });
}
}
