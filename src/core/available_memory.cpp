#include "available_memory.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"

#include "number_alone.hpp"
#include "system_text.hpp"
#include "text_lines.hpp"

namespace wherry {
namespace {

using figure = std::optional<std::uint64_t>;

/// Memory that the system needs to map the new memory, and that the processes need for a while.
constexpr std::uint64_t margin = std::uint64_t{16} << 20;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// The only number in a file; nothing for "max".
figure number_in(const std::string& path) {
  const auto text = system_text(path);
  return number_alone<std::uint64_t>(std::string_view(text).substr(0, text.find('\n')));
}

/// The number behind a name, in a table of names and numbers.
figure number_of(std::string_view table, std::string_view name) {
  figure found;
  for_each_line(table, [&](int, std::string_view line, std::string_view) {
    if (found || !line.starts_with(name)) return;
    const auto words = words_of(line);
    if (words.size() > 1 && words[0] == name) found = number_alone<std::uint64_t>(words[1]);
  });
  return found;
}

figure left_on_machine(const std::string& proc) {
  const auto table = system_text(proc + "/meminfo");
  const auto memory = number_of(table, "MemAvailable:"), swap = number_of(table, "SwapFree:");
  if (!memory) return std::nullopt;
  return (*memory + swap.value_or(0)) << 10;
}

/// The files of a control group, whose names depend on the version.
struct group_files {
  const char *limit, *usage, *inactive, *active;
};
constexpr group_files version_1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file",
                                "total_active_file"};
constexpr group_files version_2{"/memory.max", "/memory.current", "inactive_file", "active_file"};

/// Cached files count as used, but the system drops them when memory is needed.
figure left_in_group(const std::string& folder, const group_files& files) {
  const auto limit = number_in(folder + files.limit), usage = number_in(folder + files.usage);
  if (!limit || !usage) return std::nullopt;
  const auto table = system_text(folder + "/memory.stat");
  const auto cached = sum(number_of(table, files.inactive).value_or(0), number_of(table, files.active).value_or(0));
  const auto taken = *usage - std::min(*usage, cached);
  return *limit - std::min(*limit, taken);
}

figure least_of(figure a, figure b) { return !a ? b : !b ? a : std::min(*a, *b); }

/// The least of what this group and the groups around it have left.
figure left_up_from(const std::string& root, std::string path, const group_files& files) {
  figure least;
  for (;; path.resize(path.find_last_of('/'))) {
    least = least_of(least, left_in_group(root + path, files));
    if (path.find_last_of('/') == std::string::npos) return least;
  }
}

figure left_in_groups(const memory_sources& from) {
  figure least;
  for_each_line(system_text(from.proc + "/self/cgroup"), [&](int, std::string_view line, std::string_view) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) return;
    const auto controllers = detail::text(",", line.substr(first + 1, second - first - 1), ",");
    std::string path(line.substr(second + 1));
    if (path == "/") path.clear();
    if (controllers == ",,") {
      least = least_of(least, left_up_from(from.control_groups, path, version_2));
      least = least_of(least, left_up_from(from.control_groups + "/unified", path, version_2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = least_of(least, left_up_from(from.control_groups + "/memory", path, version_1));
    }
  });
  return least;
}

struct memory_left {
  figure group, machine;

  explicit memory_left(const memory_sources& from) : group(left_in_groups(from)), machine(left_on_machine(from.proc)) {}

  std::string shortage(std::size_t bytes) const {
    const auto needed = sum(bytes, margin);
    if (group && *group < needed)
      return detail::text("the control group of this process has ", *group, " bytes of memory left");
    if (machine && *machine < needed) return detail::text("the machine has ", *machine, " bytes of memory left");
    return {};
  }
};

/// To look the memory up takes a tenth of a millisecond, several times the rest of a binding. So a small part of it is
/// given out for a second without asking: small enough for all ranks of a node to do so.
class spare_memory {
 public:
  bool covers(std::size_t bytes) {
    const std::lock_guard hold(guard_);
    if (bytes > bytes_ || clock::now() > known_until_) return false;
    bytes_ -= bytes;
    return true;
  }
  void learn(const memory_left& left, std::size_t bytes) {
    constexpr std::uint64_t part = 1024;
    const auto least = least_of(left.group, left.machine).value_or(0);
    const std::lock_guard hold(guard_);
    bytes_ = (least - std::min<std::uint64_t>(least, bytes)) / part;
    known_until_ = clock::now() + std::chrono::seconds(1);
  }

 private:
  using clock = std::chrono::steady_clock;
  std::mutex guard_;
  std::uint64_t bytes_ = 0;
  clock::time_point known_until_{};
};

}  // namespace

std::string memory_shortage(std::size_t bytes, const memory_sources& from) { return memory_left(from).shortage(bytes); }

std::string shared_memory_shortage(std::size_t bytes, const memory_sources& from) {
  struct statvfs system{};
  if (statvfs(from.shared.c_str(), &system) != 0) return memory_shortage(bytes, from);
  const auto left = static_cast<std::uint64_t>(system.f_bavail) * system.f_frsize;
  if (left < sum(bytes, bytes / 16)) return detail::text(from.shared, " has ", left, " bytes left");
  return memory_shortage(bytes, from);
}

void require_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank) {
  constexpr std::size_t worth_asking = std::size_t{1} << 20;
  static spare_memory spare;
  if (bytes < worth_asking || spare.covers(bytes)) return;
  const memory_left left({});
  if (const auto shortage = left.shortage(bytes); !shortage.empty())
    throw error(error_kind::resource, where,
                detail::text(bytes, " bytes for ", what, " cannot be allocated: ", shortage), rank);
  spare.learn(left, bytes);
}

}  // namespace wherry
