#include "core/trace.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

constexpr std::size_t flush_at = 1 << 15;
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
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock that files are dated with
  return now;
}

const timespec process_began = coarse_time();

std::int64_t in_nanoseconds(const timespec& t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

std::int64_t read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return in_nanoseconds(now);
}

/// Small numbers for threads, in order of appearance: the user's is 0.
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

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The file of this job, locked and placed behind the last event. What is older than this process is of an earlier job:
/// MPI_Init, which lies between the start of a rank and its first event, lets nobody ahead before all have started.
bool place_behind(int file, bool& first) {
  struct stat facts{};
  if (flock(file, LOCK_EX) != 0 || fstat(file, &facts) != 0) return false;
  const bool old = in_nanoseconds(facts.st_mtim) < in_nanoseconds(process_began);
  first = old || facts.st_size <= static_cast<off_t>(closing.size());
  if (first) return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
  return lseek(file, facts.st_size - static_cast<off_t>(closing.size()), SEEK_SET) >= 0;
}

/// All of one process.
class log {
 public:
  explicit log(std::string path) : path_(std::move(path)) {
    events_.reserve(flush_at);
    // Wall-clock time aligns machines, the monotonic clock makes it run smoothly.
    offset_ = read(CLOCK_REALTIME) - read(CLOCK_MONOTONIC);
  }
  ~log() { flush(); }

  int add(const trace_subject& subject) {
    const std::lock_guard lock(guard_);
    if (rank_ < 0 && mpi_is_running()) PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    subjects_.push_back(subject);
    return static_cast<int>(subjects_.size()) - 1;
  }

  void add(const event& e) {
    const std::lock_guard lock(guard_);
    events_.push_back(e);
    if (events_.size() >= flush_at) write();
  }

  void flush() {
    const std::lock_guard lock(guard_);
    if (!events_.empty()) write();
  }

 private:
  void write() {
    std::string lines = named_ ? "" : process_name();
    for (const auto& e : events_) lines += line(e);
    events_.clear();
    if (failed_) return;
    const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    bool first = false;
    failed_ = file < 0 || !place_behind(file, first);
    if (!failed_) {
      lines.replace(0, 2, first ? "[\n" : ",\n");
      lines += closing;
      failed_ = !write_all(file, lines);
    }
    if (failed_)
      std::fprintf(stderr, "wherry: cannot write WHERRY_TRACE=%s: %s\n", path_.c_str(), std::strerror(errno));
    if (file >= 0) close(file);
    named_ = true;
  }

  /// Each line begins with what separates it from the one before.
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
