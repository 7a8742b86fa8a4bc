#include "statistics_report.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "core/patience.hpp"

namespace wherry {
namespace {

std::string rounded(double number, int digits) {
  std::array<char, 64> said;
  std::snprintf(said.data(), said.size(), "%.*f", digits, number);
  return said.data();
}

std::string readable(std::int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < std::size(units); ++unit) number /= 1024;
  return detail::text(rounded(number, unit == 0 ? 0 : 1), ' ', units[unit]);
}

}  // namespace

void report_statistics(std::string_view pattern, std::string_view transport, int rank, int size,
                       const exchange_statistics& counted, const std::vector<int>& peers) {
  const auto& who = current_settings().statistics;
  if (counted.exchanges == 0 || who == "0" || (who == "1" && rank != 0)) return;
  // One call, so that the lines of several ranks stay together.
  const auto lines = detail::text(
      "wherry: ", pattern, ", rank ", rank, " of ", size, ", by ", transport.empty() ? "copies to itself" : transport,
      ": ", counted.exchanges, " exchanges, ", rounded(counted.seconds_waiting, 3), " s waiting",
      counted.seconds_copying > 0 ? detail::text(", ", rounded(counted.seconds_copying, 3), " s copying") : "",
      "\nwherry:   sent ", readable(counted.bytes_sent), ", received ", readable(counted.bytes_received), ", copied ",
      readable(counted.bytes_copied), peers.empty() ? "" : detail::text(", with rank ", first_of(peers)), "\n");
  std::fputs(lines.c_str(), stderr);
}

}  // namespace wherry
