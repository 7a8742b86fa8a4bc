// What all files have in common believes nothing: damage, other versions, other machines and parts of other files.
#include "core/sealed_header.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "core/xxhash3.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

using bytes = std::vector<std::byte>;

constexpr wherry::file_kind kind{{0x93, 'T', 'E', 'S', 'T', '\r', '\n', 0x1A}, 5, "reader", "a test file"};

bytes a_header(std::size_t size, random_numbers& random) {
  bytes header(size);
  for (auto& b : header) b = static_cast<std::byte>(random.next());
  wherry::seal(kind, header, {1, ~std::uint64_t{0}, 3});
  return header;
}

/// As somebody would who knows the format.
void sign(bytes& header) {
  const auto sum = wherry::xxhash3(std::span(header).first(header.size() - 8));
  wherry::put_number(header.data() + header.size() - 8, sum);
}

}  // namespace

WHERRY_UNIT_TEST(headers_are_sealed) {
  random_numbers random(test.seed);
  for (const std::size_t size : {56u, 64u, 192u}) {
    auto header = a_header(size, random);
    const auto facts = wherry::facts_of<3>(kind, header);
    CHECK(facts == (std::array<std::uint64_t, 3>{1, ~std::uint64_t{0}, 3}));
    auto signed_again = header;
    sign(signed_again);
    CHECK(signed_again == header);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      auto damaged = header;
      damaged[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      CHECK_THROWS_WITH(wherry::check_seal(kind, damaged), "reader");
    }
    for (int round = 0; round < 200; ++round) {
      auto garbage = header;
      for (auto& b : garbage)
        if (random.chance(30)) b = static_cast<std::byte>(random.next());
      if (garbage != header) CHECK_THROWS_WITH(wherry::check_seal(kind, garbage), "reader");
    }
  }
}

WHERRY_UNIT_TEST(other_headers_are_told_by_what_they_are) {
  random_numbers random(test.seed);
  const auto header = a_header(64, random);
  const auto with = [&](std::size_t at, std::uint64_t value) {
    auto other = header;
    wherry::put_number(other.data() + at, value);
    sign(other);
    return other;
  };
  CHECK_THROWS_WITH(wherry::check_seal(kind, with(0, 0)), "it does not begin like a test file");
  CHECK_THROWS_WITH(wherry::check_seal(kind, with(8, 4)),
                    "it has version 4 of the format, and this library reads version 5");
  CHECK_THROWS_WITH(wherry::check_seal(kind, with(16, 2)), "big-endian byte order");
  CHECK_THROWS_WITH(wherry::check_seal(kind, with(16, 3)), "unknown byte order");
  // Formats before this one had other checksums: it is the version that is wrong.
  auto old = with(8, 1);
  old.back() ^= std::byte{1};
  CHECK_THROWS_WITH(wherry::check_seal(kind, old), "it has version 1 of the format");
}

WHERRY_UNIT_TEST(parts_belong_to_their_place_and_file) {
  random_numbers random(test.seed);
  for (const std::size_t size : {0u, 1u, 16u, 100u, 1000u}) {
    bytes part(size);
    for (auto& b : part) b = static_cast<std::byte>(random.next());
    const auto sum = wherry::checksum_of(7, 100, part);
    CHECK_EQUAL(sum, wherry::checksum_of(7, 100, part));
    CHECK(sum != wherry::checksum_of(8, 100, part));
    CHECK(sum != wherry::checksum_of(7, 101, part));
    for (std::size_t i = 0; i < size; ++i) {
      auto other = part;
      other[i] ^= static_cast<std::byte>(1u << random.next() % 8);
      CHECK(sum != wherry::checksum_of(7, 100, other));
    }
  }
}
