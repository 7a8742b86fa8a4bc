#include "boxes.hpp"

#include <cstdint>

#include "wherry/geometry/box_calculus.hpp"
#include "wherry/geometry/box_list.hpp"

namespace wherry_c {
namespace {

/// Computes something of a box.
template <class Result, class Step>
wherry_status of_box(const wherry_box& box, Result* result, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    require_result(result, where, "result");
    with_dimensions_of(box, where, "box", [&]<int N>() { step(box_of<N>(box), *result); });
  });
}

/// Computes something of two boxes.
template <class Result, class Step>
wherry_status of_two(const wherry_box& a, const wherry_box& b, Result* result, std::string_view where,
                     Step&& step) noexcept {
  return guarded(where, [&] {
    require_result(result, where, "result");
    with_dimensions_of(a, where, "a", [&]<int N>() { step(box_of<N>(a), box_in<N>(b, where, "b"), *result); });
  });
}

/// The number of dimensions of lists of boxes; the lists may be empty.
const wherry_box* first_of(int count, const wherry_box* boxes) {
  return count > 0 && boxes != nullptr ? boxes : nullptr;
}

/// Computes a list of boxes from lists of boxes. Without any boxes there is nothing to compute.
template <class Step>
wherry_status of_lists(const wherry_box* first, int* count, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    require_result(count, where, "count");
    *count = 0;
    if (first == nullptr) return step.template operator()<1>();
    with_dimensions_of(*first, where, "boxes", step);
  });
}

