// Long data to send, made by a formula that the receiver knows as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry_test {

using numbers = std::vector<int>;

/// Differs in each place, and from `which` to `which`.
numbers content(std::size_t length, int which);

/// No two words of it are the same.
std::vector<std::byte> distinct_bytes(std::uint64_t seed, std::size_t bytes);

}  // namespace wherry_test
