#include "exchange_work.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/patience.hpp"
#include "core/trace.hpp"
#include "flight/companions.hpp"
#include "transport/byte_channel_state.hpp"
#include "verdict.hpp"

namespace wherry::sparse {
namespace {

/// The words of all ranks in the agreement: the smallest and the largest one.
struct two_words {
  std::uint64_t least, most;
};

std::vector<std::byte> to_body(const two_words& words) {
  std::vector<std::byte> body(sizeof words);
  std::memcpy(body.data(), &words, sizeof words);
  return body;
}

two_words to_words(std::span<const std::byte> body) {
  two_words words;
  std::memcpy(&words, body.data(), sizeof words);
  return words;
}

void combine_words(std::span<std::byte> into, std::span<const std::byte> from) {
  const auto a = to_words(into), b = to_words(from);
  const two_words both{std::min(a.least, b.least), std::max(a.most, b.most)};
  std::memcpy(into.data(), &both, sizeof both);
}

}  // namespace

void exchange_work::begin(std::shared_ptr<communicator_state> on, std::string_view where,
                          const wherry::detail::sparse_elements& elements, const sparse_options& options,
                          wherry::detail::sparse_form form) {
  state_ = std::move(on);
  where_ = where;
  elements_ = elements;
  const auto ranks = static_cast<std::size_t>(state_->comm.size());
  counts_.assign(ranks, nothing);
  places_.assign(ranks, 0);
  lists_.assign(ranks, 0);
  runs_ = 0;
  others_may_drive_ = form == wherry::detail::sparse_form::started;
  how_ = find_algorithm(options.algorithm, *state_, form);
  knows_sources_ = options.receive_from.has_value();
  if (knows_sources_) check_sources(options);
  if (options.limit_bytes != 0)
    refuse(error(error_kind::argument, where_,
                 "'limit_bytes' is for blocking calls: an exchange that is started has no turns", state_->comm.rank()));
  if (how_ != nullptr) return;
  const auto& named = current_settings().sparse.empty() ? options.algorithm : current_settings().sparse;
  refuse(error(error_kind::argument, where_,
               wherry::detail::text("there is no algorithm '", named, "', expected auto, ", names_of_algorithms()),
               state_->comm.rank()));
  how_ = &automatic_algorithm(*state_, form);  // with which the other ranks most probably wait for this one
}

std::shared_ptr<communicator_state> exchange_work::end() {
  drive_alone();
  refusal_.reset();
  log_.reset();
  word_ = refused;
  now_ = phase::heads;
  all_agree_ = true;
  leaves_others_ = false;
  polls_ = 0;
  began_ = {};
  cells_ = {};
  sources_.clear();
  letters_.begin(MPI_COMM_NULL, 0);
  return std::move(state_);
}

exchange_work::~exchange_work() {
  if (!state_) return;
  drive_alone();
  close_agreements();
  end_call();
}

void exchange_work::end_call() {
  state_->end_call(cells_, std::exchange(buffer_, nullptr));
  if (uses_relay()) relay_.give_memory_back();
}

void exchange_work::start(const wherry::detail::sparse_target& into) {
  companions::tend_graveyard();
  into_ = into;
  shape_hash hash;
  hash.add(where_)
      .add(elements_.bytes)
      .add(elements_.limit_bytes)
      .add(how_->name)
      .add(current_settings().message_limit)
      .add(knows_sources_);
  elements_.type.add_to(hash);
  own_word_ = (hash.value() | 3) ^ 1;  // even, and not `refused`
  if (refusal_) {
    for (auto& count : counts_) count = knows_sources_ && count != nothing ? 0 : nothing;
    all_agree_ = false;
  } else {
    word_ = own_word_;
  }
  if (stream_log::measures()) {
    log_ = channel_state::of(state_->comm)->log();
    start_time_ = trace_clock();
  }
  cells_ = state_->next_call();
  tag_ = state_->comm.next_tag();
  letter_tag_ = state_->comm.next_tag();
  relay_tag_ = state_->comm.next_tag();
  open_agreements();
  take_off();
  try {
    begin_routes();
  } catch (...) {  // no memory: the others learn it as from a rank that fails later
    break_off();
  }
  if (others_may_drive_) drive_in_waits();
}

void exchange_work::begin_routes() {
  const auto& comm = state_->comm;
  came_.assign(counts_.size(), nothing);
  direct_.begin(*state_, uses_cells() ? &cells_[0] : nullptr, tag_);
  if (uses_relay()) relay_.begin(*state_, std::span(cells_).last<2>(), relay_tag_, letter_tag_);
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    const auto bytes = bytes_to(r);
    const bool is_empty = refusal_ || bytes == nothing;
    switch (route_to(r)) {
      case route::message:
      case route::cell:
        if (!knows_sources_ || std::ranges::binary_search(sources_, r)) direct_.expect(r);
        if (!knows_sources_ || bytes != nothing)
          direct_.give(r, buffer_ == nullptr || refusal_ ? nullptr : list_to(r), bytes);
        break;
      case route::relay:
        if (!is_empty) relay_.add({comm.rank(), r, bytes, list_to(r) + sizeof(message_head)});
        break;
      case route::letter:
        break;
    }
  }
  direct_.start(word_, buffer_);
  if (uses_relay()) relay_.start(own_word_, !refusal_);
  if (!uses_letters()) return;
  open(barrier_);
  letters_.begin(comm.private_handle(), letter_tag_);
  for (int to = 0; to < comm.size(); ++to)
    if (to != comm.rank() && bytes_to(to) != nothing)
      letters_.add(to, {list_to(to) + sizeof(message_head), static_cast<std::size_t>(bytes_to(to))});
}

