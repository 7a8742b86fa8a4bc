// Points, boxes, layouts, views.
#include <array>
#include <set>
#include <vector>

#include "wherry/geometry/view.hpp"
#include "wherry/halo/field.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using box2 = wherry::box<2>;
using box3 = wherry::box<3>;

namespace {

box3 random_box(random_numbers& random) {
  box3 b;
  for (std::size_t d = 0; d < 3; ++d) {
    b.lower[d] = random.between(-3, 3);
    b.upper[d] = b.lower[d] + random.between(-1, 4);
  }
  return b;
}

bool shrunk_again(const box3& a, const wherry::point<3>& below, const wherry::point<3>& above) {
  const auto minus = [](wherry::point<3> p) {
    for (auto& x : p) x = -x;
    return p;
  };
  return grow(grow(a, below, above), minus(below), minus(above)) == a;
}

template <class Visit> void nearby_points(Visit visit) {
  for (int k = -5; k <= 8; ++k)
    for (int j = -5; j <= 8; ++j)
      for (int i = -5; i <= 8; ++i) visit(wherry::point<3>{i, j, k});
}

}  // namespace

// The algebra of boxes is the algebra of sets of points.
WHERRY_UNIT_TEST(boxes_are_sets_of_points) {
  for (int n = 0; n < 200; ++n) {
    random_numbers random(hash(test.seed, n));
    const auto a = random_box(random), b = random_box(random);
    const wherry::point<3> move{random.between(-2, 2), 1, 0}, below{1, 0, 2}, above{0, 1, 1};
    const auto both = intersection(a, b), moved = shift(a, move);
    wherry::index_t count = 0;
    bool right = true;
    nearby_points([&](const wherry::point<3>& p) {
      count += a.contains(p) ? 1 : 0;
      right = right && both.contains(p) == (a.contains(p) && b.contains(p));
      right = right && moved.contains(p) == a.contains({p[0] - move[0], p[1] - move[1], p[2] - move[2]});
    });
    CHECK(right);
    CHECK_EQUAL(a.size(), count);
    CHECK_EQUAL(a.empty(), count == 0);
    CHECK(intersection(a, b) == intersection(b, a));
    CHECK(intersection(a, a) == a);
    if (!a.empty()) CHECK(shrunk_again(a, below, above));
    std::set<std::array<wherry::index_t, 3>> seen;
    bool in_order = true;
    std::array<wherry::index_t, 3> before{};
    for_each_point(a, [&](const wherry::point<3>& p) {
      const std::array<wherry::index_t, 3> now{p[2], p[1], p[0]};  // dimension 0 fastest
      in_order = in_order && (seen.empty() || before < now) && a.contains(p);
      before = now;
      seen.insert(now);
    });
    CHECK(in_order);
    CHECK_EQUAL(seen.size(), count);
  }
}

WHERRY_UNIT_TEST(empty_boxes_are_equal) {
  CHECK((box2{{0, 0}, {0, 5}}) == (box2{{7, 7}, {3, 9}}));
  CHECK(!((box2{{0, 0}, {1, 5}}) == (box2{{0, 0}, {0, 5}})));
  CHECK_EQUAL((box2{{4, 4}, {1, 9}}).extent(0), 0);
  CHECK_EQUAL(wherry::box_of_extents<2>({3, 4}).size(), 12);
  CHECK((wherry::grow<2>(wherry::box_of_extents<2>({3, 4}), {1, 2}, {0, 1}) == box2{{-1, -2}, {3, 5}}));
}

WHERRY_UNIT_TEST(a_centring_on_planes_of_a_dimension_that_is_not_there) {
  CHECK((wherry::centring<3>::faces(2).on_planes == std::array{false, false, true}));
  CHECK((wherry::centring<3>::edges(0).on_planes == std::array{false, true, true}));
  CHECK_THROWS_WITH(wherry::centring<3>::faces(3), "faces: 'dimension' is 3, expected 0 to 2");
  CHECK_THROWS_WITH(wherry::centring<2>::edges(-1), "edges: 'dimension' is -1, expected 0 to 1");
}

