// What the copy kernel moves, against moving one element after the other; and operations against the host's.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "wherry/device/device.hpp"
#include "wherry/plan/functions.hpp"

#include "device/device_handles.hpp"
#include "device/move_table.hpp"
#include "harness/harness.hpp"
#include "support/every_reduction.hpp"
#include "support/random.hpp"
#include "support/random_blocks.hpp"

using namespace wherry;
using namespace wherry_test;

namespace {

const device& fake() { return fake_device(); }

// A field on the device that begins anywhere, and its image on the host.
struct device_field {
  device_field(const bytes& content, std::size_t shift)
      : image(fake(), device_bytes::where::pinned, content.size() + 1),
        memory(fake(), device_bytes::where::on_device, content.size() + shift + 1),
        first(memory.get() + shift) {
    std::copy(content.begin(), content.end(), image.get());
  }
  void copy(device_stream stream, bool there) {
    if (there)
      fake().copy(stream, first, image.get(), image.size());
    else
      fake().copy(stream, image.get(), first, image.size());
  }

  device_bytes image, memory;
  std::byte* first;
};

// Moves from one field to another on the device; gives what the second has then.
bytes moved(const plans::schedule& plan, const plans::block& from, const plans::block& to, const bytes& source,
            const bytes& target, std::int64_t alignment, const operation_on_device& how = {}, bool as_long = false) {
  const owned_stream stream(fake());
  const auto shift = static_cast<std::size_t>(alignment % 16);
  device_field a(source, shift), b(target, shift);
  a.copy(stream, true);
  b.copy(stream, true);
  move_builder builder(plan, alignment);
  builder.add(from, to, how);
  builder.long_moves = builder.long_moves || as_long;
  const move_table table(fake(), stream, std::move(builder), 2);
  const device_bytes pointers(fake(), device_bytes::where::pinned, 2 * sizeof(void*));
  const field_places both{{a.first, b.first}};
  std::memcpy(pointers.get(), both.few, pointers.size());
  table.run(stream, as_long ? field_places{{}, reinterpret_cast<void* const*>(pointers.get())} : both);
  b.copy(stream, false);
  fake().finish(stream);
  return {b.image.get(), b.image.get() + target.size()};
}

std::int64_t cells_of(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

WHERRY_UNIT_TEST(device_moves_between_any_two_blocks) {
  random_numbers random(test.seed);
  for (int i = 0; i < 1500; ++i) {
    plans::schedule plan;
    const std::int64_t element = random_element(random);
    auto extents = random_extents(random, 400);
    std::int64_t sizes[] = {random.one_of({0, 3, 16}), random.one_of({0, 5, 16})};
    const auto any_block = [&](std::int32_t field) {
      auto& size = sizes[static_cast<std::size_t>(field)];
      if (random.chance(25))
        return random_indexed(random, field, element, cells_of(extents), size, plan, random.between(0, 1) * element);
      random.shuffle(extents);
      return random_strided(random, field, element, extents, size, random.one_of({1, 4, 16}));
    };
    const auto from = any_block(0), to = any_block(1);
    const auto source = random_bytes(random, static_cast<std::size_t>(sizes[0])),
               target = random_bytes(random, static_cast<std::size_t>(sizes[1]));
    auto expected = target;
    for (std::size_t k = 0; k < from.elements.size(); ++k)
      std::memcpy(expected.data() + to.elements[k], source.data() + from.elements[k],
                  static_cast<std::size_t>(element));
    const std::int64_t alignment = random.one_of({1, 2, 4, 8, 16});
    const auto result = moved(plan, from.what, to.what, source, target, alignment, {}, random.chance(20));
    if (wherry_test::fault(result != expected)) {
      FAIL(detail::text("case ", i, " of seed ", test.seed, ": elements of ", element, " bytes, ", from.elements.size(),
                        " of them"));
      return;
    }
  }
}

// The cells beside both ends of a field's rows, each from the other end: one move, whose threads go from end to end.
WHERRY_UNIT_TEST(copies_of_one_shape_are_one_move) {
  constexpr std::int64_t width = 3, row = 16, rows = 200, cell = 8;
  const std::array<std::int64_t, 2> extents{width, rows}, strides{cell, row * cell};
  const auto cells_from = [&](std::int64_t first) {
    return plans::strided_block(0, cell, first * cell, extents, strides);
  };
  plans::schedule plan;
  move_builder builder(plan, 8);
  builder.add(cells_from(row - 2 * width), cells_from(0));
  builder.add(cells_from(width), cells_from(row - width));
  builder.add(plans::strided_block(0, cell, rows * row * cell, std::array<std::int64_t, 1>{5},
                                   std::array<std::int64_t, 1>{cell}),
              plans::strided_block(0, cell, (rows * row + 5) * cell, std::array<std::int64_t, 1>{5},
                                   std::array<std::int64_t, 1>{cell}));
  random_numbers random(test.seed);
  auto expected = random_bytes(random, static_cast<std::size_t>((rows * row + 10) * cell));
  device_field field(expected, 0);
  const auto copy_cell = [&](std::int64_t to, std::int64_t from) {
    std::copy_n(expected.begin() + from * cell, cell, expected.begin() + to * cell);
  };
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < width; ++i) {
      copy_cell(r * row + i, r * row + row - 2 * width + i);
      copy_cell(r * row + row - width + i, r * row + width + i);
    }
  for (std::int64_t i = 0; i < 5; ++i) copy_cell(rows * row + 5 + i, rows * row + i);

  auto made = builder;
  made.finish();
  CHECK(made.moves.size() == 2);
  CHECK(made.moves[0].from.loops == 3 && made.loops[made.moves[0].from.first_loop + 1].extent.number == 2);
  const owned_stream stream(fake());
  const move_table table(fake(), stream, std::move(builder), 1);
  field.copy(stream, true);
  table.run(stream, {{field.first}});
  field.copy(stream, false);
  fake().finish(stream);
  CHECK(bytes(field.image.get(), field.image.get() + expected.size()) == expected);
}

// Joined, copies whose places 32 bits do not count together would all be made with numbers of 64.
WHERRY_UNIT_TEST(copies_far_from_each_other_stay_two) {
  const std::array<std::int64_t, 2> extents{3, 100}, strides{8, 800};
  const auto joined = [&](std::int64_t apart) {
    plans::schedule plan;
    move_builder builder(plan, 8);
    builder.add(plans::strided_block(0, 8, 0, extents, strides), plans::strided_block(1, 8, 0, extents, strides));
    builder.add(plans::strided_block(0, 8, apart, extents, strides), plans::strided_block(1, 8, 80, extents, strides));
    builder.finish();
    CHECK(!builder.long_moves);
    return builder.moves.size() == 1;
  };
  CHECK(joined(std::int64_t{8} << 29));
  CHECK(!joined(std::int64_t{8} << 30));
  CHECK(!joined(std::int64_t{8} << 40));
}

// Fields of 16 GiB and more are reached with numbers of 64 bits, others of as many cells with numbers of 32.
WHERRY_UNIT_TEST(moves_that_reach_far_are_long) {
  const auto is_long = [](std::int64_t planes, std::int64_t plane) {
    const std::array<std::int64_t, 3> extents{3, 1000, planes}, strides{8, 8000, plane};
    plans::schedule plan;
    move_builder builder(plan, 8);
    builder.add(plans::strided_block(0, 8, 0, extents, strides), plans::strided_block(1, 8, 0, extents, strides));
    return builder.long_moves;
  };
  CHECK(!is_long(1000, 8 * 1000 * 1000));
  CHECK(is_long(3000, 8 * 1000 * 1000));
  CHECK(is_long(2, std::int64_t{1} << 40));
}

// Places beyond 32 bits: the list says so, and what it means is far away on both sides of the field's pointer.
WHERRY_UNIT_TEST(device_moves_by_lists_of_wide_places) {
  plans::schedule plan;
  const std::int64_t far = std::int64_t{1} << 33;
  const std::vector<std::int64_t> places{far + 2, far, far + 1};
  auto from = plans::indexed_block(0, 4, plan.indices.add(places), 3, 4);
  from.offset = -4 * far;
  const std::array<std::int64_t, 1> extents{3}, strides{4};
  const auto to = plans::strided_block(1, 4, 0, extents, strides);
  const std::int32_t numbers[] = {10, 11, 12}, wanted[] = {12, 10, 11};
  bytes source(12), expected(12);
  std::memcpy(source.data(), numbers, 12);
  std::memcpy(expected.data(), wanted, 12);
  CHECK(moved(plan, from, to, source, bytes(12), 16) == expected);
}

namespace {

template <class T> T any_number(random_numbers& random) {
  if constexpr (std::is_floating_point_v<T>) {
    if (random.chance(10)) return random.chance(50) ? T(0) : -T(0);
    if (random.chance(10)) return std::numeric_limits<T>::quiet_NaN();
    return static_cast<T>(random.between(-100000, 100000)) / T(3);
  } else if constexpr (detail::is_small_float<T>) {
    return T(any_number<float>(random));
  } else if constexpr (requires(T z) { z.real(); }) {
    using part = typename T::value_type;
    return {static_cast<part>(random.between(-99, 99)) / 7, static_cast<part>(random.between(-99, 99)) / 3};
  } else {
    return static_cast<T>(random.next());
  }
}

// Numbers that all types have, so that no conversion is undefined.
template <class T> T small_number(random_numbers& random) {
  if constexpr (std::is_arithmetic_v<T> || detail::is_small_float<T>)
    return static_cast<T>(random.between(0, 100));
  else
    return any_number<T>(random);
}

// A dense row of `From` onto every second `To`, with `how`, there and by the host.
template <class To, class From>
void compare(context& test, const plans::typed_reduction& how, random_numbers& random, bool small) {
  constexpr std::size_t count = 37;
  std::vector<From> source(count);
  std::vector<To> target(2 * count);
  for (auto& x : source) x = small ? small_number<From>(random) : any_number<From>(random);
  for (auto& x : target) x = small ? small_number<To>(random) : any_number<To>(random);
  const std::array<std::int64_t, 1> extents{count}, dense{sizeof(From)}, strided{2 * sizeof(To)};
  const auto from = plans::strided_block(0, sizeof(From), 0, extents, dense);
  const auto to = plans::strided_block(1, sizeof(To), 0, extents, strided);
  const auto as_bytes = [](const auto& list) {
    bytes all(list.size() * sizeof(list[0]));
    std::memcpy(all.data(), list.data(), all.size());
    return all;
  };
  const auto result =
      moved(plans::schedule{}, from, to, as_bytes(source), as_bytes(target), 16, operation_on_device(&how));
  for (std::size_t i = 0; i < count; ++i) how.apply(&target[2 * i], &source[i], 1);
  if (fault(result != as_bytes(target)))
    FAIL(detail::text("'", how.name, "' on ", to_string(how.type), " from ", to_string(how.wire_type)));
  static_cast<void>(test);
}

template <class... T> struct numbers {};
using all_numbers = numbers<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t, wherry::float16, wherry::bfloat16, float, double>;

template <class T> void compare_all_of(context& test, random_numbers& random) {
  for (const auto what : wherry_test::every_operation)
    if (wherry_test::has<T>(what) && wherry_test::is_known(what))
      compare<T, T>(test, wherry_test::reduction_of<T>(what), random, false);
}
template <class... To, class From> void convert_from(context& test, random_numbers& random, numbers<To...>, From) {
  (compare<To, From>(test, convert<To, From>(), random, true), ...);
}
template <class... T> void compare_everything(context& test, random_numbers& random, numbers<T...>) {
  (compare_all_of<T>(test, random), ...);
  (convert_from(test, random, all_numbers{}, T{}), ...);
}

}  // namespace

WHERRY_UNIT_TEST(device_operations_are_the_hosts) {
  random_numbers random(test.seed);
  compare_everything(test, random, all_numbers{});
  using z = std::complex<double>;
  compare<z, z>(test, wherry::reduction_of<z>(std::plus<>{}), random, false);
  compare<z, std::complex<float>>(test, convert<z, std::complex<float>>(), random, false);
}

WHERRY_UNIT_TEST(device_does_no_code_of_the_users) {
  const auto own = make_reduction<double>("add", [](double a, double b) { return a + b; });
  CHECK_THROWS_WITH(operation_on_device(&own), "is a function of yours, which a device cannot run");
  const auto of_longs = wherry::reduction_of<long double>(std::plus<>{});
  CHECK_THROWS_WITH(operation_on_device(&of_longs), "is not possible on a device");
  const auto product = wherry::reduction_of<std::complex<double>>(std::multiplies<>{});
  CHECK_THROWS_WITH(operation_on_device(&product), "is not possible on a device");
  move_builder builder(plans::schedule{}, 16);
  CHECK_THROWS_WITH(builder.add(plans::called_block(0, 0, 8), plans::called_block(1, 0, 8)), "do not run on a device");
}
