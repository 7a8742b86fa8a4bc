// Questions about floor plans.
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/c/floor_plans.h"
#include "wherry/motion/box_parts.hpp"

#include "blocks.hpp"

namespace wherry_c {
namespace {

template <int N>
void give_parts(const std::vector<wherry::box_part<N>>& made, int capacity, wherry_box_part* parts, int* count,
                std::string_view where) {
  give_list(made, capacity, parts, count, where, "parts",
            [](const auto& part) { return wherry_box_part{part.number, box_of<N>(part.cells)}; });
}

/// A text that the floor plan keeps.
template <class Ask>
wherry_status text_of_plan(wherry_floor_plan plan, const char** text, std::string_view where, Ask&& ask) noexcept {
  return guarded(where, [&] {
    auto& given = object_of<floor_plan_object>(plan, where, "plan");
    require_result(text, where, "text");
    given.text = std::visit(ask, given.plan);
    *text = given.text.c_str();
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_floor_plan_dimensions(wherry_floor_plan plan, int* dimensions) {
  constexpr auto where = "wherry_floor_plan_dimensions";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>&) {
    require_result(dimensions, where, "dimensions");
    *dimensions = N;
  });
}
wherry_status wherry_floor_plan_size(wherry_floor_plan plan, int* size, int* known, int* complete) {
  return ask_plan(plan, "wherry_floor_plan_size", [&](const auto& one) {
    if (size != nullptr) *size = one.size();
    if (known != nullptr) *known = one.known();
    if (complete != nullptr) *complete = one.complete() ? 1 : 0;
  });
}
wherry_status wherry_floor_plan_box(wherry_floor_plan plan, int number, wherry_box* box, int* owner) {
  return ask_plan(plan, "wherry_floor_plan_box", [&]<int N>(const wherry::floor_plan<N>& one) {
    const auto cells = box_of<N>(one[number]);
    if (box != nullptr) *box = cells;
    if (owner != nullptr) *owner = one.owner(number);
  });
}
wherry_status wherry_floor_plan_number_of(wherry_floor_plan plan, int place, int* number) {
  constexpr auto where = "wherry_floor_plan_number_of";
  return ask_plan(plan, where, [&](const auto& one) {
    require_result(number, where, "number");
    if (place < 0 || place >= one.known())
      refuse(where, "'place' is ", place, ", but the plan knows ", one.known(), " boxes");
    *number = one.number_of(place);
  });
}
wherry_status wherry_floor_plan_place_of(wherry_floor_plan plan, int number, int* place) {
  constexpr auto where = "wherry_floor_plan_place_of";
  return ask_plan(plan, where, [&](const auto& one) {
    require_result(place, where, "place");
    *place = one.place_of(number);
  });
}
wherry_status wherry_floor_plan_owned_by(wherry_floor_plan plan, int rank, int capacity, int* numbers, int* count) {
  constexpr auto where = "wherry_floor_plan_owned_by";
  return ask_plan(plan, where, [&](const auto& one) {
    give_list(one.owned_by(rank), capacity, numbers, count, where, "numbers", [](int number) { return number; });
  });
}
wherry_status wherry_floor_plan_find(wherry_floor_plan plan, const int64_t* point, int* number, int* owner) {
  constexpr auto where = "wherry_floor_plan_find";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>& one) {
    const int found = one.box_of(point_in<N>(point, where, "point"));
    if (number != nullptr) *number = found;
    if (owner != nullptr) *owner = found < 0 ? -1 : one.owner(found);
  });
}
wherry_status wherry_floor_plan_bounding_box(wherry_floor_plan plan, wherry_box* result) {
  constexpr auto where = "wherry_floor_plan_bounding_box";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>& one) {
    require_result(result, where, "result");
    *result = box_of<N>(one.bounding_box());
  });
}
wherry_status wherry_floor_plan_fingerprint(wherry_floor_plan plan, uint64_t* result) {
  constexpr auto where = "wherry_floor_plan_fingerprint";
  return ask_plan(plan, where, [&](const auto& one) {
    require_result(result, where, "result");
    *result = one.fingerprint();
  });
}
wherry_status wherry_floor_plan_equals(wherry_floor_plan a, wherry_floor_plan b, int* result) {
  constexpr auto where = "wherry_floor_plan_equals";
  return guarded(where, [&] {
    require_result(result, where, "result");
    *result = object_of<floor_plan_object>(a, where, "a").plan == object_of<floor_plan_object>(b, where, "b").plan;
  });
}
wherry_status wherry_floor_plan_explain(wherry_floor_plan plan, int most_rows, const char** text) {
  return text_of_plan(plan, text, "wherry_floor_plan_explain",
                      [&](const auto& one) { return one.explain(most_rows == 0 ? 64 : most_rows); });
}
wherry_status wherry_floor_plan_to_json(wherry_floor_plan plan, const char** text) {
  return text_of_plan(plan, text, "wherry_floor_plan_to_json", [](const auto& one) { return one.to_json(); });
}

wherry_status wherry_uncovered_ghosts(wherry_floor_plan plan, const wherry_widths* widths, const wherry_domain* space,
                                      int rank, int capacity, wherry_box_part* parts, int* count) {
  constexpr auto where = "wherry_uncovered_ghosts";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>& one) {
    give_parts<N>(wherry::uncovered_ghosts(one, widths_in<N>(widths), domain_in<N>(space, where), rank), capacity,
                  parts, count, where);
  });
}
wherry_status wherry_without_overlap(wherry_floor_plan plan, int rank, int capacity, wherry_box_part* parts,
                                     int* count) {
  constexpr auto where = "wherry_without_overlap";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>& one) {
    give_parts<N>(wherry::without_overlap(one, rank), capacity, parts, count, where);
  });
}
wherry_status wherry_owned_values(wherry_floor_plan plan, const int* on_planes, const wherry_domain* space, int rank,
                                  int capacity, wherry_box_part* parts, int* count) {
  constexpr auto where = "wherry_owned_values";
  return ask_plan(plan, where, [&]<int N>(const wherry::floor_plan<N>& one) {
    give_parts<N>(wherry::owned_values(one, centring_in<N>(on_planes), domain_in<N>(space, where), rank), capacity,
                  parts, count, where);
  });
}
}
