#include "tally.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "measurements.hpp"
#include "selection.hpp"

namespace wherry::preload {
namespace {

using collective::kind;
using collective::kinds;

constexpr const char* left_to_mpi = "MPI, to compare";
constexpr int forms = 3, most_names = 16;

struct counters {
  std::array<std::atomic<std::uint64_t>, most_names> by{};
  std::atomic<std::uint64_t> passed{0};
};

/// The counts of one thread, and after its end of another one. Each thread has its own, so that counting needs no
/// locked instruction, which would wait until all earlier writes have left the core.
struct thread_counts {
  std::array<std::array<counters, kinds>, forms> counted;
  bool in_use = true;
};

struct everybodys_counts {
  std::mutex guard;
  std::vector<std::unique_ptr<thread_counts>> all;
};
everybodys_counts& everybodys() {
  static auto* const counts = new everybodys_counts;  // threads may outlive static objects
  return *counts;
}

[[gnu::tls_model("initial-exec")]] constinit thread_local thread_counts* mine = nullptr;

void borrow() {
  auto& counts = everybodys();
  const std::lock_guard lock(counts.guard);
  const auto free = std::find_if(counts.all.begin(), counts.all.end(), [](const auto& one) { return !one->in_use; });
  mine = (free != counts.all.end() ? *free : counts.all.emplace_back(std::make_unique<thread_counts>())).get();
  mine->in_use = true;
}

/// Gives the counts back when the thread ends. Calls that the thread makes even later are counted in a set that nobody
/// gives back.
struct at_the_threads_end {
  ~at_the_threads_end() {
    const std::lock_guard lock(everybodys().guard);
    std::exchange(mine, nullptr)->in_use = false;
  }
};

std::array<std::atomic<const char*>, most_names> names;
std::array<std::size_t, most_names> name_lengths;  // written before the name is
std::atomic<bool> ending{false}, reported{false};
std::atomic<int> rank_in_world{-1};

/// The place of an implementation's name. All names that find no free place share the last one.
std::size_t place_of(std::string_view name) {
  const auto is = [name](std::size_t i) {
    const char* there = names[i].load(std::memory_order_acquire);
    return there == name.data() || (there != nullptr && std::string_view(there, name_lengths[i]) == name);
  };
  for (std::size_t i = 0; i < names.size(); ++i)
    if (is(i)) return i;
  static std::mutex adding;
  const std::lock_guard lock(adding);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is(i)) return i;
    if (names[i] != nullptr) continue;
    name_lengths[i] = name.size();
    names[i].store(name.data(), std::memory_order_release);
    return i;
  }
  return names.size() - 1;
}

/// The counters of this thread.
counters& counters_of(kind what, form how) {
  if (mine == nullptr) {
    borrow();
    thread_local const at_the_threads_end give_back;
    static_cast<void>(&give_back);
  }
  return mine->counted[static_cast<std::size_t>(how)][static_cast<std::size_t>(what)];
}

