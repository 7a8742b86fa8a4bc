// The last part of an exchange: the elements that arrive are put one after the other, ordered by the ranks that sent
// them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>

#include "wherry/core/error.hpp"

#include "exchange_work.hpp"

namespace wherry::sparse {

template <class MakeRoom> bool exchange_work::make_room(MakeRoom&& make) {
  try {
    make();
    return true;
  } catch (const std::exception&) {
    refuse(error(error_kind::resource, where_,
                 wherry::detail::text("there is no memory for ", arriving_, " elements of ", elements_.bytes,
                                      " bytes that arrive"),
                 state_->comm.rank()));
    return false;
  }
}

void exchange_work::list_arrivals() {
  came_[static_cast<std::size_t>(state_->comm.rank())] = bytes_to(state_->comm.rank());
  starts_.resize(came_.size());
  into_.ranks->clear();
  into_.offsets->clear();
  arriving_ = 0;
  for (std::size_t from = 0; from < came_.size(); ++from) {
    if (came_[from] == nothing) continue;
    into_.ranks->push_back(static_cast<int>(from));
    into_.offsets->push_back(arriving_);
    starts_[from] = arriving_ * elements_.bytes;
    arriving_ += static_cast<std::size_t>(came_[from]) / elements_.bytes;
  }
}

void exchange_work::deliver() {
  list_arrivals();
  if (refusal_) return drop_all();
  auto* const lists = into_.lists.get();
  if (into_.append != nullptr && find_all_in_memory()) {
    if (!make_room([&] { into_.reserve(lists, arriving_); })) return drop_all();
    append_all();
  } else {
    std::byte* to = nullptr;
    if (!make_room([&] { to = into_.resize(lists, arriving_); })) return drop_all();
    receive_all(to);
  }
  letters_received_.clear();
}

bool exchange_work::find_all_in_memory() {
  at_.assign(came_.size(), nullptr);
  bool all_are_here = true;
  const auto note = [&](int from, std::int64_t bytes, const std::byte* at) {
    at_[static_cast<std::size_t>(from)] = at;
    if (bytes > 0 && at == nullptr) all_are_here = false;
  };
  const int me = state_->comm.rank();
  if (bytes_to(me) > 0) note(me, bytes_to(me), list_to(me) + sizeof(message_head));
  for (const auto& list : direct_.lists()) note(list.from, list.bytes, list.at);
  if (uses_relay())
    for (const auto& row : relay_.rows()) note(row.from, row.bytes, row.at);
  for (const auto& [from, list] : letters_received_) note(from, came_[static_cast<std::size_t>(from)], list.data());
  return all_are_here;
}

void exchange_work::append_all() {
  for (std::size_t from = 0; from < came_.size(); ++from)
    if (came_[from] > 0)
      into_.append(into_.lists.get(), at_[from], static_cast<std::size_t>(came_[from]) / elements_.bytes);
}

void exchange_work::receive_all(std::byte* to) {
  const auto place_of = [&](int from) { return to + starts_[static_cast<std::size_t>(from)]; };
  const auto copy = [&](int from, const std::byte* elements, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(place_of(from), elements, static_cast<std::size_t>(bytes));
  };
  const int me = state_->comm.rank();
  if (bytes_to(me) > 0) copy(me, list_to(me) + sizeof(message_head), bytes_to(me));
  for (const auto& list : direct_.lists()) direct_.receive(list, place_of(list.from));
  if (uses_relay())
    for (const auto& row : relay_.rows()) relay_.receive(row, place_of(row.from));
  for (const auto& [from, list] : letters_received_) copy(from, list.data(), static_cast<std::int64_t>(list.size()));
}

// The senders of long lists wait until somebody takes them. A list of a rank that makes another call may have another
// form.
void exchange_work::drop_all() {
  for (const auto& list : direct_.lists())
    if (list.word == own_word_) direct_.drop(list);
  if (uses_relay())
    for (const auto& row : relay_.rows()) relay_.drop(row);
  letters_received_.clear();
}

bool exchange_work::bodies_have_come() {
  const bool direct = direct_.has_received();
  return (!uses_relay() || relay_.has_received()) && direct;
}

}  // namespace wherry::sparse
