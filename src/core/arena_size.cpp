#include "arena_size.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"

#include "large_page.hpp"
#include "number_alone.hpp"
#include "system_text.hpp"

namespace wherry {
namespace {

constexpr std::size_t most_asked = std::size_t{1} << 46;

/// Half of the 2^47 bytes of an address space.
std::size_t all_memory(std::size_t mappings) {
  const auto pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  const std::size_t memory =
      pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) : std::size_t{1} << 34;
  return std::min(std::clamp(memory, std::size_t{1} << 30, std::size_t{1} << 42), most_asked / mappings);
}

bool soft_limit(decltype(RLIMIT_AS) which, std::size_t& bytes) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  bytes = static_cast<std::size_t>(limit.rlim_cur);
  return true;
}

std::size_t address_space_in_use() {
  const auto figures = system_text("/proc/self/statm");
  const auto pages = number_alone<std::size_t>(std::string_view(figures).substr(0, figures.find(' ')));
  return pages.value_or(0) * static_cast<std::size_t>(std::max(1L, sysconf(_SC_PAGE_SIZE)));
}

}  // namespace

arena_size size_of_arena(std::size_t asked, std::size_t mappings) {
  mappings = std::max<std::size_t>(1, mappings);
  arena_size result;
  result.wanted = asked != 0 ? std::min(asked, most_asked) : all_memory(mappings);
  result.wanted = (result.wanted + large_page - 1) / large_page * large_page;
  result.possible = result.wanted;
  const auto limit_to = [&](std::size_t bytes, const std::string& why) {
    bytes = bytes / large_page * large_page;
    if (bytes >= result.possible) return;
    result.possible = bytes;
    result.why = why;
  };
  std::size_t limit = 0;
  if (soft_limit(RLIMIT_FSIZE, limit)) limit_to(limit, detail::text("files may have ", limit, " bytes (ulimit -f)"));
  if (soft_limit(RLIMIT_AS, limit)) {
    const auto used = address_space_in_use();
    // The other half is for the arrays of the user and of MPI.
    limit_to(
        (limit - std::min(limit, used)) / 2 / mappings,
        detail::text("a process may have ", limit, " bytes of address space (ulimit -v), and ", used, " are in use"));
  }
  return result;
}

}  // namespace wherry
