#include "call_sequence.hpp"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/patience.hpp"
#include "core/reserved_tags.hpp"

namespace wherry::collective {
namespace {

constexpr std::size_t most_refused = 64;

/// The seconds that a rank waits without WHERRY_TIMEOUT for the others to refuse a call that it has refused.
constexpr double patience_with_refusals = 30;

call_notice notice_of(std::uint64_t number, std::uint64_t hash, const error& why, std::int32_t refusals) {
  call_notice said{number, hash, static_cast<std::int32_t>(why.kind()), refusals};
  const auto words = wherry::detail::text(why.where(), ": ", why.text());
  words.copy(said.text, sizeof said.text - 1);
  return said;
}

/// The rank with the original error is stored in the notice's kind, so that a notice that is handed on names it.
constexpr int first_of_origin = 8;  // its first bit
constexpr std::string_view reports = " reports: ";

call_notice handed_on(call_notice said, const error& heard) {
  const auto at = heard.text().find(reports);
  if (heard.where() != "collective" || heard.peers().size() != 1 || at == std::string::npos) return said;
  said.kind |= (heard.peers().front() + 1) << first_of_origin;
  const auto words = heard.text().substr(at + reports.size());
  std::memset(said.text, 0, sizeof said.text);
  words.copy(said.text, sizeof said.text - 1);
  return said;
}

/// Errors of the same collective are alike: ranks may find different arguments of it wrong.
std::uint64_t hash_of(const error& why, std::uint64_t before) {
  return shape_hash().add(std::string_view(why.where())).add(before).value();
}

struct letter {
  std::uint64_t serial;
  call_notice said;
};

struct sent {
  MPI_Request request = MPI_REQUEST_NULL;
  letter what{};
};

/// Never destroyed, because MPI may still use its letters.
struct outbox {
  std::mutex guard;
  std::vector<std::unique_ptr<sent>> letters;

  static outbox& of_process() {
    static auto* const one = new outbox;
    return *one;
  }
  void post(const communicator& comm, int to, const call_notice& said) {
    const std::lock_guard lock(guard);
    std::erase_if(letters, [](const auto& one) {
      int done = 0;
      return PMPI_Test(&one->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
    });
    auto& one = *letters.emplace_back(std::make_unique<sent>());
    one.what = {comm.serial(), said};
    check_mpi(
        PMPI_Isend(&one.what, sizeof(letter), MPI_BYTE, to, reserved_tag::calls, comm.private_handle(), &one.request),
        "MPI_Isend");
  }
};

/// True if the words are of the same call, with the same root.
bool same_call_among(int size, std::uint64_t a, std::uint64_t b) {
  if (!call_terms::same_call(a, b)) return false;
  if (!has_root(static_cast<kind>((a & 31) - 1))) return true;
  const int bits = std::bit_width(static_cast<unsigned>(size) - 1);
  const auto root_in = [bits](std::uint64_t said) { return (said & ~call_terms::history_mask) >> (48 - bits); };
  return root_in(a) == root_in(b);
}

[[noreturn]] void throw_heard(const communicator& comm, int from, const call_notice& said, const std::string& more) {
  const int origin = (said.kind >> first_of_origin) - 1;
  const int whose = origin >= 0 && origin != comm.rank() ? origin : from;
  throw error(static_cast<error_kind>(said.kind & ((1 << first_of_origin) - 1)), "collective",
              wherry::detail::text("rank ", whose, reports, said.text, more), comm.rank(), {whose});
}

/// True for errors of which other ranks must be told, because they may not find out. Not for a timeout, which ends
/// their waits, too.
bool is_told(error_kind kind) {
  return kind != error_kind::timeout && kind != error_kind::lost && kind != error_kind::state;
}

}  // namespace

std::atomic<std::uint64_t> call_sequence::no_news_{0};

void shared_notice::say(const call_notice& said) {
  std::array<std::uint64_t, words> all;
  static_assert(sizeof all == sizeof said);
  std::memcpy(all.data(), &said, sizeof said);
  const auto version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t w = 0; w < words; ++w) words_[w].store(all[w], std::memory_order_relaxed);
  version_.store(version + 2, std::memory_order_release);
}

std::optional<call_notice> shared_notice::newer_than(std::uint64_t& version) const {
  const auto there = version_.load(std::memory_order_acquire);
  if (there == version || there % 2 != 0) return std::nullopt;
  std::array<std::uint64_t, words> all;
  for (std::size_t w = 0; w < words; ++w) all[w] = words_[w].load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (version_.load(std::memory_order_relaxed) != there) return std::nullopt;
  version = there;
  call_notice said;
  std::memcpy(static_cast<void*>(&said), all.data(), sizeof said);
  said.text[sizeof said.text - 1] = '\0';
  return said;
}

void call_sequence::share(std::vector<notice_board> members, int me) {
  members_ = std::move(members);
  versions_.assign(members_.size(), 0);
  me_ = me;
  news_ = members_[static_cast<std::size_t>(me)].news;
}

void call_sequence::refuse(const error& why) {
  const std::lock_guard lock(guard_);
  ++number_;
  ++refusals_;
  const auto hash = hash_of(why, refused_.empty() ? 0 : refused_.back().error);
  history_ = 3 * history_ + (hash & call_terms::history_mask);
  if (refused_.size() == most_refused) refused_.erase(refused_.begin());
  refused_.push_back({number_, hash, why.text()});
  unsettled_ = comm_.size() > 1;
  tell(notice_of(number_, hash, why, refusals_));
}

void call_sequence::give_up(std::uint64_t number) noexcept {
  if (std::exchange(has_given_up_, true) || !std::current_exception()) return;
  // An earlier refusal is mostly the reason, and may not have been read by all ranks.
  const auto tell_of = [&](const error& why) {
    if (!is_told(why.kind())) return;
    has_disagreed_ = true;
    if (refused_.empty()) return tell(handed_on(notice_of(number, 0, why, 0), why));
    const auto& before = refused_.back();
    tell(notice_of(
        std::min(number, before.number), 0,
        error(why.kind(), why.where(),
              wherry::detail::text("it refused call number ", before.number, ": ", before.text, "; then ", why.text()),
              why.rank()),
        refusals_));
  };
  try {
    try {
      throw;
    } catch (const error& why) {
      tell_of(why);
    } catch (const std::exception& why) {
      tell_of(error(error_kind::resource, "collective", why.what(), comm_.rank()));
    }
  } catch (...) {  // an error that cannot be told becomes a timeout on other ranks
  }
}

void call_sequence::tell(const call_notice& said) {
  if (!members_.empty()) {
    members_[static_cast<std::size_t>(me_)].mine->say(said);
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (static_cast<int>(m) != me_) members_[m].news->store(1, std::memory_order_release);
  }
  if (!has_far() || wherry::detail::ranks_share_a_process) return;
  for (int rank = 0; rank < comm_.size(); ++rank)
    if (rank != comm_.rank() && (members_.empty() || comm_.node_index(rank) < 0))
      outbox::of_process().post(comm_, rank, said);
}

void call_sequence::read_near() {
  if (!has_news() || members_.empty()) return;
  news_->exchange(0, std::memory_order_acquire);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (static_cast<int>(m) == me_) continue;
    const auto said = members_[m].mine->newer_than(versions_[m]);
    if (said) hear(comm_.node_ranks()[m], *said);
    if (members_[m].mine->is_changing()) news_->store(1, std::memory_order_relaxed);  // the next look reads it
  }
}

