#include "group_mail.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/communicator_attribute.hpp"
#include "core/consensus_mail.hpp"
#include "core/reserved_tags.hpp"

namespace wherry {
namespace {

constexpr int tag = reserved_tag::groups;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class T> std::span<const std::byte> bytes_of(const T& value) { return std::as_bytes(std::span(&value, 1)); }

}  // namespace

group_mail& group_mail::of(const communicator& comm) {
  static std::mutex guard;
  const std::lock_guard lock(guard);
  using attribute = communicator_attribute<group_mail>;
  if (auto* kept = attribute::find(comm.private_handle())) return *kept;
  return attribute::set(comm.private_handle(), std::make_unique<group_mail>(comm));
}

group_mail::group_mail(const communicator& comm)
    : comm_(comm.private_handle()), rank_(comm.rank()), serial_(consensus_mail::of(comm).serial()) {}

// Letters that have not left yet are leaked, because MPI may use their memory until the job ends.
group_mail::~group_mail() {
  for (auto& letter : outbox_) static_cast<void>(letter.release());
}

std::uint64_t group_mail::open(group_addressee& group, std::uint64_t list) {
  const std::lock_guard lock(guard_);
  open_.emplace(++last_, member{&group, list});
  return last_;
}

std::uint64_t group_mail::failures() { return failures_of({rank_})[0]; }

std::vector<std::uint64_t> group_mail::failures_of(const std::vector<int>& ranks) {
  const std::lock_guard lock(guard_);
  std::vector<std::uint64_t> known;
  for (const int rank : ranks) {
    const auto found = failures_of_.find(rank);
    known.push_back(found != failures_of_.end() ? found->second : 0);
  }
  return known;
}

void group_mail::settle(std::uint64_t own) {
  const std::lock_guard lock(guard_);
  open_.at(own).list = 0;
}

void group_mail::close(std::uint64_t own) {
  const std::lock_guard lock(guard_);
  open_.erase(own);
}

void group_mail::note_failure(std::uint64_t list, group_failure why, const std::vector<late_rank>& not_heard_of) {
  const std::lock_guard lock(guard_);
  ++failures_of_[rank_];
  for (const auto& late : not_heard_of) {
    // If the commit has failed on that rank too, it need not be told.
    if (ahead_.erase(late.rank) != 0 || failures_of_[late.rank] > late.failures) continue;
    const auto card = std::find_if(cards_.begin(), cards_.end(),
                                   [&](const kept_card& c) { return c.from == late.rank && c.card.list == list; });
    if (card == cards_.end()) {
      owed_[{late.rank, list}] = {why, late.failures};
    } else if (card->card.failures <= late.failures) {
      answer(*card, why);
      cards_.erase(card);
    }
  }
}

void group_mail::answer(const kept_card& card, group_failure why) {
  post_unguarded(card.from, {serial_, static_cast<std::uint64_t>(kind::refusal), card.card.own, 0, why.word}, {});
}

void group_mail::send_card(int to, group_card card) {
  const std::lock_guard lock(guard_);
  if (const auto owed = owed_.find({to, card.list}); owed != owed_.end())
    card.least_failures = owed->second.failures + 1;  // the limit that `keep` applies
  post_unguarded(to, {serial_, static_cast<std::uint64_t>(kind::card), 0, 0, 0}, bytes_of(card));
}

void group_mail::send_failure(int to, std::uint64_t own, group_failure why, std::uint64_t taken) {
  const std::lock_guard lock(guard_);
  post_unguarded(to, {serial_, static_cast<std::uint64_t>(kind::failure), own, 0, why.word},
                 bytes_of(failure_note{taken, failures_of_[rank_]}));
}

void group_mail::send_heads(int to, std::uint64_t their_own, std::span<const std::byte> list) {
  post(to, {serial_, static_cast<std::uint64_t>(kind::heads), their_own, 0, 0}, list);
}

void group_mail::send_part(int to, std::uint64_t their_own, bool up, std::uint64_t number, std::uint64_t call,
                           std::span<const std::byte> data) {
  post(to, {serial_, static_cast<std::uint64_t>(up ? kind::up : kind::down), their_own, number, call}, data);
}

void group_mail::post(int to, const head& what, std::span<const std::byte> body) {
  const std::lock_guard lock(guard_);
  post_unguarded(to, what, body);
}

void group_mail::post_unguarded(int to, const head& what, std::span<const std::byte> body) {
  test_sent();
  if (spare_.empty()) spare_.push_back(std::make_unique<sent>());
  auto letter = std::move(spare_.back());
  spare_.pop_back();
  letter->bytes.resize(sizeof what + body.size());
  std::memcpy(letter->bytes.data(), &what, sizeof what);
  if (!body.empty()) std::memcpy(letter->bytes.data() + sizeof what, body.data(), body.size());
  check_mpi(PMPI_Isend(letter->bytes.data(), static_cast<int>(letter->bytes.size()), MPI_BYTE, to, tag, comm_,
                       &letter->request),
            "MPI_Isend");
  outbox_.push_back(std::move(letter));
}

void group_mail::test_sent() {
  for (std::size_t i = 0; i < outbox_.size();) {
    int done = 0;
    check_mpi(PMPI_Test(&outbox_[i]->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) {
      ++i;
      continue;
    }
    spare_.push_back(std::move(outbox_[i]));
    outbox_[i] = std::move(outbox_.back());
    outbox_.pop_back();
  }
}

void group_mail::look() {
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock) return;  // another thread receives
  test_sent();
  receive_all();
}

void group_mail::receive_all() {
  for (;;) {
    int found = 0, bytes = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &found, &status), "MPI_Iprobe");
    if (found == 0) return;
    check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    incoming_.resize(static_cast<std::size_t>(bytes));
    check_mpi(PMPI_Recv(incoming_.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE),
              "MPI_Recv");
    head what;
    if (incoming_.size() < sizeof what) continue;
    std::memcpy(&what, incoming_.data(), sizeof what);
    if (what.serial == serial_)  // otherwise the letter belongs to a communicator that was freed
      hand_over(status.MPI_SOURCE, what, std::span<const std::byte>(incoming_).subspan(sizeof what));
  }
}

