#include "packed_memory.hpp"

#include <algorithm>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

std::int64_t packed_memory::take(std::string_view pattern, std::int64_t bytes) {
  const auto first = bytes_;
  bytes_ = plans::align_on_wire(detail::checked{pattern, "bytes of packed messages"}.sum(bytes_, bytes));
  return first;
}

std::size_t packed_memory::begin_arrival() {
  arrivals_.push_back({bytes_, {}});
  return arrivals_.size() - 1;
}

void packed_memory::place(where space) {
  for (auto& a : arrivals_) a.elsewhere = {};
  if (memory_ != nullptr && space == space_) return;
  stride_ = 0;
  memory_.reset();  // before more is taken
  aside_ = {};
  memory_ = std::make_shared<device_bytes>(
      by_, space == where::pinned ? device_bytes::where::pinned : device_bytes::where::on_device,
      static_cast<std::size_t>(bytes_));
  space_ = space;
}

void packed_memory::leave_at_peers() {
  memory_.reset();
  stride_ = 0;
  space_ = where::at_peers;
}

void packed_memory::lend(detail::device_ticket& ticket) {
  if (by_.lend == nullptr)
    throw error(error_kind::resource, "device",
                detail::text("device '", by_.name, "' cannot lend memory to other processes"));
  constexpr std::size_t line = 256;
  stride_ = rounded_up(static_cast<std::size_t>(bytes_), line);
  memory_.reset();
  const auto whole = rounded_up(std::max(2 * stride_, std::size_t{1}), by_.lending_unit);
  memory_ = std::make_shared<device_bytes>(by_, device_bytes::where::on_device, whole);
  space_ = where::lent;
  if (const auto why = by_.lend(memory_->get(), ticket); !why.empty())
    throw error(error_kind::resource, "device", detail::text("device '", by_.name, "' cannot lend its memory: ", why));
}

void packed_memory::read_from(std::int64_t first, const std::array<void*, 2>& place) {
  // A message without bytes begins where the next one does, so the last one counts.
  const auto last = std::find_if(arrivals_.rbegin(), arrivals_.rend(), [=](const auto& a) { return a.first == first; });
  if (last != arrivals_.rend()) last->elsewhere = place;
}

std::byte* packed_memory::buffer(std::uint32_t which) const {
  return memory_ == nullptr || memory_->get() == nullptr ? nullptr : memory_->get() + which * stride_;
}

void* packed_memory::arrives_at(std::size_t number, std::uint32_t which) const {
  const auto& a = arrivals_[number];
  if (a.elsewhere[which] != nullptr) return a.elsewhere[which];
  auto* const here = buffer(which);
  return here == nullptr ? nullptr : here + a.first;
}

void packed_memory::make_aside() {
  if (aside_.get() == nullptr)
    aside_ = device_bytes(by_, device_bytes::where::on_device, static_cast<std::size_t>(bytes_));
}

void packed_memory::bring_in(device_stream stream, std::size_t stage, std::uint32_t which) const {
  const auto [first, last] = leaving_[stage];
  if (first < last)
    by_.copy(stream, buffer(which) + first, aside_.get() + first, static_cast<std::size_t>(last - first));
}

}  // namespace wherry