void call_sequence::read_far() {
  if (wherry::detail::ranks_share_a_process) return;
  for (;;) {
    int found = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, reserved_tag::calls, comm_.private_handle(), &found, &status), "MPI_Iprobe");
    if (found == 0) return;
    letter come{};
    check_mpi(PMPI_Recv(&come, sizeof come, MPI_BYTE, status.MPI_SOURCE, reserved_tag::calls, comm_.private_handle(),
                        MPI_STATUS_IGNORE),
              "MPI_Recv");
    come.said.text[sizeof come.said.text - 1] = '\0';
    if (come.serial == comm_.serial()) hear(status.MPI_SOURCE, come.said);
  }
}

void call_sequence::hear(int from, const call_notice& said) {
  heard_.push_back({from, said});
  if (said.error != 0) refusals_of_others_[from] = {said.number, said.error, said.refusals};
}

/// A rank that is ahead has refused this call if it has refused more calls than this rank.
bool call_sequence::has_refused_as_well(int rank) const {
  const auto found = refusals_of_others_.find(rank);
  if (found == refusals_of_others_.end()) return false;
  const auto& [number, error, refusals] = found->second;
  const auto& own = refused_.back();
  return number == own.number ? error == own.error : number > own.number && refusals > refusals_;
}

bool call_sequence::have_all_refused() {
  const std::lock_guard lock(guard_);
  read_near();
  if (has_far()) read_far();
  if (!heard_.empty()) judge(number_);
  for (int rank = 0; rank < comm_.size(); ++rank) {
    const bool hears = by_messages_ || (!members_.empty() && comm_.node_index(rank) >= 0);
    if (rank != comm_.rank() && hears && !has_refused_as_well(rank)) return false;
  }
  unsettled_ = false;
  return true;
}

