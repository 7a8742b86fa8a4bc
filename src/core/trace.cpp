#include "core/trace.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "plain_file.hpp"

namespace wherry {
namespace {

constexpr std::size_t flush_at = 1 << 15;
constexpr std::string_view opening = "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":";  // begins each trace
constexpr std::string_view closing = "\n]\n";

struct event {
  int subject, thread;
  const char* what;
  std::int64_t began, ended;
  std::uint64_t number;
  std::int64_t bytes;
};

timespec coarse_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock that dates files
  return now;
}

const timespec process_began = coarse_time();

std::int64_t in_nanoseconds(const timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

std::int64_t read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return in_nanoseconds(now);
}

/// Small numbers for threads, in the order in which they appear. The user's thread has 0.
int thread_number() {
  static std::atomic<int> threads{0};
  thread_local const int mine = threads++;
  return mine;
}

std::string json_string(std::string_view raw) {
  std::string quoted = "\"";
  for (const char c : raw) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
  }
  return quoted + '"';
}

/// Returns the reason of a failure; empty if there was none.
std::string write_all(int file, std::string_view bytes) {
  const auto at = lseek(file, 0, SEEK_CUR);
  if (at < 0 || !fits_file_limit(at + std::ssize(bytes))) return at < 0 ? std::strerror(errno) : "File too large";
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return std::strerror(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// Ranks write one after the other, each for a moment. But a process outside may hold the lock for ever.
bool lock_soon(int file) {
  constexpr double otherwise = 10;  // seconds
  constexpr timespec nap{0, 1'000'000};
  const double limit = current_settings().timeout > 0 ? current_settings().timeout : otherwise;
  const auto began = read(CLOCK_MONOTONIC);
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return true;  // a file system without locks
    if (static_cast<double>(read(CLOCK_MONOTONIC) - began) * 1e-9 > limit) return false;
    nanosleep(&nap, nullptr);
  }
  return true;
}

bool begins_as_ours(int file) {
  std::string found(opening.size(), '\0');
  return pread(file, found.data(), found.size(), 0) == std::ssize(found) && found == opening;
}

/// The file of this job, locked, with the position behind the last event. A file that is older than this process
/// belongs to an earlier job: MPI_Init, which lies between the start of a rank and its first event, ends only after all
/// ranks have started. A file that is no trace of ours stays as it is. @return the reason of a failure; empty if there
/// was none
std::string place_behind(int file, bool& first) {
  if (!lock_soon(file)) return "another process has locked it";
  struct stat facts{};
  if (fstat(file, &facts) != 0) return std::strerror(errno);
  if (facts.st_size > 0 && !begins_as_ours(file)) return "there is a file that is no trace of Wherry's, which is kept";
  const bool old = in_nanoseconds(facts.st_mtim) < in_nanoseconds(process_began);
  first = old || facts.st_size == 0;
  const auto begin = first ? 0 : facts.st_size - static_cast<off_t>(closing.size());
  if (first && ftruncate(file, 0) != 0) return std::strerror(errno);
  return lseek(file, begin, SEEK_SET) >= 0 ? "" : std::strerror(errno);
}

/// The events of one process.
class log {
 public:
  explicit log(std::string path) : path_(std::move(path)) {
    events_.reserve(flush_at);
    // Wall-clock time aligns the machines; the monotonic clock keeps the differences smooth.
    offset_ = read(CLOCK_REALTIME) - read(CLOCK_MONOTONIC);
  }
  ~log() { flush(); }

  int add(const trace_subject& subject) {
    const std::lock_guard lock(guard_);
    if (rank_ < 0 && detail::mpi_is_running()) PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    subjects_.push_back(subject);
    return static_cast<int>(subjects_.size()) - 1;
  }

  void add(const event& e) {
    const std::lock_guard lock(guard_);
    events_.push_back(e);
    if (events_.size() >= flush_at) write();
  }

  void flush() {
    if (detail::is_forked_child()) return;  // its parent has the same events
    const std::lock_guard lock(guard_);
    if (!events_.empty()) write();
  }

 private:
  void write() {
    std::string lines;
    for (const auto& e : events_) lines += line(e);
    events_.clear();
    if (failed_) return;
    const auto problem = append(std::move(lines));
    failed_ = !problem.empty();
    if (failed_) std::fprintf(stderr, "wherry: cannot write WHERRY_TRACE=%s: %s\n", path_.c_str(), problem.c_str());
  }

  /// @return the reason of a failure; empty if there was none
  std::string append(std::string lines) {
    const auto opened = open_ordinary(path_, O_RDWR | O_CREAT);
    if (!opened.file) return opened.problem;
    const int file = opened.file.number();
    bool first = false;
    auto problem = place_behind(file, first);
    if (problem.empty()) {
      const bool was_named = std::exchange(named_, true);
      if (first || !was_named) lines.insert(0, process_name());
      lines.replace(0, 2, first ? "[\n" : ",\n");
      problem = write_all(file, lines += closing);
    }
    flock(file, LOCK_UN);  // a child of fork() may keep the file open for long
    return problem;
  }

  /// Each line begins with the separator from the previous one.
  std::string process_name() const {
    return detail::text(",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":", rank_, ",\"args\":{\"name\":\"rank ",
                        rank_, "\"}}");
  }

  std::string line(const event& e) const {
    const auto& s = subjects_[static_cast<std::size_t>(e.subject)];
    char times[96];
    std::snprintf(times, sizeof times, "\"ts\":%.3f,\"dur\":%.3f", static_cast<double>(e.began + offset_) * 1e-3,
                  static_cast<double>(e.ended - e.began) * 1e-3);
    return detail::text(",\n{\"name\":\"", e.what, "\",\"cat\":", json_string(s.pattern), ",\"ph\":\"X\",", times,
                        ",\"pid\":", rank_, ",\"tid\":", e.thread, ",\"args\":{\"pattern\":", json_string(s.pattern),
                        ",\"transport\":", json_string(s.transport), ",\"bound\":", e.subject, ",\"number\":", e.number,
                        s.more.empty() ? "" : ",", s.more, e.bytes < 0 ? "" : detail::text(",\"bytes\":", e.bytes),
                        "}}");
  }

  std::mutex guard_;
  std::string path_;
  std::vector<event> events_;
  std::vector<trace_subject> subjects_;
  std::int64_t offset_ = 0;
  int rank_ = -1;
  bool named_ = false, failed_ = false;
};

log& the_log() {
  static log all(current_settings().trace);
  return all;
}

}  // namespace

bool trace_is_on() { return !current_settings().trace.empty(); }
int trace_register(const trace_subject& subject) {
  thread_number();
  return the_log().add(subject);
}
std::int64_t trace_clock() { return read(CLOCK_MONOTONIC); }
void trace_event(int subject, const char* what, std::int64_t began, std::uint64_t number, std::int64_t bytes) {
  the_log().add({subject, thread_number(), what, began, trace_clock(), number, bytes});
}
void trace_flush() { the_log().flush(); }

}  // namespace wherry
