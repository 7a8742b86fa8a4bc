#include "consensus.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

/// The body of a `failed` letter.
struct failure_notice {
  std::int32_t reason = 0, missing = 0;
};

std::vector<std::byte> to_body(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::vector<std::byte> to_body(const std::set<int>& ranks) {
  std::vector<std::byte> body;
  for (const int r : ranks) {
    const auto bytes = std::as_bytes(std::span(&r, 1));
    body.insert(body.end(), bytes.begin(), bytes.end());
  }
  return body;
}

std::vector<int> ranks_in(std::span<const std::byte> body) {
  std::vector<int> ranks(body.size() / sizeof(int));
  if (!ranks.empty()) std::memcpy(ranks.data(), body.data(), ranks.size() * sizeof(int));
  return ranks;
}

std::string to_text(std::span<const std::byte> body) {
  return {reinterpret_cast<const char*>(body.data()), body.size()};
}

std::vector<std::byte> describe(error_kind reason, const std::string& why, const std::vector<int>& missing) {
  const failure_notice head{static_cast<std::int32_t>(reason), static_cast<std::int32_t>(missing.size())};
  std::vector<std::byte> body(sizeof head + missing.size() * sizeof(int));
  std::memcpy(body.data(), &head, sizeof head);
  if (!missing.empty()) std::memcpy(body.data() + sizeof head, missing.data(), missing.size() * sizeof(int));
  const auto said = to_body(why);
  body.insert(body.end(), said.begin(), said.end());
  return body;
}

error told(const std::vector<std::byte>& body, std::string_view where, int rank) {
  failure_notice head;
  std::memcpy(&head, body.data(), sizeof head);
  std::vector<int> missing(static_cast<std::size_t>(head.missing));
  const auto text_at = sizeof head + missing.size() * sizeof(int);
  if (!missing.empty()) std::memcpy(missing.data(), body.data() + sizeof head, missing.size() * sizeof(int));
  return {static_cast<error_kind>(head.reason), where, to_text(std::span(body).subspan(text_at)), rank, missing};
}

}  // namespace

std::chrono::duration<double> consensus::time_to_answer() {
  return seconds(std::clamp(current_settings().timeout / 2, 0.2, 1.0));
}

consensus::consensus(const communicator& comm, std::string_view where, std::uint64_t number, int branches)
    : comm_(comm),
      mail_(consensus_mail::of(comm)),
      where_(where),
      number_(number),
      patience_(comm_, where_, "agreement", number_),
      parent_((comm.rank() - 1) / branches),
      first_child_(static_cast<int>(std::min<std::int64_t>(comm.size(), std::int64_t{comm.rank()} * branches + 1))) {
  const auto children = static_cast<std::size_t>(std::min(branches, comm.size() - first_child_));
  from_children_.resize(children);
  has_come_.assign(children, 0);
}

consensus::~consensus() {
  if (!detail::mpi_is_running()) return;
  if (!ended_) leave();
  mail_.close(number_);
}

void consensus::leave() noexcept {
  try {
    if (comm_.rank() != 0)
      send(0, kind::left, to_body(detail::text("rank ", comm_.rank(), " left the call with an error")));
    if (comm_.rank() == 0) give_up(error_kind::state, "rank 0 left the call with an error", {});
  } catch (...) {  // the original error is reported instead
  }
}

void consensus::enter(bytes mine, combine how, lengths expected) {
  lengths_ = expected;
  result_ = std::move(mine);
  combine_ = std::move(how);
  entered_ = true;
}

bool consensus::test() {
  if (ended_) return true;
  const auto letters = mail_.take(number_);
  for (const auto& l : letters) hear(l);
  for (const auto& l : letters)
    if (!ended_) take(l);
  was_waited_for_ = false;
  if (!ended_ && entered_ && !went_up_ &&
      std::all_of(has_come_.begin(), has_come_.end(), [](char c) { return c != 0; }))
    go_up();
  return ended_;
}

const consensus::bytes& consensus::of(bytes mine, combine how, lengths expected) {
  enter(std::move(mine), std::move(how), expected);
  while (!test()) pause();
  while (!mail_.all_sent() && !patience_.pause_in_vain()) {  // large letters leave only during calls of MPI
  }
  return result_;
}

