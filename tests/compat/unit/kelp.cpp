// KeLP's names for the region calculus and the meta-data.
#include "kelp/kelp.hpp"

#include <sstream>
#include <string>

#include "harness/harness.hpp"

using namespace kelp;

namespace {

template <class T> std::string text_of(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

WHERRY_UNIT_TEST(kelp_regions_are_inclusive) {
  const Region2 A(3, -5, 7, -1);  // Fortran's A(3:7,-5:-1)
  CHECK_EQUAL(text_of(A), "[3:7,-5:-1]");
  CHECK_EQUAL(A.size(), 25);
  CHECK(A == Region2(Point2(3, -5), Point2(7, -1)));
  CHECK_EQUAL(A.lower(0), 3);
  CHECK_EQUAL(A.upper(1), -1);
  CHECK((A.extents() == Point2(5, 5)));
  CHECK(A.inside(Point2(7, -1)) && !A.inside(Point2(8, -1)));
  CHECK_EQUAL(text_of(grow(A, 1)), "[2:8,-6:0]");
  CHECK_EQUAL(text_of(grow(A, Point2(-1, 0))), "[4:6,-5:-1]");
  CHECK_EQUAL(text_of(shift(A, Point2(-3, 5))), "[0:4,0:4]");
  CHECK_EQUAL(text_of(A * Region2(5, -9, 9, -4)), "[5:7,-5:-4]");
  CHECK((A * Region2(8, -9, 9, -4)).empty());
  CHECK(Region2(3, 3, 2, 3).empty() && Region2().empty());
  CHECK_EQUAL(text_of(bounding(A, Region2(9, 0, 9, 0))), "[3:9,-5:0]");
  CHECK_EQUAL(text_of(coarsen(A, 2)), "[1:3,-3:-1]");
  CHECK_EQUAL(text_of(refine(Region1(-1, 1), 3)), "[-3:5]");
  CHECK_EQUAL(difference(A, grow(A, -1)).size(), 4);
  CHECK_EQUAL(text_of(Point3(1, 2, 3) - Point3(0, 2, 4)), "<1,0,-1>");

  Grid2<float> grid(A);
  CHECK(grid.region() == A);
  grid(3, -5) = 1;
  grid(7, -1) = 2;
  CHECK_EQUAL(grid.data()[0], 1.0f);
  CHECK_EQUAL(grid.data()[24], 2.0f);
}

WHERRY_UNIT_TEST(kelp_meta_data) {
  const Map halves({0, 0, 1});
  CHECK_EQUAL(halves(2), 1);
  CHECK_THROWS_WITH(halves(3), "no element 3 in a list of 3");
  const FloorPlan1 F({Region1(0, 4), Region1(5, 9), Region1(10, 14)}, halves);
  CHECK_EQUAL(F.owner(1), 0);
  CHECK(F(2) == Region1(10, 14));
  CHECK_EQUAL((F(2) * Region1(12, 20)).element(), 2);
  CHECK_EQUAL(text_of(F(2) * Region1(12, 20)), "[12:14]");
  CHECK_THROWS_WITH(FloorPlan1({Region1(0, 4)}, halves), "owners");

  // ⟨Rs, i, Rd, j⟩: i is the destination, j the source.
  MotionPlan1 M;
  M.Copy(F(0) * Region1(3, 4), F(1).on(Region1(8, 9)));
  M.copy(F(0), Region1(3, 4), F(1), Region1(8, 9));
  M.append({Region1(3, 4), 1, Region1(8, 9), 0});
  CHECK_EQUAL(M.size(), 3);
  for (int k = 1; k <= 3; ++k) {
    CHECK_EQUAL(M(k).i, 1);
    CHECK_EQUAL(M(k).j, 0);
    CHECK(M(k).Rs == Region1(3, 4) && M(k).Rd == Region1(8, 9));
  }
  CHECK_THROWS_WITH(M(0), "MotionPlan");
  M.Copy(F(0) * F(1), F(1) * F(0));  // nothing in common: no entry
  CHECK_EQUAL(M.size(), 3);
}