void add_one(std::atomic<std::uint64_t>& count) {
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// The sums over all threads.
struct sums {
  std::array<std::uint64_t, most_names> by{};
  std::uint64_t passed = 0;
};
sums sums_of(kind what, form how) {
  sums all;
  auto& counts = everybodys();
  const std::lock_guard lock(counts.guard);
  for (const auto& one : counts.all) {
    const auto& tally = one->counted[static_cast<std::size_t>(how)][static_cast<std::size_t>(what)];
    for (std::size_t i = 0; i < all.by.size(); ++i) all.by[i] += tally.by[i].load(std::memory_order_relaxed);
    all.passed += tally.passed.load(std::memory_order_relaxed);
  }
  return all;
}

std::string title(kind what, form how) {
  const auto name = std::string(collective::name_of(what));
  if (how == form::nonblocking) return "i" + name;
  return how == form::persistent ? name + "_init" : name;
}

/// "bcast  12 calls: 10 shared, 2 fell through"; empty if there were no calls.
std::string line(kind what, form how) {
  const auto tally = sums_of(what, how);
  std::uint64_t calls = tally.passed;
  std::string parts;
  const auto add = [&parts](std::uint64_t count, std::string_view how_done) {
    if (count != 0) parts += detail::text(parts.empty() ? "" : ", ", count, " ", how_done);
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t done = tally.by[i];
    calls += done;
    const char* name = names[i];
    add(done, name != nullptr ? std::string_view(name, name_lengths[i]) : "");
  }
  add(tally.passed, "fell through");
  if (calls == 0) return {};
  auto head = title(what, how);
  head.resize(std::max<std::size_t>(head.size(), 22), ' ');
  return detail::text("wherry preload: ", head, " ", calls, calls == 1 ? " call: " : " calls: ", parts, "\n");
}

/// The gain over all collectives for which it is known; for the others, the reason why it is not.
class balance {
 public:
  /// One line of the report, or an empty string.
  std::string of(kind what) {
    if (is_silent_about(what)) return {};
    const auto found = gain_so_far(what);
    if (found.calls == 0) {
      (was_kept_from_mpi(what) ? other_bits_ : too_few_) += " " + std::string(collective::name_of(what));
      return {};
    }
    all_.calls += found.calls;
    all_.ours += found.ours;
    all_.mpi += found.mpi;
    all_.saved_low += found.saved_low;
    all_.saved_high += found.saved_high;
    ++collectives_;
    return "wherry preload:   " + words_for(found) + "\n";
  }
  std::string last_lines() const {
    std::string lines;
    if (collectives_ > 1) lines += "wherry preload: together they " + words_for(all_) + "\n";
    if (!too_few_.empty()) lines += "wherry preload: too few calls to say what it gained:" + too_few_ + "\n";
    if (!other_bits_.empty())
      lines +=
          "wherry preload: not compared, as MPI may add floating-point numbers in another order "
          "(WHERRY_PRELOAD_COMPARE=all does):" +
          other_bits_ + "\n";
    return lines;
  }

 private:
  /// True if nothing is compared, or if MPI carried out all calls anyway.
  static bool is_silent_about(kind what) {
    if (selected().compared == comparing::none) return true;
    const auto tally = sums_of(what, form::blocking);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const char* name = names[i];
      if (tally.by[i] != 0 && name != nullptr && std::string_view(name, name_lengths[i]) != "mpi" &&
          name != left_to_mpi)
        return false;
    }
    return true;
  }

  gain all_;
  int collectives_ = 0;
  std::string too_few_, other_bits_;
};

void report() {
  if (detail::is_forked_child() || reported.exchange(true) || rank_in_world != 0 || !selected().report) return;
  std::string lines;
  balance gained;
  for (const auto how : {form::blocking, form::nonblocking, form::persistent})
    for (int what = 0; what < kinds; ++what) {
      lines += line(static_cast<kind>(what), how);
      if (how == form::blocking) lines += gained.of(static_cast<kind>(what));
    }
  if (lines.empty()) return;
  if (selected().compared == comparing::none)
    lines += "wherry preload: WHERRY_PRELOAD_COMPARE=1 also says what that gained\n";
  else
    lines += gained.last_lines() + "wherry preload: times are rank 0's, medians of the few calls that were timed\n";
  lines = "wherry preload: the collectives that rank 0 called, and who did them\n" + lines;
  std::fwrite(lines.data(), 1, lines.size(), stderr);
  std::fflush(stderr);
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first, so this runs no matter who calls it (MPI 3.1, section
/// 8.7.1).
int at_finalize(MPI_Comm, int, void*, void*) {
  ending.store(true, std::memory_order_relaxed);
  report();
  return MPI_SUCCESS;
}

bool hook_into_the_end() {
  int rank = 0, key = MPI_KEYVAL_INVALID;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank_in_world = rank;
  wherry::detail::watch_forks();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  PMPI_Comm_free_keyval(&key);  // lives on until the attribute is deleted
  std::atexit(report);
  return true;
}

}  // namespace

void count_replaced(kind what, form how, std::string_view implementation) {
  add_one(counters_of(what, how).by[place_of(implementation)]);
}

void count_left_to_mpi(kind what) { count_replaced(what, form::blocking, left_to_mpi); }

void count_passed(kind what, form how) { add_one(counters_of(what, how).passed); }

void report_at_the_end() { [[maybe_unused]] static const bool hooked = hook_into_the_end(); }

bool mpi_is_ending() { return ending.load(std::memory_order_relaxed); }

}  // namespace wherry::preload
