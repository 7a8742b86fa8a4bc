// Tests that hang or crash must say which rank, which test and what it did last.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "harness/internal.hpp"

namespace wherry_test {

namespace {

std::string situation() {
  process& me = self();
  std::string text = where_am_i() + " in ";
  // A rank that hangs inside a check holds the lock; then say less.
  const std::unique_lock guard(me.lock, std::try_to_lock);
  if (!guard.owns_lock()) return text + "(busy recording a failure)";
  text += me.current ? me.binary + "." + me.current->name : std::string("no test");
  if (me.last_event.empty()) return text + "; no event noted yet";
  const double ago = std::chrono::duration<double>(steady::now() - me.last_event_time).count();
  char figure[32];
  std::snprintf(figure, sizeof figure, "%.1f", ago);
  return text + "; last event, " + figure + " s ago: " + me.last_event;
}

void say(const std::string& text) {
  [[maybe_unused]] const auto written = ::write(2, text.data(), text.size());
  if (self().log) {
    std::fwrite(text.data(), 1, text.size(), self().log);
    std::fflush(self().log);
  }
}

void on_crash(int signal) {
  say(where_am_i() + " died of signal " + std::to_string(signal) + " (" + strsignal(signal) + ")\n    " + situation() +
      "\n    repeat with " + how_to_repeat() + "\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void abort_job() {
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(10);  // in case MPI_Abort itself hangs
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized && !finalized) MPI_Abort(MPI_COMM_WORLD, 3);
  ::_exit(3);
}

struct watchdog::inside {
  std::mutex lock;
  std::condition_variable changed;
  bool armed = false;
  bool leaving = false;
  double seconds = 0;
  steady::time_point until{};
  std::thread thread;

  void run() {
    std::unique_lock guard(lock);
    while (!leaving) {
      if (!armed) {
        changed.wait(guard);
      } else if (changed.wait_until(guard, until) == std::cv_status::timeout && armed && steady::now() >= until) {
        char figure[32];
        std::snprintf(figure, sizeof figure, "%g", seconds);
        say("\nTIME LIMIT: more than " + std::string(figure) + " s (WHERRY_TEST_LIMIT)\n    " + situation() +
            "\n    repeat with " + how_to_repeat() + "\n");
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // let the other ranks speak too
        abort_job();
      }
    }
  }
};

watchdog::watchdog() : inside_(new inside) {
  if (!simulated) inside_->thread = std::thread([this] { inside_->run(); });
}

watchdog::~watchdog() {
  {
    const std::lock_guard guard(inside_->lock);
    inside_->leaving = true;
  }
  inside_->changed.notify_all();
  if (inside_->thread.joinable()) inside_->thread.join();
  delete inside_;
}

void watchdog::begin(double seconds) {
  {
    const std::lock_guard guard(inside_->lock);
    inside_->armed = true;
    inside_->seconds = seconds;
    inside_->until =
        steady::now() + std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(seconds));
  }
  inside_->changed.notify_all();
}

void watchdog::end() {
  {
    const std::lock_guard guard(inside_->lock);
    inside_->armed = false;
  }
  inside_->changed.notify_all();
}

void install_crash_handlers() {
  if (simulated) return;
#if defined(WHERRY_TEST_SANITIZED)
  return;  // a sanitizer's own report says more
#endif
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_crash);
}

}  // namespace wherry_test
