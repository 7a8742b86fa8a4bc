#include "wherry/deep/reader.hpp"

#include "wherry/core/allocation.hpp"

namespace wherry::deep {

void reader::fail_by_exception(std::size_t bytes) noexcept {
  try {
    allocating("deep copy", "what arrives", bytes, [] { throw; });
  } catch (...) {
    source_.fail(std::current_exception());
  }
}

bool reader::may_still_come(std::uint64_t n, std::size_t each) {
  const std::size_t most = source_.remaining();
  const bool may = most == byte_source::unknown ? n <= most / 4 / std::max<std::size_t>(each, 16) : n <= most / each;
  if (!may && n > 0) fail("the stream announces ", n, " objects, for which it is too short");
  return may;
}

void reader::report_wrong_count(std::uint64_t arrived, std::uint64_t expected) {
  fail("an array of ", arrived, " objects arrived where the description says ", expected);
}

}  // namespace wherry::deep
