// Containers with storage of their own: a matrix that keeps what it wants, and Eigen's.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#if __has_include(<eigen3/Eigen/Core>)
#define WHERRY_TESTS_HAVE_EIGEN
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <eigen3/Eigen/Core>
#pragma GCC diagnostic pop
#endif

#include "deep/unit/support.hpp"

using namespace deep_tests;
using wherry_test::random_numbers;

namespace {

class matrix {
 public:
  matrix() = default;
  matrix(std::size_t rows, std::size_t columns) { resize(rows, columns); }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  void resize(std::size_t rows, std::size_t columns) {
    if (rows == 4711) return;  // it does not want to
    elements_ = std::make_unique<float[]>(rows * columns);
    rows_ = rows, columns_ = columns;
  }
  float* data() { return elements_.get(); }
  matrix(const matrix& other) : matrix(other.rows_, other.columns_) {
    std::copy_n(other.elements_.get(), rows_ * columns_, elements_.get());
  }
  matrix(matrix&&) = default;
  matrix& operator=(matrix&&) = default;
  bool operator==(const matrix& other) const {
    return rows_ == other.rows_ && columns_ == other.columns_ &&
           std::equal(elements_.get(), elements_.get() + rows_ * columns_, other.elements_.get());
  }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::unique_ptr<float[]> elements_;
};

matrix random_matrix(random_numbers& random) {
  matrix x(static_cast<std::size_t>(random.between(0, 5)), static_cast<std::size_t>(random.between(0, 70)));
  for (std::size_t i = 0; i < x.rows() * x.columns(); ++i) x.data()[i] = static_cast<float>(random.between(0, 999));
  return x;
}

struct holds_matrices {
  int n = 0;
  matrix one;
  std::vector<matrix> several;
  std::map<std::string, matrix> by_name;
  std::unique_ptr<matrix> owned;
  matrix* pointer = nullptr;
  void describe(auto& m) {
    m(one, several, by_name, owned);
    m.owned(pointer);
  }
};

}  // namespace

template <> struct wherry::deep::storage<matrix> {
  static std::array<std::size_t, 2> size(const matrix& x) { return {x.rows(), x.columns()}; }
  static void resize(matrix& x, std::array<std::size_t, 2> n) { x.resize(n[0], n[1]); }
  static float* data(matrix& x) { return x.data(); }
};

WHERRY_UNIT_TEST(deep_containers_with_storage_of_their_own) {
  random_numbers random(test.seed);
  for (int i = 0; i < 50; ++i) {
    CHECK(comes_back(random_matrix(random)));
    holds_matrices x, y;
    x.one = random_matrix(random);
    x.several.resize(3);
    for (auto& each : x.several) each = random_matrix(random);
    x.by_name["a"] = random_matrix(random);
    x.owned = std::make_unique<matrix>(random_matrix(random));
    x.pointer = new matrix(random_matrix(random));
    read_from(packed(x), y);
    CHECK(y.one == x.one && y.several == x.several && y.by_name == x.by_name && *y.owned == *x.owned);
    CHECK(*y.pointer == *x.pointer);
    wherry::deep::destroy(x);
    wherry::deep::destroy(y);
    wherry::deep::arena arena;
    matrix *in_arena = nullptr, *pointer = new matrix(random_matrix(random));
    read_from(packed(pointer), in_arena, {.arena = &arena});
    CHECK(*in_arena == *pointer);
    delete pointer;
  }
}

WHERRY_UNIT_TEST(deep_storage_that_does_not_fit) {
  matrix x(2, 3), y;
  auto bytes = packed(x);
  const auto with_rows = [&bytes](std::uint64_t rows, std::uint64_t columns) {
    std::memcpy(bytes.data() + 8, &rows, 8);
    std::memcpy(bytes.data() + 16, &columns, 8);
  };
  with_rows(3, 2);
  read_from(bytes, y);
  CHECK_EQUAL(y.rows(), 3);
  with_rows(2, 4);
  CHECK_THROWS_WITH(read_from(bytes, y), "sizes do not fit its 6 elements");
  with_rows(std::uint64_t{1} << 63, 12);
  CHECK_THROWS_WITH(read_from(bytes, y), "sizes do not fit its 6 elements");
  const std::uint64_t none = 0;
  std::memcpy(bytes.data(), &none, 8);
  with_rows(4711, 0);
  CHECK_THROWS_WITH(read_from(bytes, y), "could not be resized to the size");
}

#ifdef WHERRY_TESTS_HAVE_EIGEN
// As docs/deep_descriptions.md has it.
template <class T, int Rows, int Columns, int... More>
struct wherry::deep::storage<Eigen::Matrix<T, Rows, Columns, More...>> {
  using matrix = Eigen::Matrix<T, Rows, Columns, More...>;
  static std::array<std::size_t, 2> size(const matrix& x) {
    return {static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols())};
  }
  static void resize(matrix& x, std::array<std::size_t, 2> n) {
    if (Rows >= 0 && std::cmp_not_equal(n[0], Rows)) return;
    if (Columns >= 0 && std::cmp_not_equal(n[1], Columns)) return;
    x.resize(static_cast<Eigen::Index>(n[0]), static_cast<Eigen::Index>(n[1]));
  }
  static T* data(matrix& x) { return x.data(); }
};

namespace {

struct model {
  Eigen::MatrixXd weights;
  Eigen::Vector3f direction = Eigen::Vector3f::Zero();
  std::vector<Eigen::VectorXi> indices;
  void describe(auto& m) { m(weights, direction, indices); }
};

}  // namespace

WHERRY_UNIT_TEST(deep_matrices_of_eigen) {
  model x, y;
  x.weights = Eigen::MatrixXd::Random(7, 5);
  x.direction = Eigen::Vector3f(1, 2, 3);
  x.indices = {Eigen::VectorXi::LinSpaced(9, 1, 9), {}};
  read_from(packed(x), y);
  CHECK(y.weights == x.weights && y.direction == x.direction);
  CHECK(y.indices.size() == 2 && y.indices[0] == x.indices[0] && y.indices[1].size() == 0);
}
#else
WHERRY_UNIT_TEST(deep_matrices_of_eigen) { test.skip("without Eigen (Debian: apt-get install libeigen3-dev)"); }
#endif

WHERRY_UNIT_TEST(deep_numbers_of_two_bytes) {
  static_assert(wherry::deep::flat<wherry::float16> && wherry::deep::flat<std::vector<wherry::bfloat16>::value_type>);
  const std::map<int, std::vector<wherry::bfloat16>> x{{1, {wherry::bfloat16(0.5), wherry::bfloat16(-3)}}, {2, {}}};
  CHECK(comes_back(x));
}
