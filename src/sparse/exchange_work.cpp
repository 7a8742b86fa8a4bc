#include "exchange_work.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/bulk_copy.hpp"
#include "core/patience.hpp"
#include "flight/companions.hpp"
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
                          const wherry::detail::sparse_elements& elements, const sparse_options& options) {
  state_ = std::move(on);
  where_ = where;
  elements_ = elements;
  const auto ranks = static_cast<std::size_t>(state_->comm.size());
  counts_.assign(ranks, nothing);
  places_.assign(ranks, 0);
  lists_.assign(ranks, 0);
  how_ = find_algorithm(options.algorithm, *state_);
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
  how_ = &algorithms().front();
}

std::shared_ptr<communicator_state> exchange_work::end() {
  drive_alone();
  refusal_.reset();
  word_ = refused;
  now_ = phase::heads;
  all_agree_ = true;
  polls_ = 0;
  began_ = {};
  for (auto* const list : {&cells_to_write_, &cells_to_come_, &by_message_, &sources_}) list->clear();
  messages_.clear();
  letters_.begin(MPI_COMM_NULL, 0);
  return std::move(state_);
}

exchange_work::~exchange_work() {
  if (!state_) return;
  drive_alone();
  close_agreements();
  if (buffer_ != nullptr) state_->give_back(*buffer_, uses_cells() && in_flight() ? number_ : 0);
}

void exchange_work::start(const wherry::detail::sparse_target& into, bool others_may_drive) {
  companions::tend_graveyard();
  into_ = into;
  if (!refusal_) {
    shape_hash hash;
    hash.add(where_).add(elements_.bytes).add(how_->name).add(current_settings().message_limit);
    hash.add(knows_sources_);
    elements_.type.add_to(hash);
    word_ = hash.value();
  } else {
    for (auto& count : counts_) count = knows_sources_ && count != nothing ? 0 : nothing;
    all_agree_ = false;
  }
  number_ = state_->next_call();
  tag_ = state_->comm.next_tag();
  letter_tag_ = state_->comm.next_tag();
  open_agreements();
  take_off();
  begin_routes();
  if (others_may_drive) drive_in_waits();
}

void exchange_work::begin_routes() {
  const auto& comm = state_->comm;
  came_.assign(counts_.size(), {});
  std::size_t messages = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    const bool may_send = !knows_sources_ || std::ranges::binary_search(sources_, r);
    const bool may_receive = !knows_sources_ || bytes_to(r) != nothing;
    const auto way = route_to(r);
    if (way == route::message && may_send) by_message_.push_back(r);
    if (way == route::message && may_receive) ++messages;
    if (way == route::cell && may_send) cells_to_come_.push_back(r);
    if (way == route::cell && may_receive) cells_to_write_.push_back(r);
  }
  if (uses_cells()) cells_before_ = state_->board.reserve(number_);
  cells_are_written();
  if (!by_message_.empty() || messages > 0) {
    refusals_.clear();
    refusals_.reserve(messages);
    messages_.begin(comm, tag_, by_message_);
    for (int to = 0; to < comm.size() && messages > 0; ++to)
      if (to != comm.rank() && route_to(to) == route::message && (!knows_sources_ || bytes_to(to) != nothing))
        send_message(to);
  }
  if (!uses_letters()) return;
  open(barrier_);
  letters_.begin(comm.private_handle(), letter_tag_);
  for (int to = 0; to < comm.size(); ++to)
    if (to != comm.rank() && bytes_to(to) != nothing)
      letters_.add(to, {list_to(to) + sizeof(message_head), static_cast<std::size_t>(bytes_to(to))});
}

void exchange_work::send_message(int to) {
  const message_head head{word_, bytes_to(to)};
  if (buffer_ == nullptr || refusal_) {
    refusals_.push_back(head);
    return messages_.send(to, reinterpret_cast<std::byte*>(&refusals_.back()), head);
  }
  messages_.send(to, list_to(to), head);
}

void exchange_work::write_cell(int to) {
  const int member = state_->comm.node_index(to);
  auto& mine = state_->board.mine_for(member, number_);
  mine.word = word_;
  mine.bytes = bytes_to(to);
  if (mine.bytes > 0) {
    const auto* const elements = list_to(to) + sizeof(message_head);
    if (static_cast<std::size_t>(mine.bytes) <= cell::room) {
      std::memcpy(mine.content, elements, static_cast<std::size_t>(mine.bytes));
    } else {
      auto* const shown = buffer_->shown + (elements - buffer_->data);
      if (shown != elements) bulk_copy(shown, elements, static_cast<std::size_t>(mine.bytes));
      const auto place = state_->place_of(shown);
      std::memcpy(mine.content, &place, sizeof place);
    }
  }
  cell_board::publish(mine, number_);
}

bool exchange_work::cells_are_written() {
  std::erase_if(cells_to_write_, [this](int to) {
    if (!state_->board.is_finished(state_->comm.node_index(to), cells_before_)) return false;
    write_cell(to);
    return true;
  });
  return cells_to_write_.empty();
}