void consensus::take(const consensus_letter& l) {
  const bool first = comm_.rank() == 0;
  if (l.what == kind::failed) {
    ended_ = true;
    throw told(l.body, where_, comm_.rank());
  }
  if (l.where != shortened(where_)) {
    const auto said =
        detail::text("rank ", l.from, " is in '", l.where, "' while rank ", comm_.rank(), " is in '", where_, "'");
    if (first) give_up(error_kind::mismatch, said, {});
    return send(0, kind::disputed, to_body(said));
  }
  switch (l.what) {
    case kind::up:
      from_children_[child_of(l.from)] = l.body;
      has_come_[child_of(l.from)] = 1;
      return;
    case kind::down:
      result_ = l.body;
      return go_down();
    case kind::left:
      if (first) give_up(error_kind::timeout, to_text(l.body), call_the_roll());
      return;
    case kind::disputed:
      give_up(error_kind::mismatch, to_text(l.body), {});
    case kind::roll_call:
      return send(l.from, kind::here, to_body(heard_));
    case kind::here:
    case kind::failed:
      return;
  }
}

void consensus::go_up() {
  went_up_ = true;
  for (const auto& theirs : from_children_) {
    if (lengths_ == lengths::alike && theirs.size() != result_.size()) {
      const auto said = detail::text("rank ", comm_.rank(), " and one of the ranks from ", first_child_,
                                     " on bring different numbers of figures");
      if (comm_.rank() == 0) give_up(error_kind::mismatch, said, {});
      return send(0, kind::disputed, to_body(said));
    }
    combine_(result_, theirs);
  }
  if (comm_.rank() != 0) return send(parent_, kind::up, result_);
  go_down();
}

void consensus::go_down() {
  ended_ = true;
  for (std::size_t i = 0; i < from_children_.size(); ++i) send(first_child_ + static_cast<int>(i), kind::down, result_);
}

void consensus::pause() {
  detail::spare_simulator();
  if (patience_.pause_in_vain()) out_of_time();
}

void consensus::out_of_time() {
  const auto why =
      detail::text("rank ", comm_.rank(), " waited longer than WHERRY_TIMEOUT=", current_settings().timeout,
                   " s for all ranks to make this call");
  if (comm_.rank() == 0) give_up(error_kind::timeout, why, call_the_roll());
  send(0, kind::left, to_body(why));
  const auto until = clock::now() + 3 * time_to_answer();
  while (clock::now() < until) {
    if (test()) return;
    patience_.pause_in_vain();
  }
  ended_ = true;
  throw error(error_kind::timeout, where_, why + "; not arrived: rank 0", comm_.rank(), {0});
}

void consensus::ask_who_is_here() {
  for (int r = 0; r < comm_.size(); ++r)
    if (r != comm_.rank() && !heard_.contains(r)) send(r, kind::roll_call);
}

void consensus::hear(const consensus_letter& l) {
  heard_.insert(l.from);
  if (l.what != kind::here) return;
  const auto others = ranks_in(l.body);
  heard_.insert(others.begin(), others.end());
}

std::vector<int> consensus::not_heard_of() const {
  std::vector<int> ranks;
  for (int r = 0; r < comm_.size(); ++r)
    if (r != comm_.rank() && !heard_.contains(r)) ranks.push_back(r);
  return ranks;
}

std::vector<int> consensus::call_the_roll() {
  ask_who_is_here();
  const auto until = clock::now() + time_to_answer();
  while (!not_heard_of().empty() && clock::now() < until) {
    for (const auto& l : mail_.take(number_)) hear(l);
    patience_.pause_in_vain();
  }
  auto missing = not_heard_of();
  if (was_waited_for_) missing.insert(missing.begin(), comm_.rank());
  return missing;
}

void consensus::give_up(error_kind reason, const std::string& why, const std::vector<int>& missing) {
  ended_ = true;
  const auto said = missing.empty() ? why : why + "; not arrived: rank " + list_of(missing);
  const auto notice = describe(reason, said, missing);
  for (int r = 1; r < comm_.size(); ++r) send(r, kind::failed, notice);
  throw error(reason, where_, said, comm_.rank(), missing);
}

}  // namespace wherry
