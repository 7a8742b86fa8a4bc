#include "every_reduction.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/harness.hpp"
#include "support/every_operation.hpp"
#include "support/random.hpp"

namespace collective_oracle {
namespace {

using wherry_test::operation;

template <class T> T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T> void write(std::byte* to, const T& value) { std::memcpy(to, &value, sizeof value); }

MPI_Op op_of(operation what) {
  switch (what) {
    case operation::sum:
      return MPI_SUM;
    case operation::product:
      return MPI_PROD;
    case operation::minimum:
      return MPI_MIN;
    case operation::maximum:
      return MPI_MAX;
    case operation::bits_and:
      return MPI_BAND;
    case operation::bits_or:
      return MPI_BOR;
    case operation::bits_xor:
      return MPI_BXOR;
    case operation::all_true:
      return MPI_LAND;
    case operation::any_true:
      return MPI_LOR;
    case operation::one_true:
      return MPI_LXOR;
  }
  return MPI_OP_NULL;
}

template <class T> reduction_row row_of(std::string name, MPI_Datatype type, operation what) {
  return {std::move(name) + ", " + std::string(name_of(what)),
          type,
          op_of(what),
          sizeof(T),
          false,
          [what](std::byte* element, std::uint64_t random, std::size_t place) {
            write(element, wherry_test::number_for<T>(what, random, place));
          },
          [what](std::byte* into, const std::byte* right) {
            write(into, wherry_test::worked_out(what, read<T>(into), read<T>(right)));
          },
          [](const std::byte* a, const std::byte* b) { return read<T>(a) == read<T>(b); },
          [](const std::byte* element) { return wherry_test::show(read<T>(element)); }};
}

// A value, and where it is from: the least place of equal ones.
template <class T, class Place> struct placed {
  T value;
  Place place;
};

template <class T, class Place> reduction_row place_of(std::string name, MPI_Datatype type, bool of_least) {
  using both = placed<T, Place>;
  return {std::move(name) + (of_least ? ", place of the least" : ", place of the most"),
          type,
          of_least ? MPI_MINLOC : MPI_MAXLOC,
          sizeof(both),
          false,
          [](std::byte* element, std::uint64_t random, std::size_t) {
            write(element + offsetof(both, value), static_cast<T>(static_cast<int>(random % 5) - 2));
            write(element + offsetof(both, place), static_cast<Place>(static_cast<int>(random / 5 % 100)));
          },
          [of_least](std::byte* into, const std::byte* right) {
            const auto a = read<T>(into + offsetof(both, value)), b = read<T>(right + offsetof(both, value));
            const auto p = read<Place>(into + offsetof(both, place)), q = read<Place>(right + offsetof(both, place));
            const bool takes_right = a == b ? q < p : (b < a) == of_least;
            if (!takes_right) return;
            write(into + offsetof(both, value), b);
            write(into + offsetof(both, place), q);
          },
          [](const std::byte* a, const std::byte* b) {
            return read<T>(a + offsetof(both, value)) == read<T>(b + offsetof(both, value)) &&
                   read<Place>(a + offsetof(both, place)) == read<Place>(b + offsetof(both, place));
          },
          [](const std::byte* element) {
            return wherry_test::show(read<T>(element + offsetof(both, value))) + " at " +
                   wherry_test::show(read<Place>(element + offsetof(both, place)));
          }};
}

class table {
 public:
  std::vector<reduction_row> rows;

  // What C's integer types can. All but the logical "xor" are ours.
  template <class T> void c_integer(const char* name, MPI_Datatype type) {
    for (const auto what : wherry_test::every_operation)
      add<T>(name, type, what, what != wherry_test::operation::one_true);
  }
  // Fortran's, and addresses and counts: nothing logical.
  template <class T> void integer(const char* name, MPI_Datatype type) {
    for (const auto what : wherry_test::every_operation)
      if (!is_logical(what)) add<T>(name, type, what, true);
  }
  template <class T> void number(const char* name, MPI_Datatype type) {
    for (const auto what : wherry_test::every_operation)
      if (wherry_test::has<T>(what)) add<T>(name, type, what, what != wherry_test::operation::one_true);
  }
  void bytes() {
    for (const auto what : wherry_test::every_operation)
      if (is_bitwise(what)) add<unsigned char>("MPI_BYTE", MPI_BYTE, what, false);
  }
  template <class T, class Place> void pair(const char* name, MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return;
    for (const bool of_least : {false, true}) rows.push_back(place_of<T, Place>(name, type, of_least));
  }

