// How much memory there is left, read from made-up systems.
#include "core/available_memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/harness.hpp"

namespace {

constexpr std::size_t mega = std::size_t{1} << 20;

// A folder that looks like /proc and /sys/fs/cgroup.
class made_up_system {
 public:
  made_up_system() {
    char name[] = "/tmp/wherry-memory-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~made_up_system() { std::filesystem::remove_all(folder_); }
  made_up_system(const made_up_system&) = delete;
  made_up_system& operator=(const made_up_system&) = delete;

  void write(const std::string& file, const std::string& content) const {
    const std::filesystem::path path = folder_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }
  std::string shortage(std::size_t bytes) const {
    return wherry::memory_shortage(bytes, {folder_ + "/proc", folder_ + "/cgroup"});
  }

 private:
  std::string folder_;
};

}  // namespace

WHERRY_UNIT_TEST(a_system_that_says_nothing_has_enough) {
  const made_up_system system;
  CHECK_EQUAL(system.shortage(1000000 * mega), "");
  CHECK_EQUAL(wherry::memory_shortage(4096), "");
  CHECK(!wherry::memory_shortage(std::size_t{1} << 62).empty());
}

WHERRY_UNIT_TEST(shared_memory_is_asked_for_where_it_lies) {
  CHECK_EQUAL(wherry::shared_memory_shortage(4096), "");
  const auto words = wherry::shared_memory_shortage(std::size_t{1} << 61, {.shared = "/tmp"});
  CHECK(words.starts_with("/tmp has ") && words.ends_with(" bytes left"));
  // Without such a file system the machine's memory is what counts.
  CHECK_EQUAL(wherry::shared_memory_shortage(4096, {.shared = "/no such folder"}), "");
  CHECK(!wherry::shared_memory_shortage(std::size_t{1} << 61, {.shared = "/no such folder"}).empty());
}

WHERRY_UNIT_TEST(a_machine_has_what_is_available) {
  const made_up_system system;
  system.write("proc/meminfo", "MemTotal: 900000 kB\nMemAvailable:  204800 kB\nSwapFree: 102400 kB\n");
  CHECK_EQUAL(system.shortage(200 * mega), "");
  CHECK_EQUAL(system.shortage(299 * mega), "the machine has 314572800 bytes of memory left");
  CHECK(!system.shortage(static_cast<std::size_t>(-1)).empty());
}

WHERRY_UNIT_TEST(control_groups_of_version_2) {
  const made_up_system system;
  system.write("proc/self/cgroup", "0::/user/job\n");
  system.write("cgroup/user/job/memory.max", "max\n");
  system.write("cgroup/user/job/memory.current", "1\n");
  system.write("cgroup/user/memory.max", std::to_string(500 * mega));
  system.write("cgroup/user/memory.current", std::to_string(400 * mega));
  CHECK_EQUAL(system.shortage(50 * mega), "");
  CHECK_EQUAL(system.shortage(120 * mega), "the control group of this process has 104857600 bytes of memory left");
  system.write("cgroup/user/memory.stat", "anon 5\ninactive_file 52428800\nactive_file 10485760\n");  // gives way
  CHECK_EQUAL(system.shortage(120 * mega), "");
  system.write("cgroup/user/job/memory.max", std::to_string(20 * mega));  // the nearer one is narrower
  CHECK(!system.shortage(10 * mega).empty());
}

WHERRY_UNIT_TEST(control_groups_of_version_1) {
  const made_up_system system;
  system.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n0::/\n");
  system.write("cgroup/memory/job/memory.limit_in_bytes", std::to_string(300 * mega));
  system.write("cgroup/memory/job/memory.usage_in_bytes", std::to_string(400 * mega));
  system.write("cgroup/memory/job/memory.stat", "total_inactive_file 209715200\ntotal_active_file 0\n");
  CHECK_EQUAL(system.shortage(50 * mega), "");
  CHECK_EQUAL(system.shortage(90 * mega), "the control group of this process has 104857600 bytes of memory left");
  // In a container the group may be the root of what is seen.
  system.write("proc/self/cgroup", "4:memory:/docker/123\n");
  system.write("cgroup/memory/memory.limit_in_bytes", std::to_string(64 * mega));
  system.write("cgroup/memory/memory.usage_in_bytes", std::to_string(60 * mega));
  CHECK(!system.shortage(mega).empty());
}
