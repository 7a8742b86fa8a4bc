// Runs of all lengths: short ones, which have moves of their own, and long ones, which go to another core in bulk.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "compiled_message.hpp"
#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

// Each length has moves of its own, or shares them with those about as long.
WHERRY_UNIT_TEST(runs_of_every_length) {
  random_numbers random(test.seed);
  for (std::int64_t run = 1; run <= 300; ++run)
    for (int loops = 0; loops <= 3; ++loops) {
      std::vector<std::int64_t> extents{run}, strides{1}, other_strides{1};
      std::int64_t end = run, other_end = run;
      for (int d = 0; d < loops; ++d) {
        extents.push_back(random.between(2, d == 0 ? 20 : 3));
        strides.push_back(end + random.between(1, 9));
        other_strides.push_back(other_end + random.between(1, 9));
        end = strides.back() * extents.back();
        other_end = other_strides.back() * extents.back();
      }
      const auto from = wherry::plans::strided_block(0, 1, 0, extents, strides),
                 to = wherry::plans::strided_block(1, 1, 0, extents, other_strides);
      arrangement a;
      a.fields = {random_bytes(random, static_cast<std::size_t>(end)),
                  random_bytes(random, static_cast<std::size_t>(other_end))};
      auto expected = a.fields, packed = a.fields;
      std::array<std::int64_t, 4> at{};
      for (bool more = true; more;) {  // run by run
        std::int64_t here = 0, there = 0;
        for (std::size_t d = 1; d < extents.size(); ++d) here += at[d] * strides[d], there += at[d] * other_strides[d];
        std::copy_n(a.fields[0].begin() + here, run, expected[1].begin() + there);
        more = false;
        for (std::size_t d = 1; d < extents.size() && !more; ++d) more = ++at[d] < extents[d] || (at[d] = 0) != 0;
      }
      const wherry::plans::functions none;
      const compiled_message sent(a.plan, {from}, wherry::detail::store, none),
          received(a.plan, {to}, wherry::detail::store, none);
      bytes wire(sent.packing.bytes());
      sent.packing.pack(table(packed), wire.data());
      received.packing.unpack(table(packed), wire.data());
      if (fault(packed != expected)) FAIL(wherry::detail::text("packed wrongly: ", loops, " loops of runs of ", run));
      run_copies(a.plan, {{from, to}}, none, table(a.fields), table(a.fields));
      if (fault(a.fields != expected)) FAIL(wherry::detail::text("copied wrongly: ", loops, " loops of runs of ", run));
    }
}

// Past what a bounce buffer takes, as is known of a near reader's, and as is tried for one whose distance is not known.
WHERRY_UNIT_TEST(long_runs_packed_in_bulk) {
  random_numbers random(test.seed);
  arrangement a;
  std::int64_t size = 0;
  const auto add = [&](std::vector<std::int64_t> extents, std::vector<std::int64_t> strides) {
    a.blocks.push_back({wherry::plans::strided_block(0, 1, size, extents, strides), {}});
    for (std::int64_t row = 0; row < (extents.size() > 1 ? extents[1] : 1); ++row)
      for (std::int64_t i = 0; i < extents[0]; ++i)
        a.blocks.back().elements.push_back(size + (extents.size() > 1 ? row * strides[1] : 0) + i);
    size += extents.back() * strides.back() + 8;
  };
  add({300000}, {1});
  add({40, 17}, {1, 64});
  add({1 << 20}, {1});
  add({300000, 2}, {1, 300100});
  add({5}, {1});
  a.fields.push_back(random_bytes(random, static_cast<std::size_t>(size)));
  const wherry::plans::functions none;
  const compiled_message message(a, wherry::detail::store, none);
  bytes wire(message.packing.bytes()), bounce(4096);
  const auto is_right = [&] {
    bool right = true;
    std::int64_t at = 0;
    for (const auto& b : a.blocks) {
      at = wherry::plans::align_on_wire(at);
      for (const auto offset : b.elements)
        right = right && wire[static_cast<std::size_t>(at++)] == a.fields[0][static_cast<std::size_t>(offset)];
    }
    return right;
  };
  wherry::copies_for_reader to_wire;
  for (int time = 0; time < 40; ++time) {
    std::fill(wire.begin(), wire.end(), bytes::value_type{});
    to_wire.begin(wire.data(), wire.size());
    message.packing.pack_in_bulk(table(a.fields), bounce, wire.data(), to_wire);
    to_wire.end();
    if (fault(!is_right())) FAIL("packed wrongly the " + std::to_string(time) + "th time");
  }
}