bool exchange_work::lists_have_come() {
  const bool direct = direct_.heads_have_come();
  if (uses_relay() && !relay_.rows_have_come()) return false;
  if (!direct) return false;
  for (const auto& list : direct_.lists()) {
    compare(list.word, list.from);
    came_[static_cast<std::size_t>(list.from)] = list.bytes;
  }
  if (!uses_relay()) return true;
  all_agree_ = all_agree_ && relay_.all_agree();
  for (const auto& row : relay_.rows()) came_[static_cast<std::size_t>(row.from)] = row.bytes;
  return true;
}

bool exchange_work::letters_have_come() {
  while (receive_piece(state_->comm.private_handle(), letter_tag_, letters_received_)) {
  }
  auto& barrier = *barrier_.agreement;
  if (!barrier.entered() && letters_.received()) barrier.enter(to_body({word_, word_}), combine_words);
  if (!barrier.test()) return false;
  const auto all = to_words(barrier.result());
  compare(all.least, 0);
  compare(all.most, 0);
  for (const auto& [from, list] : letters_received_)
    came_[static_cast<std::size_t>(from)] = static_cast<std::int64_t>(list.size());
  return true;
}

bool exchange_work::heads_have_come() { return uses_letters() ? letters_have_come() : lists_have_come(); }

bool exchange_work::step() {
  switch (now_) {
    case phase::heads:
      if (!heads_have_come()) {
        look_for_others();
        return false;
      }
      if (!all_agree_ && !knows_sources_) {
        drop_all();
        begin_verdict();
        now_ = phase::agreeing;
        return step();
      }
      deliver();
      now_ = phase::bodies;
      [[fallthrough]];
    case phase::bodies: {
      const bool received = bodies_have_come(), relayed = !uses_relay() || relay_.has_sent();
      if (!direct_.has_sent() || !relayed || !received) return false;
      now_ = phase::ended;
      if (refusal_) throw error(*refusal_);  // no memory for the elements, or known sources that do not agree
      return true;
    }
    case phase::agreeing: {
      const bool dropped = bodies_have_come();
      if (!verdict_.agreement->test() || !dropped) {
        look_for_others();  // ranks that cannot even see that there is a disagreement
        return false;
      }
      throw error(verdict::to_error(verdict_.agreement->result(), where_, state_->comm.rank()));
    }
    case phase::ended:
      return true;
  }
  return true;
}