void call_sequence::settle() {
  if (has_disagreed_)
    throw error(error_kind::state, "collective",
                "the ranks of this communicator have made different calls; make a new communicator", comm_.rank());
  if (wherry::detail::ranks_share_a_process) return;
  const auto limit = current_settings().timeout > 0 ? current_settings().timeout : patience_with_refusals;
  auto patient = patience(comm_, "collective", "the same error on all ranks", number_).within(limit);
  while (!have_all_refused())
    if (patient.pause_in_vain()) {
      const std::lock_guard lock(guard_);
      std::vector<int> others;
      for (int rank = 0; rank < comm_.size(); ++rank)
        if (rank != comm_.rank() && !has_refused_as_well(rank)) others.push_back(rank);
      throw error(error_kind::mismatch, "collective",
                  wherry::detail::text("this rank refused call number ", refused_.back().number, " (",
                                       refused_.back().text, "), and after ", limit, " seconds rank",
                                       others.size() > 1 ? "s " : " ", first_of(others), " had not refused it"),
                  comm_.rank(), others);
    }
}

void call_sequence::look(std::uint64_t number) {
  constexpr unsigned between = 16;  // each look for messages is a call of MPI
  const bool far = has_far() && ++looks_ % between == 0;
  if (!far && !has_news()) return;
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock) return;
  read_near();
  if (far) read_far();
  if (!heard_.empty()) judge(number);
}

void call_sequence::look_from_wait(std::uint64_t number, std::uint64_t says, std::uint64_t mark) {
  constexpr unsigned between = 512;  // so that short waits write nothing
  look(number);
  if (says != 0 && !members_.empty() && ++waits_ % between == 0) compare_waits(number, says, mark);
}

/// Two ranks that wait in calls with the same number mean the same call; and a rank that waits in the next call has
/// made the same one before. This holds for older waits as well.
void call_sequence::compare_waits(std::uint64_t number, std::uint64_t says, std::uint64_t mark) {
  {
    // A rank that has given up a later call cannot reach the end of this one.
    const std::lock_guard lock(guard_);
    for (const auto& one : heard_)
      if (one.said.error == 0) throw_heard(comm_, one.from, one.said, {});
  }
  members_[static_cast<std::size_t>(me_)].mine->wait_in(number, says);
  const auto history_then = 3 * (says & call_terms::history_mask) + mark;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (static_cast<int>(m) == me_) continue;
    const int rank = comm_.node_ranks()[m];
    const auto there = members_[m].mine->said_in(number), next = members_[m].mine->said_in(number + 1);
    if (there && !same_call_among(comm_.size(), says, *there)) disagree(says, rank, *there);
    if (next && !call_terms::same_history(history_then, *next))
      throw error(error_kind::mismatch, name_of(static_cast<kind>((says & 31) - 1)),
                  wherry::detail::text("rank ", rank, " made other calls before ",
                                       call_terms::words_of(*next, comm_.size()), " than rank ", comm_.rank(),
                                       ", which now calls ", call_terms::words_of(says, comm_.size())),
                  comm_.rank(), {rank});
  }
}

void call_sequence::look_far(std::uint64_t number) {
  if (!has_far()) return;
  const std::lock_guard lock(guard_);
  read_far();
  if (!heard_.empty()) judge(number);
}

void call_sequence::judge(std::uint64_t number) {
  std::erase_if(heard_, [&](const heard& one) { return is_settled(one, number); });
  if (!heard_.empty() && !members_.empty()) news_->store(1, std::memory_order_relaxed);  // later calls look again
}

bool call_sequence::is_settled(const heard& one, std::uint64_t number) const {
  if (one.said.number > number) return false;
  const auto throw_it = [&](const std::string& more) { throw_heard(comm_, one.from, one.said, more); };
  if (one.said.error == 0) throw_it({});
  for (const auto& own : refused_) {
    if (own.number != one.said.number) continue;
    if (own.error == one.said.error) return true;
    throw_it("; this rank refused the call: " + own.text);
  }
  // Too old to be remembered; histories differ if it matters.
  if (one.said.number + most_refused < number_) return true;
  throw_it("; this rank has made the call");
  return true;
}

void call_sequence::miss(std::uint64_t mine, int rank) {
  look(number_);
  throw error(
      error_kind::mismatch, name_of(static_cast<kind>((mine & 31) - 1)),
      wherry::detail::text("rank ", rank, " made another call than rank ", comm_.rank(),
                           ", or named another root: this rank calls ", call_terms::words_of(mine, comm_.size())),
      comm_.rank(), {rank});
}

void call_sequence::disagree(std::uint64_t mine, int rank, std::uint64_t theirs) {
  look(number_);
  look_far(number_);
  const int size = comm_.size();
  const auto before = call_terms::same_history(mine, theirs)
                          ? std::string()
                          : std::string("the ranks made different collective calls before this one: ");
  throw error(error_kind::mismatch, name_of(static_cast<kind>((mine & 31) - 1)),
              wherry::detail::text(before, "rank ", rank, " calls ", call_terms::words_of(theirs, size), ", rank ",
                                   comm_.rank(), " calls ", call_terms::words_of(mine, size)),
              comm_.rank(), {rank});
}

}  // namespace wherry::collective
