#include "selection.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

namespace wherry::preload {
namespace {

using collective::kind_named;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::string_view(value) : std::string_view();
}

/// 0, 1 or nothing, which is `otherwise`.
bool parse_switch(std::string_view name, std::string_view value, bool otherwise, std::string& fault) {
  if (value.empty()) return otherwise;
  if (value != "0" && value != "1") fault = text(name, " is '", value, "', expected 0 or 1");
  return value == "1";
}

#if defined(OPEN_MPI)
constexpr std::string_view built_with = "Open MPI";
#elif defined(MPICH_VERSION)
constexpr std::string_view built_with = "MPICH";
#else
constexpr std::string_view built_with = "";
#endif

/// Handles of one MPI mean nothing to the other.
std::string other_mpi() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  const std::string_view here(version, static_cast<std::size_t>(length));
  if (here.find(built_with) != std::string_view::npos) return {};
  return text("it was built with ", built_with, ", this program runs with ", here.substr(0, here.find_first_of("\n,")));
}

selection read() {
  std::string fault;
  auto result = parse(environment("WHERRY_PRELOAD"), environment("WHERRY_PRELOAD_NONBLOCKING"),
                      environment("WHERRY_PRELOAD_REPORT"), fault);
  if (fault.empty()) fault = other_mpi();
  try {
    current_settings();
  } catch (const error& failure) {
    fault = failure.text();
  }
  if (fault.empty()) return result;
  std::fprintf(stderr, "wherry preload: nothing is replaced: %s\n", fault.c_str());
  return {.report = false};
}

}  // namespace

selection parse(std::string_view kinds, std::string_view nonblocking, std::string_view report, std::string& fault) {
  selection result;
  result.nonblocking = parse_switch("WHERRY_PRELOAD_NONBLOCKING", nonblocking, false, fault);
  result.report = parse_switch("WHERRY_PRELOAD_REPORT", report, true, fault);
  if (kinds.empty() || kinds == "1") result.kinds.fill(true);
  if (kinds.empty() || kinds == "1" || kinds == "0") return result;
  while (true) {
    const auto comma = kinds.find(',');
    const auto name = kinds.substr(0, comma);
    if (const auto found = kind_named(name))
      result.kinds[static_cast<std::size_t>(*found)] = true;
    else
      fault = text("WHERRY_PRELOAD has '", name, "', expected 0, 1 or names of collectives: bcast,allreduce");
    if (comma == std::string_view::npos) return result;
    kinds.remove_prefix(comma + 1);
  }
}

const selection& selected() {
  static const selection environment_says = read();
  return environment_says;
}

}  // namespace wherry::preload