 private:
  template <class T> void add(const char* name, MPI_Datatype type, operation what, bool ours) {
    if (type == MPI_DATATYPE_NULL) return;  // an MPI without Fortran
    rows.push_back(row_of<T>(name, type, what));
    rows.back().ours = ours;
  }
};

// MPI's own on one rank.
std::vector<std::byte> by_mpi(const reduction_row& row, std::uint64_t seed, int last, std::size_t count) {
  auto all = row.contribution(seed, 0, count);
  for (int rank = 1; rank <= last; ++rank) {
    auto next = row.contribution(seed, rank, count);
    MPI_Reduce_local(all.data(), next.data(), static_cast<int>(count), row.type, row.op);
    all = std::move(next);
  }
  return all;
}

std::vector<std::byte> by_oracle(const reduction_row& row, std::uint64_t seed, int last, std::size_t count) {
  auto all = row.contribution(seed, 0, count);
  for (int rank = 1; rank <= last; ++rank) {
    const auto next = row.contribution(seed, rank, count);
    for (std::size_t i = 0; i < count; ++i) row.apply(all.data() + i * row.bytes, next.data() + i * row.bytes);
  }
  return all;
}

bool mpi_is_right(const reduction_row& row) {
  constexpr std::size_t count = 200;
  const auto is = by_mpi(row, 5, 2, count), should_be = by_oracle(row, 5, 2, count);
  for (std::size_t i = 0; i < count; ++i)
    if (!row.same(is.data() + i * row.bytes, should_be.data() + i * row.bytes)) return false;
  return true;
}

std::vector<reduction_row> make_table() {
  table all;
  all.c_integer<char>("MPI_CHAR", MPI_CHAR);
  all.c_integer<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR);
  all.c_integer<short>("MPI_SHORT", MPI_SHORT);
  all.c_integer<int>("MPI_INT", MPI_INT);
  all.c_integer<long>("MPI_LONG", MPI_LONG);
  all.c_integer<long long>("MPI_LONG_LONG", MPI_LONG_LONG);
  all.c_integer<std::int8_t>("MPI_INT8_T", MPI_INT8_T);
  all.c_integer<std::int16_t>("MPI_INT16_T", MPI_INT16_T);
  all.c_integer<std::int32_t>("MPI_INT32_T", MPI_INT32_T);
  all.c_integer<std::int64_t>("MPI_INT64_T", MPI_INT64_T);
  all.c_integer<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR);
  all.c_integer<unsigned short>("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT);
  all.c_integer<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED);
  all.c_integer<unsigned long>("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG);
  all.c_integer<unsigned long long>("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG);
  all.c_integer<std::uint8_t>("MPI_UINT8_T", MPI_UINT8_T);
  all.c_integer<std::uint16_t>("MPI_UINT16_T", MPI_UINT16_T);
  all.c_integer<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T);
  all.c_integer<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T);
  all.integer<MPI_Fint>("MPI_INTEGER", MPI_INTEGER);
  all.integer<MPI_Aint>("MPI_AINT", MPI_AINT);
  all.integer<MPI_Count>("MPI_COUNT", MPI_COUNT);
  all.integer<MPI_Offset>("MPI_OFFSET", MPI_OFFSET);
  all.number<float>("MPI_FLOAT", MPI_FLOAT);
  all.number<double>("MPI_DOUBLE", MPI_DOUBLE);
  all.number<float>("MPI_REAL", MPI_REAL);
  all.number<double>("MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION);
  all.number<long double>("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE);
  all.number<bool>("MPI_C_BOOL", MPI_C_BOOL);
  all.number<std::complex<float>>("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX);
  all.number<std::complex<double>>("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX);
  all.number<std::complex<long double>>("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX);
  all.number<std::complex<float>>("MPI_COMPLEX", MPI_COMPLEX);
  all.number<std::complex<double>>("MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX);
  all.bytes();
  all.pair<float, int>("MPI_FLOAT_INT", MPI_FLOAT_INT);
  all.pair<double, int>("MPI_DOUBLE_INT", MPI_DOUBLE_INT);
  all.pair<long, int>("MPI_LONG_INT", MPI_LONG_INT);
  all.pair<short, int>("MPI_SHORT_INT", MPI_SHORT_INT);
  all.pair<long double, int>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT);
  all.pair<int, int>("MPI_2INT", MPI_2INT);
  all.pair<MPI_Fint, MPI_Fint>("MPI_2INTEGER", MPI_2INTEGER);
  all.pair<float, float>("MPI_2REAL", MPI_2REAL);
  all.pair<double, double>("MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION);
  for (auto& row : all.rows)
    if (!row.ours && !mpi_is_right(row)) {
      wherry_test::log("this MPI's own arithmetic is wrong: " + row.name);
      row.apply = [type = row.type, op = row.op, bytes = row.bytes](std::byte* into, const std::byte* right) {
        std::vector<std::byte> result(right, right + bytes);
        MPI_Reduce_local(into, result.data(), 1, type, op);
        std::memcpy(into, result.data(), bytes);
      };
    }
  return std::move(all.rows);
}

}  // namespace

std::vector<std::byte> reduction_row::contribution(std::uint64_t seed, int rank, std::size_t count) const {
  std::vector<std::byte> all(count * bytes);
  for (std::size_t i = 0; i < count; ++i) put(all.data() + i * bytes, wherry_test::hash(seed, rank, i), i);
  return all;
}

std::vector<std::byte> reduction_row::result(std::uint64_t seed, int last, std::size_t count) const {
  return by_oracle(*this, seed, last, count);
}

const std::vector<reduction_row>& every_reduction() {
  static const auto all = make_table();
  return all;
}

}  // namespace collective_oracle
