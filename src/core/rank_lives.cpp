#include "rank_lives.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"

#include "number_alone.hpp"
#include "system_text.hpp"
#include "text_lines.hpp"

namespace wherry {
namespace {

struct process_status {
  char letter = '?';
  std::uint64_t start = 0;
};

/// The status; nothing if there is no such process, or if /proc does not tell.
std::optional<process_status> status_of(const std::string& process) {
  const auto all = system_text("/proc/" + process + "/stat");
  const auto name_end = all.rfind(')');  // the name may have blanks and brackets
  if (name_end == std::string::npos) return std::nullopt;
  constexpr std::size_t letter = 0, start = 19;  // the third word of all, and the 22nd
  const auto words = words_of(std::string_view(all).substr(name_end + 1));
  const auto since = words.size() > start ? number_alone<std::uint64_t>(words[start]) : std::nullopt;
  return since ? std::optional(process_status{words[letter].front(), *since}) : std::nullopt;
}

int open_process([[maybe_unused]] std::int64_t number) {
#if defined(SYS_pidfd_open)
  return static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(number), 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

}  // namespace

const process_identity& process_identity::own() {
  static const process_identity self = [] {
    const auto status = status_of("self");
    struct stat what{};
    const bool tells = stat("/proc/self/ns/pid", &what) == 0;
    return process_identity{.number = getpid(),
                            .start = status ? status->start : 0,
                            .name_space = tells ? static_cast<std::uint64_t>(what.st_ino) : 0};
  }();
  return self;
}

watched_process::watched_process(const process_identity& who) : who_(who) {
  can_be_seen_ = who.name_space == process_identity::own().name_space;
  if (!can_be_seen_) return;
  descriptor_ = open_process(who.number);
  if (descriptor_ < 0 && errno == ESRCH) ended_ = true;
  // Read after the descriptor is open, when the number can no longer become that of another process.
  const auto status = status_of(std::to_string(who.number));
  if (status && who.start != 0 && status->start != who.start) ended_ = true;
}

watched_process::~watched_process() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool watched_process::has_ended() {
  if (ended_ || !can_be_seen_) return ended_;
  if (descriptor_ >= 0) {
    pollfd what{descriptor_, POLLIN, 0};
    return ended_ = poll(&what, 1, 0) == 1 && (what.revents & (POLLIN | POLLHUP)) != 0;
  }
  if (kill(static_cast<pid_t>(who_.number), 0) != 0 && errno == ESRCH) return ended_ = true;
  const auto status = status_of(std::to_string(who_.number));
  const bool is_corpse = status && (status->letter == 'Z' || status->letter == 'X');
  const bool is_another = status && who_.start != 0 && status->start != who_.start;
  return ended_ = is_corpse || is_another;
}

bool watched_process::end() {
  if (has_ended()) return true;
  if (!can_be_seen_) return false;
#if defined(SYS_pidfd_send_signal)
  if (descriptor_ >= 0) return syscall(SYS_pidfd_send_signal, descriptor_, SIGKILL, nullptr, 0) == 0;
#endif
  return kill(static_cast<pid_t>(who_.number), SIGKILL) == 0;
}

void rank_lives::know(const std::vector<int>& ranks, const std::vector<process_identity>& processes, int self) {
  const std::lock_guard lock(guard_);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] != self) near_[ranks[i]] = processes[i];
}

watched_process* rank_lives::process_of(int rank) {
  const auto who = near_.find(rank);
  if (who == near_.end()) return nullptr;
  auto& watched = watched_[rank];
  if (!watched) watched = std::make_unique<watched_process>(who->second);
  return watched.get();
}

bool rank_lives::is_known_to_have_died(int rank) {
  auto* const process = process_of(rank);
  return process != nullptr ? process->has_ended() : heard_of_.contains(rank);
}

bool rank_lives::has_died(int rank) {
  const std::lock_guard lock(guard_);
  return is_known_to_have_died(rank);
}

void rank_lives::hear_of_death(int rank) {
  const std::lock_guard lock(guard_);
  knows_some_.store(true, std::memory_order_relaxed);
  if (!near_.contains(rank)) heard_of_.insert(rank);
}

bool rank_lives::is_corrupt(int rank) { return was_taken_for_dead(rank) || has_died(rank); }

void rank_lives::take_for_dead(int rank) {
  const std::lock_guard lock(guard_);
  knows_some_.store(true, std::memory_order_relaxed);
  taken_for_dead_.insert(rank);
}

bool rank_lives::was_taken_for_dead(int rank) {
  const std::lock_guard lock(guard_);
  return taken_for_dead_.contains(rank);
}

std::vector<int> rank_lives::newly_dead() {
  const std::lock_guard lock(guard_);
  std::vector<int> dead;
  for (const auto& [rank, who] : near_)
    if (!taken_for_dead_.contains(rank) && process_of(rank)->has_ended()) dead.push_back(rank);
  std::set_difference(heard_of_.begin(), heard_of_.end(), taken_for_dead_.begin(), taken_for_dead_.end(),
                      std::back_inserter(dead));
  std::sort(dead.begin(), dead.end());
  return dead;
}

std::vector<int> rank_lives::deaths_to_tell() {
  const std::lock_guard lock(guard_);
  std::vector<int> dead;
  for (const auto& [rank, who] : near_)
    if (!told_.contains(rank) && process_of(rank)->has_ended()) dead.push_back(rank);
  told_.insert(dead.begin(), dead.end());
  return dead;
}

bool rank_lives::survives_a_death() {
  const std::lock_guard lock(guard_);
  return std::any_of(taken_for_dead_.begin(), taken_for_dead_.end(),
                     [this](int rank) { return is_known_to_have_died(rank); });
}

bool rank_lives::end(int rank) {
  const std::lock_guard lock(guard_);
  auto* const process = process_of(rank);
  return process != nullptr && process->end();
}

bool rank_lives::is_near(int rank) {
  const std::lock_guard lock(guard_);
  return near_.contains(rank);
}

void require_alive(const communicator& comm, const std::string& called, int rank) {
  if (!comm.lives().is_lost_afar(rank)) return;
  throw error(error_kind::lost, called, detail::text("rank ", rank, ", on another node, has died or was declared dead"),
              comm.rank(), {rank});
}

}  // namespace wherry