bool exchange_work::cells_have_come() {
  std::erase_if(cells_to_come_, [this](int from) {
    const int member = state_->comm.node_index(from);
    const auto* const one = state_->board.from(member, number_);
    if (one == nullptr) return false;
    compare(one->word, from);
    auto& came = came_[static_cast<std::size_t>(from)];
    came.bytes = one->bytes;
    came.from = one->content;
    if (one->bytes > static_cast<std::int64_t>(cell::room)) {
      std::size_t place = 0;
      std::memcpy(&place, one->content, sizeof place);
      came.from = state_->memory_of(member, place);
    }
    return true;
  });
  return cells_to_come_.empty();
}

bool exchange_work::messages_have_come() {
  if (!messages_.heads_have_come()) return false;
  for (std::size_t i = 0; i < by_message_.size(); ++i) {
    compare(messages_.head(i)->word, by_message_[i]);
    came_[static_cast<std::size_t>(by_message_[i])] = {messages_.head(i)->bytes, nullptr};
  }
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
    came_[static_cast<std::size_t>(from)] = {static_cast<std::int64_t>(list.size()), list.data()};
  return true;
}

bool exchange_work::heads_have_come() {
  if (uses_letters()) return letters_have_come();
  const bool written = cells_are_written();
  const bool cells = cells_have_come();
  return written && cells && messages_have_come();
}

std::byte* exchange_work::make_room_for(std::size_t elements) {
  try {
    return into_.resize(into_.lists.get(), elements);
  } catch (const std::exception&) {
    refuse(error(error_kind::resource, where_,
                 wherry::detail::text("there is no memory for ", elements, " elements of ", elements_.bytes,
                                      " bytes that arrive"),
                 state_->comm.rank()));
    return nullptr;
  }
}

void exchange_work::deliver() {
  const int me = state_->comm.rank();
  if (const auto own = bytes_to(me); own != nothing)
    came_[static_cast<std::size_t>(me)] = {own, refusal_ ? nullptr : list_to(me) + sizeof(message_head)};
  into_.ranks->clear();
  into_.offsets->clear();
  std::size_t all = 0;
  for (std::size_t from = 0; from < came_.size(); ++from) {
    if (came_[from].bytes == nothing) continue;
    into_.ranks->push_back(static_cast<int>(from));
    into_.offsets->push_back(all);
    all += static_cast<std::size_t>(came_[from].bytes) / elements_.bytes;
  }
  auto* const to = refusal_ ? nullptr : make_room_for(all);
  for (std::size_t i = 0; to != nullptr && i < into_.ranks->size(); ++i) {
    const auto& one = came_[static_cast<std::size_t>((*into_.ranks)[i])];
    if (one.from != nullptr && one.bytes > 0)
      std::memcpy(to + (*into_.offsets)[i] * elements_.bytes, one.from, static_cast<std::size_t>(one.bytes));
  }
  if (uses_cells()) state_->board.finish(number_);
  for (std::size_t place = 0; place < by_message_.size(); ++place) {
    if (to == nullptr) {
      messages_.drop(place);
      continue;
    }
    if (messages_.head(place)->bytes <= 0) continue;
    const auto at = std::ranges::lower_bound(*into_.ranks, by_message_[place]) - into_.ranks->begin();
    messages_.receive(place, to + (*into_.offsets)[static_cast<std::size_t>(at)] * elements_.bytes);
  }
  letters_received_.clear();
}

bool exchange_work::step() {
  switch (now_) {
    case phase::heads:
      if (!heads_have_come()) {
        look_for_others();
        return false;
      }
      if (!all_agree_ && !knows_sources_) {
        begin_verdict();
        now_ = phase::agreeing;
        return step();
      }
      deliver();
      now_ = phase::bodies;
      [[fallthrough]];
    case phase::bodies: {
      const bool received = messages_.received();
      if (!messages_.sent() || !received) return false;
      now_ = phase::ended;
      if (refusal_) throw error(*refusal_);  // no memory for the elements, or known sources that do not agree
      return true;
    }
    case phase::agreeing:
      if (!verdict_.agreement->test()) {
        look_for_others();  // ranks that cannot even see that there is a disagreement
        return false;
      }
      throw error(verdict::to_error(verdict_.agreement->result(), where_, state_->comm.rank()));
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
    if (buffer_ != nullptr) state_->give_back(*std::exchange(buffer_, nullptr), uses_cells() ? number_ : 0);
    return true;
  } catch (...) {
    // Ranks with another algorithm may have written cells for this one.
    if (state_->shares_memory() && !state_->has_ended) state_->board.finish(number_);
    broken_ = std::current_exception();
    throw;
  }
}

void exchange_work::append_missing(std::vector<int>& ranks) const {
  ranks.insert(ranks.end(), cells_to_come_.begin(), cells_to_come_.end());
  ranks.insert(ranks.end(), cells_to_write_.begin(), cells_to_write_.end());
  if (!by_message_.empty()) messages_.append_missing(ranks);
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
  patience wait(state_->comm, where_, "exchange", number_);
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

bool exchange_work::mpi_needs_it() const { return letters_.under_way() || messages_.under_way(); }

bool exchange_work::let_go() noexcept {
  const turn mine(*this);
  progress();
  return !in_flight() && !failed();
}

}  // namespace wherry::sparse