template <class Layers>
wherry_status layers_of(const wherry_box& box, int dimension, int side, std::int64_t width, wherry_box* result,
                        std::string_view where, Layers&& layers) noexcept {
  return of_box(box, result, where, [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    if (dimension < 0 || dimension >= N) refuse(where, "'dimension' is ", dimension, ", expected 0 to ", N - 1);
    if (side != -1 && side != 1) refuse(where, "'side' is ", side, ", expected -1 or 1");
    if (width < 0) refuse(where, "'width' is ", width, ", expected 0 or more");
    out = box_of<N>(layers(cells));
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_box wherry_make_box(int dimensions, const int64_t* lower, const int64_t* upper) {
  wherry_box result{};
  result.dimensions = upper == nullptr ? 0 : dimensions;
  for (int d = 0; d < result.dimensions && d < WHERRY_MAX_DIMENSIONS; ++d) {
    result.lower[d] = lower == nullptr ? 0 : lower[d];
    result.upper[d] = upper[d];
  }
  return result;
}

wherry_status wherry_box_extents(wherry_box box, int64_t* extents) {
  constexpr auto where = "wherry_box_extents";
  return guarded(where, [&] {
    require_result(extents, where, "extents");
    with_dimensions_of(box, where, "box", [&]<int N>() {
      const auto all = box_of<N>(box).extents();
      std::copy(all.begin(), all.end(), extents);
    });
  });
}
wherry_status wherry_box_size(wherry_box box, int64_t* size) {
  constexpr auto where = "wherry_box_size";
  return guarded(where, [&] {
    require_result(size, where, "size");
    with_dimensions_of(box, where, "box", [&]<int N>() { *size = box_of<N>(box).size(); });
  });
}
wherry_status wherry_box_is_empty(wherry_box box, int* result) {
  return of_box(box, result, "wherry_box_is_empty", [](const auto& cells, int& out) { out = cells.empty() ? 1 : 0; });
}
wherry_status wherry_box_contains_point(wherry_box box, const int64_t* point, int* result) {
  constexpr auto where = "wherry_box_contains_point";
  return of_box(box, result, where, [&]<int N>(const wherry::box<N>& cells, int& out) {
    out = cells.contains(point_in<N>(point, where, "point")) ? 1 : 0;
  });
}
wherry_status wherry_box_contains(wherry_box box, wherry_box other, int* result) {
  return of_two(box, other, result, "wherry_box_contains",
                [](const auto& a, const auto& b, int& out) { out = a.contains(b) ? 1 : 0; });
}
wherry_status wherry_box_intersects(wherry_box a, wherry_box b, int* result) {
  return of_two(a, b, result, "wherry_box_intersects",
                [](const auto& one, const auto& two, int& out) { out = wherry::intersects(one, two) ? 1 : 0; });
}
wherry_status wherry_box_equals(wherry_box a, wherry_box b, int* result) {
  return of_two(a, b, result, "wherry_box_equals",
                [](const auto& one, const auto& two, int& out) { out = one == two ? 1 : 0; });
}

wherry_status wherry_box_intersection(wherry_box a, wherry_box b, wherry_box* result) {
  return of_two(a, b, result, "wherry_box_intersection",
                []<int N>(const wherry::box<N>& one, const wherry::box<N>& two, wherry_box& out) {
                  out = box_of<N>(intersection(one, two));
                });
}
wherry_status wherry_box_bounding(wherry_box a, wherry_box b, wherry_box* result) {
  return of_two(a, b, result, "wherry_box_bounding",
                []<int N>(const wherry::box<N>& one, const wherry::box<N>& two, wherry_box& out) {
                  out = box_of<N>(bounding_box(one, two));
                });
}
wherry_status wherry_box_shift(wherry_box box, const int64_t* offset, wherry_box* result) {
  constexpr auto where = "wherry_box_shift";
  return of_box(box, result, where, [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    out = box_of<N>(wherry::shift<N>(cells, point_in<N>(offset, where, "offset")));
  });
}
wherry_status wherry_box_grow(wherry_box box, int64_t width, wherry_box* result) {
  return of_box(box, result, "wherry_box_grow", [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    out = box_of<N>(wherry::grow<N>(cells, width));
  });
}
wherry_status wherry_box_grow_sides(wherry_box box, const int64_t* below, const int64_t* above, wherry_box* result) {
  constexpr auto where = "wherry_box_grow_sides";
  return of_box(box, result, where, [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    out = box_of<N>(wherry::grow<N>(cells, point_in<N>(below, where, "below"), point_in<N>(above, where, "above")));
  });
}
wherry_status wherry_box_coarsen(wherry_box fine, const int64_t* ratio, wherry_box* result) {
  constexpr auto where = "wherry_box_coarsen";
  return of_box(fine, result, where, [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    out = box_of<N>(wherry::coarsen<N>(cells, ratio_in<N>(ratio, where, "ratio")));
  });
}
wherry_status wherry_box_refine(wherry_box coarse, const int64_t* ratio, wherry_box* result) {
  constexpr auto where = "wherry_box_refine";
  return of_box(coarse, result, where, [&]<int N>(const wherry::box<N>& cells, wherry_box& out) {
    out = box_of<N>(wherry::refine<N>(cells, ratio_in<N>(ratio, where, "ratio")));
  });
}
wherry_status wherry_box_inner_layers(wherry_box box, int dimension, int side, int64_t width, wherry_box* result) {
  return layers_of(box, dimension, side, width, result, "wherry_box_inner_layers",
                   [&](const auto& cells) { return inner_layers(cells, dimension, side, width); });
}
wherry_status wherry_box_outer_layers(wherry_box box, int dimension, int side, int64_t width, wherry_box* result) {
  return layers_of(box, dimension, side, width, result, "wherry_box_outer_layers",
                   [&](const auto& cells) { return outer_layers(cells, dimension, side, width); });
}
wherry_status wherry_box_values(wherry_box cells, const int* on_planes, wherry_box* result) {
  return of_box(cells, result, "wherry_box_values", [&]<int N>(const wherry::box<N>& given, wherry_box& out) {
    out = box_of<N>(values_of(given, centring_in<N>(on_planes)));
  });
}

wherry_status wherry_box_difference(wherry_box a, wherry_box b, wherry_box* result, int* count) {
  constexpr auto where = "wherry_box_difference";
  return of_two(a, b, result, where, [&]<int N>(const wherry::box<N>& one, const wherry::box<N>& two, wherry_box&) {
    give_boxes<N>(difference(one, two), WHERRY_MAX_BOX_PARTS, result, count, where);
  });
}

wherry_status wherry_boxes_union(int box_count, const wherry_box* boxes, int capacity, wherry_box* result, int* count) {
  constexpr auto where = "wherry_boxes_union";
  return of_lists(first_of(box_count, boxes), count, where, [&]<int N>() {
    give_boxes<N>(union_of(boxes_in<N>(boxes, box_count, where, "boxes")), capacity, result, count, where);
  });
}
wherry_status wherry_boxes_difference(int a_count, const wherry_box* a, int b_count, const wherry_box* b, int capacity,
                                      wherry_box* result, int* count) {
  constexpr auto where = "wherry_boxes_difference";
  const auto* const first = first_of(a_count, a) != nullptr ? a : first_of(b_count, b);
  return of_lists(first, count, where, [&]<int N>() {
    give_boxes<N>(wherry::difference<N>(boxes_in<N>(a, a_count, where, "a"), boxes_in<N>(b, b_count, where, "b")),
                  capacity, result, count, where);
  });
}
wherry_status wherry_boxes_intersection(int a_count, const wherry_box* a, int b_count, const wherry_box* b,
                                        int capacity, wherry_box* result, int* count) {
  constexpr auto where = "wherry_boxes_intersection";
  const auto* const first = first_of(a_count, a) != nullptr ? a : first_of(b_count, b);
  return of_lists(first, count, where, [&]<int N>() {
    give_boxes<N>(wherry::intersection<N>(boxes_in<N>(a, a_count, where, "a"), boxes_in<N>(b, b_count, where, "b")),
                  capacity, result, count, where);
  });
}
wherry_status wherry_boxes_complement(int box_count, const wherry_box* boxes, wherry_box whole, int capacity,
                                      wherry_box* result, int* count) {
  constexpr auto where = "wherry_boxes_complement";
  return of_lists(&whole, count, where, [&]<int N>() {
    give_boxes<N>(complement(boxes_in<N>(boxes, box_count, where, "boxes"), box_of<N>(whole)), capacity, result, count,
                  where);
  });
}
wherry_status wherry_boxes_simplified(int box_count, const wherry_box* boxes, int capacity, wherry_box* result,
                                      int* count) {
  constexpr auto where = "wherry_boxes_simplified";
  return of_lists(first_of(box_count, boxes), count, where, [&]<int N>() {
    give_boxes<N>(simplified(boxes_in<N>(boxes, box_count, where, "boxes")), capacity, result, count, where);
  });
}
wherry_status wherry_boxes_size(int box_count, const wherry_box* boxes, int64_t* size) {
  constexpr auto where = "wherry_boxes_size";
  return guarded(where, [&] {
    require_result(size, where, "size");
    *size = 0;
    const auto given = list_of(boxes, box_count, where, "boxes");
    if (given.empty()) return;
    with_dimensions_of(given.front(), where, "boxes",
                       [&]<int N>() { *size = wherry::size(boxes_in<N>(boxes, box_count, where, "boxes")); });
  });
}

wherry_domain wherry_open_domain(wherry_box cells) { return {cells, {}}; }
wherry_domain wherry_torus(wherry_box cells) {
  wherry_domain result{cells, {}};
  for (int& one : result.periodic) one = 1;
  return result;
}
wherry_status wherry_domain_wrapped(const wherry_domain* space, const int64_t* point, int64_t* result) {
  constexpr auto where = "wherry_domain_wrapped";
  return guarded(where, [&] {
    require_result(space, where, "space");
    require_result(result, where, "result");
    with_dimensions_of(space->cells, where, "space", [&]<int N>() {
      const auto image = domain_in<N>(space, where).wrapped(point_in<N>(point, where, "point"));
      std::copy(image.begin(), image.end(), result);
    });
  });
}
wherry_status wherry_domain_refine(const wherry_domain* space, const int64_t* ratio, wherry_domain* result) {
  constexpr auto where = "wherry_domain_refine";
  return guarded(where, [&] {
    require_result(space, where, "space");
    require_result(result, where, "result");
    with_dimensions_of(space->cells, where, "space", [&]<int N>() {
      *result = domain_of<N>(wherry::refine<N>(domain_in<N>(space, where), ratio_in<N>(ratio, where, "ratio")));
    });
  });
}

wherry_widths wherry_same_widths(int64_t width) {
  wherry_widths result{};
  std::fill(std::begin(result.minus), std::end(result.minus), width);
  std::fill(std::begin(result.plus), std::end(result.plus), width);
  return result;
}
}
