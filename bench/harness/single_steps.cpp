#include "harness/single_steps.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/ratios.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/mman.h>
#include <ucontext.h>

#include <csignal>
#define BENCH_CAN_STEP
#endif

namespace bench {

#if defined(BENCH_CAN_STEP)

namespace {

constexpr std::uintptr_t page = 4096, line = 64;
constexpr greg_t trap_flag = 0x100;

struct range {
  std::uintptr_t begin, end;
};

/// The results of the signal handlers, in fixed memory, because handlers may not allocate.
struct recorder {
  std::array<range, 1024> shared{};
  std::size_t ranges = 0;
  std::array<std::uintptr_t, 1 << 16> lines{};  // a hash table; 0: free
  std::array<std::uintptr_t, 16> open{};        // pages that the present instruction may access
  std::size_t opened = 0;
  long instructions = 0, distinct = 0;
  bool is_full = false;
};
recorder seen;

bool is_shared(std::uintptr_t address) {
  for (std::size_t i = 0; i < seen.ranges; ++i)
    if (seen.shared[i].begin <= address && address < seen.shared[i].end) return true;
  return false;
}

void note_line(std::uintptr_t address) {
  const auto wanted = address / line + 1;
  auto place = wanted * 0x9E3779B97F4A7C15u >> 48;
  for (std::size_t tried = 0; tried < seen.lines.size(); ++tried, place = (place + 1) % seen.lines.size()) {
    if (seen.lines[place] == wanted) return;
    if (seen.lines[place] != 0) continue;
    seen.lines[place] = wanted;
    ++seen.distinct;
    return;
  }
  seen.is_full = true;
}

void protect(std::uintptr_t begin, std::uintptr_t end, int how) {
  mprotect(reinterpret_cast<void*>(begin), end - begin, how);
}

void after_instruction(int, siginfo_t*, void*) {
  ++seen.instructions;
  while (seen.opened > 0) {
    const auto at = seen.open[--seen.opened];
    protect(at, at + page, PROT_NONE);
  }
}

void at_access(int, siginfo_t* why, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(why->si_addr);
  if (!is_shared(address) || seen.opened == seen.open.size()) {
    std::signal(SIGSEGV, SIG_DFL);  // a fault of the program's own: it happens again and ends the program
    return;
  }
  note_line(address);
  const auto at = address / page * page;
  protect(at, at + page, PROT_READ | PROT_WRITE);
  seen.open[seen.opened++] = at;
}

/// The memory that other processes may see, from the system's list.
void find_shared_memory() {
  seen.ranges = 0;
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) throw std::runtime_error("/proc/self/maps cannot be read");
  char text[512];
  while (std::fgets(text, sizeof text, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    char rights[5] = "";
    if (std::sscanf(text, "%lx-%lx %4s", &begin, &end, rights) != 3 || std::strcmp(rights, "rw-s") != 0) continue;
    if (seen.ranges < seen.shared.size()) seen.shared[seen.ranges++] = {begin, end};
  }
  std::fclose(maps);
}

void protect_all(int how) {
  for (std::size_t i = 0; i < seen.ranges; ++i) protect(seen.shared[i].begin, seen.shared[i].end, how);
}

/// Installs a signal handler for the lifetime of the object.
class handled {
 public:
  handled(int signal, void (*by)(int, siginfo_t*, void*)) : signal_(signal) {
    struct sigaction wanted{};
    wanted.sa_sigaction = by;
    wanted.sa_flags = SA_SIGINFO;
    sigemptyset(&wanted.sa_mask);
    sigaction(signal, &wanted, &before_);
  }
  ~handled() { sigaction(signal_, &before_, nullptr); }
  handled(const handled&) = delete;
  handled& operator=(const handled&) = delete;

 private:
  int signal_;
  struct sigaction before_{};
};

// The code changes the flag below the stack's red zone.
[[gnu::always_inline]] inline void step_on() {
  asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
}
[[gnu::always_inline]] inline void step_off() {
  asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $-257, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
}

[[gnu::noinline]] void run_stepwise(const std::function<void()>& work) {
  step_on();
  work();
  step_off();
}

steps counted(const std::function<void()>& work) {
  find_shared_memory();
  seen.lines.fill(0);
  seen.instructions = seen.distinct = 0;
  seen.opened = 0;
  {
    const handled traps(SIGTRAP, after_instruction), faults(SIGSEGV, at_access);
    protect_all(PROT_NONE);
    run_stepwise(work);
    protect_all(PROT_READ | PROT_WRITE);
  }
  if (seen.is_full) throw std::runtime_error("more shared lines are touched than can be counted");
  return {seen.instructions, seen.distinct};
}

}  // namespace

bool can_count_steps() { return true; }

steps count_steps(const std::function<void()>& work) {
  static const long of_nothing = counted([] {}).instructions;
  auto found = counted(work);
  found.instructions -= of_nothing;
  return found;
}

bool counting_is_right(std::FILE* out) {
  constexpr std::size_t bytes = 8 * page;
  auto* const memory =
      static_cast<volatile char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto touch = [memory] {
    memory[0] = 1;
    memory[10] = memory[3 * page + 100];
    memory[5 * page] = 2;
  };
  const auto once = count_steps(touch), again = count_steps(touch);
  munmap(const_cast<char*>(memory), bytes);
  const bool right = once.shared_lines == 3 && again.shared_lines == 3 && once.instructions == again.instructions &&
                     once.instructions >= 4 && once.instructions < 40;
  if (!right)
    record("wrong")
        .add("method", "counting of instructions")
        .add("instructions", once.instructions)
        .add("again", again.instructions)
        .add("lines", once.shared_lines)
        .write(out);
  return right;
}

#else

bool can_count_steps() { return false; }
steps count_steps(const std::function<void()>&) { throw std::runtime_error("only x86-64 under Linux can count steps"); }
bool counting_is_right(std::FILE*) { return true; }

#endif

void count_call(MPI_Comm comm, const json& label, const std::function<void()>& run,
                const std::function<void()>& prepare, std::FILE* out) {
  constexpr int warm_up = 50, calls = 5;
  constexpr auto until_others_are_there = std::chrono::milliseconds(5);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<double> instructions, lines;
  for (int i = 0; i < warm_up + calls; ++i) {
    if (prepare) prepare();
    MPI_Barrier(comm);
    if (i < warm_up || rank != 0) {
      run();
      continue;
    }
    std::this_thread::sleep_for(until_others_are_there);
    const auto found = count_steps(run);
    instructions.push_back(static_cast<double>(found.instructions));
    lines.push_back(static_cast<double>(found.shared_lines));
  }
  if (rank != 0) return;
  json result = label;
  const auto add = [&](const char* name, const std::vector<double>& values) {
    result.add(name, median(values))
        .add(std::string("least_") + name, quantile(values, 0))
        .add(std::string("most_") + name, quantile(values, 1));
  };
  add("instructions", instructions);
  add("shared_lines", lines);
  result.write(out);
}

}  // namespace bench