// GCL, section 4: a place for each dimension in the order of increasing strides.
WHERRY_UNIT_TEST(layouts_order_strides) {
  const wherry::point<3> extents{4, 5, 6};
  CHECK((wherry::dense_strides(extents, wherry::fortran_layout<3>()) == wherry::point<3>{1, 4, 20}));
  CHECK((wherry::dense_strides(extents, wherry::c_layout<3>()) == wherry::point<3>{30, 6, 1}));
  CHECK((wherry::dense_strides(extents, wherry::layout<3>{{2, 0, 1}}) == wherry::point<3>{30, 1, 5}));
  CHECK((wherry::layout<3>{{2, 0, 1}}.is_permutation()));
  CHECK((!wherry::layout<3>{{2, 0, 2}}.is_permutation()));
  CHECK((!wherry::layout<3>{{1, 2, 3}}.is_permutation()));
  CHECK(wherry::fortran_layout<1>() == wherry::c_layout<1>());
}

namespace {

// What std::mdspan with layout_right looks like from outside.
struct foreign_array {
  double* memory;
  std::array<int, 2> extents;
  double* data_handle() const { return memory; }
  int extent(std::size_t d) const { return extents[d]; }
  int stride(std::size_t d) const { return d == 0 ? extents[1] : 1; }
  static constexpr std::size_t rank() { return 2; }
};

}  // namespace

WHERRY_UNIT_TEST(views_of_any_array) {
  std::vector<double> memory(12);
  for (std::size_t i = 0; i < 12; ++i) memory[i] = static_cast<double>(i);
  const foreign_array foreign{memory.data(), {3, 4}};
  static_assert(wherry::mdspan_like<foreign_array>);
  static_assert(std::is_convertible_v<foreign_array, wherry::view<double, 2>>);
  static_assert(!std::is_constructible_v<wherry::view<double, 3>, foreign_array>);
  const wherry::view<double, 2> taken = foreign;
  CHECK_EQUAL(taken(1, 2), 6.0);
  CHECK((taken.extents == wherry::point<2>{3, 4}) && (taken.strides == wherry::point<2>{4, 1}));

  const wherry::view<double, 2> fortran(memory.data(), {3, 4});
  CHECK_EQUAL(fortran(1, 2), 7.0);
  CHECK_EQUAL((fortran[{2, 3}]), 11.0);
  const wherry::view<double, 2> c(memory.data(), {3, 4}, wherry::c_layout<2>());
  CHECK_EQUAL(c(1, 2), 6.0);
  const wherry::view<double, 1> line{std::span<double>(memory)};
  CHECK_EQUAL(line(11), 11.0);
  const wherry::view<double, 1> backwards(memory.data() + 11, wherry::point<1>{12}, wherry::point<1>{-1});
  CHECK_EQUAL(backwards(11), 0.0);
  const wherry::view<const double, 1> constant(memory.data(), {12});
  CHECK_EQUAL(constant(3), 3.0);
  CHECK(fortran.whole() == wherry::box_of_extents<2>({3, 4}));
}

WHERRY_UNIT_TEST(halo_views_become_descriptors) {
  std::vector<float> memory(80);
  const auto typed = wherry::halo_around(memory, {5, 8}, {{1, 2}, {2, 0}}, wherry::c_layout<2>()).named("u");
  CHECK((typed.halo()[0] == wherry::halo_descriptor{1, 2, 1, 5, 8}));
  CHECK((typed.halo()[1] == wherry::halo_descriptor{2, 0, 2, 9, 10}));
  const auto plain = wherry::halo_of(typed);
  CHECK_EQUAL(plain.name, "u");
  CHECK_EQUAL(plain.element, 4);
  CHECK_EQUAL(plain.dimensions, 2);
  CHECK_EQUAL(plain.stride[0], 40);
  CHECK_EQUAL(plain.stride[1], 4);
  CHECK(plain.data == memory.data());
}
