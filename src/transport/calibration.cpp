#include "wherry/transport/calibration.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/number_alone.hpp"
#include "core/plain_file.hpp"
#include "core/replaced_file.hpp"
#include "core/system_text.hpp"
#include "core/text_lines.hpp"

namespace wherry::transports {
namespace {

constexpr const char* in_calibration = "calibration";
constexpr std::int64_t longest_file = 1 << 20;
constexpr double most_microseconds = 1e6;

/// The name of the machine, if this line begins a machine's figures.
std::optional<std::string_view> machine_in(std::string_view line) {
  constexpr std::string_view word = "machine ";
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos || !line.substr(first).starts_with(word)) return std::nullopt;
  auto name = line.substr(first + word.size());
  while (!name.empty() && (name.back() == ' ' || name.back() == '\t' || name.back() == '\r')) name.remove_suffix(1);
  return name;
}

/// Reads one line into `into`. Returns what is wrong with it, or an empty string.
std::string read_line(const std::vector<std::string_view>& words, calibration& into) {
  if (words[0] == "on_node" || words[0] == "between_nodes") {
    if (words.size() != 5)
      return detail::text("expected '", words[0], " TRANSPORT MESSAGE BYTE BLOCK', in microseconds");
    const auto name = std::find(calibration::names.begin(), calibration::names.end(), words[1]);
    if (name == calibration::names.end()) return detail::text("transport '", words[1], "' has no figures");
    double figures[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto figure = number_alone(words[i + 2], 0.0, most_microseconds);
      if (!figure)
        return detail::text("'", words[i + 2], "' is not a number of microseconds from 0 to ", most_microseconds);
      figures[i] = *figure;
    }
    auto& costs = words[0] == "on_node" ? into.on_node : into.between_nodes;
    costs[static_cast<std::size_t>(name - calibration::names.begin())] = {figures[0], figures[1], figures[2]};
    return {};
  }
  std::int64_t* const rows = words[0] == "long_row"           ? &into.long_row
                             : words[0] == "row_beyond_cache" ? &into.row_beyond_cache
                             : words[0] == "cached_lines"     ? &into.cached_lines
                                                              : nullptr;
  if (rows == nullptr) return detail::text("'", words[0], "' is not the name of a calibrated figure");
  const auto figure = words.size() == 2 ? number_alone<std::int64_t>(words[1], 1, std::int64_t{1} << 40) : std::nullopt;
  if (!figure) return detail::text("expected '", words[0], " NUMBER', 1 to 2^40");
  *rows = *figure;
  return {};
}

std::string processor() {
  constexpr std::size_t first_processor = 4096;  // far more bytes than it takes
  std::string name;
  for_each_line(system_text("/proc/cpuinfo", first_processor), [&](int, std::string_view line, std::string_view) {
    const auto colon = line.find(": ");
    if (name.empty() && line.starts_with("model name") && colon != line.npos) name = line.substr(colon + 2);
  });
  if (!name.empty()) return name;
#ifdef __aarch64__
  return "aarch64";
#else
  return "processor";
#endif
}

bool is_readable(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

std::string content_of(const std::string& path) {
  auto content = text_in_file(path, longest_file, in_calibration);
  if (!content) throw error(error_kind::argument, in_calibration, "cannot read it: there is no such file");
  return *std::move(content);
}

/// The defaults, or the figures of a similar machine, for a machine that has not been measured.
calibration of_machines_like_this() {
  calibration result;
  if (second_level_cache() < 2 << 20 || !processor().starts_with("Intel(R) Xeon")) return result;
  // Measured by wherry_calibrate on a Sapphire Rapids with 2 cores, 0.13 us from one to the other, and 2 MB of cache.
  // Data that does not fit into the cache takes 0.4 to 0.9 of the time if rows of 64 B and more are read in place. Rows
  // of 8 B are a special case: at 128^3 (10 MB of lines) a lattice-Boltzmann code reads them in place in 0.75 of the
  // time through staging, but at 64^3 (2.6 MB) their owner pays when it writes them next, and the step takes 1.2 times
  // as long as with staging. The limits below separate these cases.
  result.row_beyond_cache = 64;
  result.cached_lines = 4;
  result.source = "the defaults, of another Intel Xeon";
  return result;
}

calibration from_file(const std::string& path) {
  try {
    bool found = false;
    auto result = read_calibration(content_of(path), calibrated_machine(), found);
    if (!found) result = of_machines_like_this();
    result.source = found ? detail::text("measured here, '", path, "'")
                          : detail::text(result.source, "; '", path, "' has nothing of '", calibrated_machine(), "'");
    return result;
  } catch (const error& problem) {
    throw error(error_kind::argument, in_calibration, detail::text("the file '", path, "': ", problem.text()));
  }
}

calibration from_users_own() {
  const auto path = calibration_file();
  if (!is_readable(path)) return of_machines_like_this();
  try {
    return from_file(path);
  } catch (const error& problem) {
    std::fprintf(stderr, "%s; the defaults are used\n", problem.what());
    return of_machines_like_this();
  }
}

}  // namespace

std::string calibrated_machine() {
  auto library = mpi_library_version();
  library.resize(std::min(library.find_first_of(",\n"), library.size()));
  auto name = detail::text(processor(), ", ", library);
  std::replace(name.begin(), name.end(), '#', ' ');  // begins a remark
  return name;
}

std::string calibration_file() {
  const auto folder = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::string(value != nullptr && *value == '/' ? value : "");
  };
  if (const auto cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache + "/wherry/calibration.txt";
  const auto home = folder("HOME");
  return home.empty() ? home : home + "/.cache/wherry/calibration.txt";
}

calibration read_calibration(std::string_view all, std::string_view machine, bool& found) {
  calibration ours, others;
  bool is_ours = false;
  found = false;
  for_each_line(all, [&](int number, std::string_view, std::string_view line) {
    if (const auto name = machine_in(line)) {
      is_ours = *name == machine;
      found = found || is_ours;
      return;
    }
    const auto words = words_of(line);
    if (words.empty()) return;
    if (const auto wrong = read_line(words, is_ours ? ours : others); !wrong.empty())
      throw error(error_kind::argument, in_calibration,
                  detail::text("line ", number, ": ", wrong, ", in '", line.substr(0, 80), "'"));
  });
  return ours;
}

std::string with_calibration(std::string_view all, const calibration& measured, std::string_view machine,
                             std::string_view remark) {
  std::string result;
  bool ours = false;
  for_each_line(all, [&](int, std::string_view line, std::string_view said) {
    if (const auto name = machine_in(said)) ours = *name == machine;
    if (!ours) result += detail::text(line, '\n');
  });
  result += detail::text("machine ", machine, "  # ", remark, '\n');
  const auto add = [&](std::string_view reach, const calibration::costs& costs) {
    for (std::size_t i = 0; i < costs.size(); ++i)
      if (costs[i] != calibration{}.on_node[i])  // otherwise nobody has measured it
        result += detail::text(reach, ' ', calibration::names[i], ' ', costs[i].message, ' ', costs[i].byte, ' ',
                               costs[i].block, '\n');
  };
  add("on_node", measured.on_node);
  add("between_nodes", measured.between_nodes);
  return result + detail::text("long_row ", measured.long_row, "\nrow_beyond_cache ", measured.row_beyond_cache,
                               "\ncached_lines ", measured.cached_lines, '\n');
}

void keep_calibration(const std::string& path, const calibration& measured, std::string_view remark) {
  try {
    std::error_code ignored;  // without the folder, writing the file fails and says so
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    const std::string before = is_readable(path) ? content_of(path) : std::string();
    const auto all = with_calibration(before, measured, calibrated_machine(), remark);
    make_part(path, in_calibration);
    plain_output out(part_of(path), in_calibration);
    out.write(std::as_bytes(std::span(all)));
    out.close();
    put_part_in_place(path, false, in_calibration);
  } catch (const error& problem) {
    throw error(problem.kind(), in_calibration, detail::text("the file '", path, "': ", problem.text()));
  }
}

std::int64_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const auto bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
  return 1 << 20;
}

const calibration& current_calibration() {
  static std::mutex guard;
  static std::map<std::string, calibration> known;  // by setting; a map, because callers keep references
  const auto& asked = current_settings().calibration;
  const std::lock_guard lock(guard);
  const auto found = known.find(asked);
  if (found != known.end()) return found->second;
  return known[asked] = asked == "0" ? calibration{} : asked.empty() ? from_users_own() : from_file(asked);
}

}  // namespace wherry::transports