bool exchange_work::advance() {
  if (broken_) std::rethrow_exception(broken_);
  const companions::driving here;
  try {
    if (state_->has_ended)
      throw error(error_kind::state, where_, "the communicator was freed before the exchange had ended");
    if (!step()) return false;
    into_ = {};
    close_agreements();
    end_call();
    if (log_) report();
    return true;
  } catch (...) {
    break_off();
    throw;
  }
}

void exchange_work::report() noexcept {
  try {
    const int me = state_->comm.rank();
    std::size_t sent = 0, received = 0;
    std::array<bool, 2> ways{};
    std::vector<int> peers;
    for (int r = 0; r < state_->comm.size(); ++r) {
      const auto out = bytes_to(r), in = came_[static_cast<std::size_t>(r)];
      if (r == me || (out == nothing && in == nothing)) continue;
      sent += static_cast<std::size_t>(std::max<std::int64_t>(out, 0));
      received += static_cast<std::size_t>(std::max<std::int64_t>(in, 0));
      const bool shares = uses_cells() && state_->has_cell(r);
      ways[static_cast<std::size_t>(shares ? stream_way::rings : stream_way::messages)] = true;
      peers.push_back(r);
    }
    std::exchange(log_, nullptr)->count_exchange(where_, sent, received, ways, start_time_, peers);
  } catch (...) {  // no memory for the name of a call: the exchange is not counted
  }
}

// Ranks with another algorithm may have written cells for this one.
void exchange_work::break_off() noexcept {
  state_->end_call(cells_, nullptr);
  broken_ = std::current_exception();
}

void exchange_work::append_missing(std::vector<int>& ranks) const {
  direct_.append_missing(ranks);
  if (uses_relay()) relay_.append_missing(ranks);
  letters_.append_missing(ranks);
  if (!ranks.empty() || !presence_.agreement) return;
  for (const int r : presence_.agreement->not_heard_of()) ranks.push_back(r);
}

bool exchange_work::has_ended() {
  if (!poll()) return false;
  if (failed()) std::rethrow_exception(failure());
  return true;
}

bool exchange_work::test() {
  wherry::detail::require_mpi(where_, state_->comm.rank());
  if (has_ended()) return true;
  wherry::detail::progress_mpi(state_->comm.private_handle());
  companions::progress();  // the other ranks may end other exchanges first
  return false;
}

void exchange_work::wait() {
  wherry::detail::require_mpi(where_, state_->comm.rank());
  if (has_ended()) return;
  const stream_wait measured(where_, state_->comm);
  patience wait(state_->comm, where_, "exchange", cells_[0].number / communicator_state::hops_of_call + 1);
  do {
    if (!wait.pause_in_vain()) continue;
    if (ends_during_roll_call(wait)) return;
    wait.give_up([this](std::vector<int>& ranks) {
      const auto mine = turn::of_owner(*this);
      append_missing(ranks);
    });
  } while (!has_ended());
}

// Letters do not tell which ranks have not come, so all ranks that have come are asked to answer.
bool exchange_work::ends_during_roll_call(patience& wait) {
  const auto until = std::chrono::steady_clock::now() + consensus::time_to_answer();
  for (bool asked = false; std::chrono::steady_clock::now() < until; asked = true) {
    {
      const auto mine = turn::of_owner(*this);
      std::vector<int> missing;
      append_missing(missing);
      if (asked && missing.empty()) break;
      if (!asked && (!missing.empty() || now_ != phase::heads)) break;
      if (!asked) be_present().ask_who_is_here();
      presence_.agreement->test();
    }
    wait.pause_in_vain();
    if (has_ended()) return true;
  }
  return false;
}

bool exchange_work::mpi_needs_it() const { return letters_.under_way() || direct_.under_way() || relay_.under_way(); }

bool exchange_work::let_go() noexcept {
  const turn mine(*this);
  progress();
  return !in_flight() && !failed();
}

}  // namespace wherry::sparse