void group_mail::hand_over(int from, const head& what, std::span<const std::byte> body) {
  const auto said = static_cast<kind>(what.what);
  if (said == kind::card) {
    kept_card kept{from, {}, now()};
    if (body.size() != sizeof kept.card) return;
    std::memcpy(&kept.card, body.data(), sizeof kept.card);
    return keep(kept);
  }
  if (said == kind::failure) {
    failure_note note;
    if (body.size() != sizeof note) return;
    std::memcpy(&note, body.data(), sizeof note);
    return take_failure(from, what.group, {what.call}, note);
  }
  const auto found = open_.find(what.group);
  if (found == open_.end()) return;  // the group was destroyed on this rank
  auto& group = *found->second.group;
  if (said == kind::heads) return group.take_heads(body);
  if (said == kind::refusal) return group.refuse({what.call});
  group.take({said == kind::up, from, what.number, what.call, body});
}

void group_mail::keep(const kept_card& card) {
  auto& known = failures_of_[card.from];
  known = std::max(known, card.card.failures);
  if (const auto found = owed_.find({card.from, card.card.list}); found != owed_.end()) {
    const auto owed = found->second;
    owed_.erase(found);
    if (card.card.failures <= owed.failures) return answer(card, owed.why);  // otherwise it is another attempt
  }
  cards_.push_back(card);
}

void group_mail::take_failure(int from, std::uint64_t own, group_failure why, const failure_note& note) {
  if (auto& known = failures_of_[from]; note.failures > known) {
    known = note.failures;
    std::erase_if(owed_, [from](const auto& owed) { return owed.first.rank == from; });
  }
  // The sender's card may still be here, whether or not the sender has taken this rank's.
  const auto is_its = [&](const kept_card& card) { return card.from == from && card.card.own == own; };
  if (std::erase_if(cards_, is_its) != 0) ahead_.insert(from);
  if (const auto hit = open_.find(note.taken); hit != open_.end()) return hit->second.group->refuse(why);
  for (auto& [number, group] : open_) group.group->forget(from, own);
}

bool group_mail::is_at(std::uint64_t list) const {
  return std::any_of(open_.begin(), open_.end(), [&](const auto& group) { return group.second.list == list; });
}

// Every group with the same list waits for cards from the same ranks, so older groups come first.
bool group_mail::is_for(std::uint64_t own, const kept_card& card) const {
  return std::all_of(open_.begin(), open_.lower_bound(own), [&](const auto& older) {
    return older.second.list != card.card.list || older.second.group->knows(card.from);
  });
}

std::optional<group_mail::kept_card> group_mail::take_stranger(const std::vector<int>& ranks, double seconds) {
  const std::lock_guard lock(guard_);
  const double latest = now() - seconds;
  for (auto card = cards_.begin(); card != cards_.end(); ++card)
    if (card->since <= latest && !is_at(card->card.list) &&
        std::binary_search(ranks.begin(), ranks.end(), card->from)) {
      const auto taken = *card;
      cards_.erase(card);
      return taken;
    }
  return std::nullopt;
}

}  // namespace wherry
