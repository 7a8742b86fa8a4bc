#include "selection.hpp"

#include <mpi.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

namespace wherry::preload {
namespace {

#if defined(OPEN_MPI)
constexpr std::string_view built_with = "Open MPI";
#elif defined(MPICH_VERSION)
constexpr std::string_view built_with = "MPICH";
#else
constexpr std::string_view built_with = "";
#endif

/// Says which MPI the program runs with, if it is not the one with which this library was built: handles of one mean
/// nothing to the other.
std::string other_mpi() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  const std::string_view here(version, static_cast<std::size_t>(length));
  if (here.find(built_with) != std::string_view::npos) return {};
  return detail::text("it was built with ", built_with, ", this program runs with ",
                      here.substr(0, here.find_first_of("\n,")));
}

std::array<bool, collective::kinds> kinds_of(std::string_view names) {
  std::array<bool, collective::kinds> result{};
  if (names == "1") result.fill(true);
  if (names == "1" || names == "0") return result;
  while (true) {
    const auto comma = names.find(',');
    result[static_cast<std::size_t>(collective::detail::kind_named(names.substr(0, comma)).value())] = true;
    if (comma == std::string_view::npos) return result;
    names.remove_prefix(comma + 1);
  }
}

comparing comparison_named(std::string_view word) {
  if (word == "0") return comparing::none;
  return word == "all" ? comparing::all : comparing::same_bits;
}

selection read() {
  std::string fault = other_mpi();
  try {
    const auto& set = current_settings();
    if (fault.empty())
      return {kinds_of(set.preload), set.preload_nonblocking, set.preload_report,
              comparison_named(set.preload_compare)};
  } catch (const error& failure) {
    fault = failure.text();
  }
  std::fprintf(stderr, "wherry preload: nothing is replaced: %s\n", fault.c_str());
  return {.report = false};
}

}  // namespace

const selection& selected() {
  static const selection environment_says = read();
  return environment_says;
}

}  // namespace wherry::preload
