// The first part of an exchange: this rank counts its elements for each rank, and packs them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wherry/core/error.hpp"

#include "core/bulk_copy.hpp"
#include "exchange_work.hpp"

namespace wherry::sparse {
namespace {

/// Lists begin at multiples of this, behind room for a message's head.
constexpr std::size_t alignment = 16;
/// A run of this many bytes is copied to node-shared memory as fast as elsewhere.
constexpr std::size_t long_run = 2048;
constexpr std::size_t most_bytes = std::size_t{1} << 62;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

void exchange_work::refuse(const error& why) {
  if (!refusal_) refusal_ = why;
}

void exchange_work::count(std::span<const int> destinations, std::size_t values) {
  if (const auto fault = wherry::detail::length_fault(destinations.size(), values); !fault.empty())
    refuse(error(error_kind::argument, where_, fault, state_->comm.rank()));
  check(destinations);
  const bool all_are_ranks = !refusal_;
  for (const int to : destinations) {
    if (!all_are_ranks && (to < 0 || to >= state_->comm.size())) continue;
    auto& count = counts_[static_cast<std::size_t>(to)];
    count += count < 0 ? 2 : 1;
  }
}

void exchange_work::check_sources(const sparse_options& options) {
  for (const int from : *options.receive_from) {
    if (from < 0 || from >= state_->comm.size())
      refuse(error(
          error_kind::argument, where_,
          wherry::detail::text("'receive_from' has ", from, ", expected a rank from 0 to ", state_->comm.size() - 1),
          state_->comm.rank()));
    else if (from != state_->comm.rank())
      sources_.push_back(from);
  }
  std::ranges::sort(sources_);
  if (std::ranges::adjacent_find(sources_) != sources_.end())
    refuse(error(error_kind::argument, where_, "'receive_from' has a rank twice", state_->comm.rank()));
  sources_.erase(std::ranges::unique(sources_).begin(), sources_.end());
}

void exchange_work::check(std::span<const int> destinations) {
  const auto ranks = static_cast<unsigned>(state_->comm.size());
  const auto wrong = std::ranges::find_if(destinations, [&](int to) { return static_cast<unsigned>(to) >= ranks; });
  if (wrong != destinations.end())
    refuse(error(error_kind::argument, where_,
                 wherry::detail::text("'destinations[", wrong - destinations.begin(), "]' is ", *wrong,
                                      ", expected a rank from 0 to ", state_->comm.size() - 1),
                 state_->comm.rank()));
}

void exchange_work::count(int to, std::size_t elements) {
  if (to < 0 || to >= state_->comm.size())
    return refuse(error(
        error_kind::argument, where_,
        wherry::detail::text("a parcel is for rank ", to, ", expected a rank from 0 to ", state_->comm.size() - 1),
        state_->comm.rank()));
  auto& count = counts_[static_cast<std::size_t>(to)];
  const auto before = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  if (elements > most_bytes / elements_.bytes - before)
    return refuse(error(error_kind::argument, where_,
                        wherry::detail::text("the parcels for rank ", to, " have more than ",
                                             most_bytes / elements_.bytes, " elements"),
                        state_->comm.rank()));
  count = static_cast<std::int64_t>(before + elements);
  ++runs_;
}

std::byte* exchange_work::room() {
  if (refusal_) return nullptr;
  std::size_t all = 0;
  for (std::size_t to = 0; to < counts_.size(); ++to) {
    lists_[to] = all;
    places_[to] = all + sizeof(message_head);
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(counts_[to], 0)) * elements_.bytes;
    if (bytes > most_bytes - all) {
      refuse(error(error_kind::argument, where_,
                   wherry::detail::text("the parcels have more than ", most_bytes, " bytes together"),
                   state_->comm.rank()));
      return nullptr;
    }
    all += sizeof(message_head) + aligned(bytes);
  }
  try {
    buffer_ = &state_->take_buffer(all, runs_ > 0 && all / runs_ >= long_run);
  } catch (const error& failure) {
    refuse(failure);
    return nullptr;
  }
  return buffer_->data;
}

void exchange_work::pack(int to, const void* elements, std::size_t count) {
  if (count == 0) return;
  auto& place = places_[static_cast<std::size_t>(to)];
  const auto bytes = count * elements_.bytes;
  if (bytes >= long_run)
    bulk_copy(buffer_->data + place, static_cast<const std::byte*>(elements), bytes);
  else
    std::memcpy(buffer_->data + place, elements, bytes);
  place += bytes;
}

std::int64_t exchange_work::bytes_to(int rank) const {
  const auto count = counts_[static_cast<std::size_t>(rank)];
  return count < 0 ? nothing : count * static_cast<std::int64_t>(elements_.bytes);
}

}  // namespace wherry::sparse
