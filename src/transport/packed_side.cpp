#include "packed_side.hpp"

#include <algorithm>
#include <array>

namespace wherry {
namespace {

constexpr std::array<std::byte, 8> marker = {std::byte{0x57}, std::byte{0x48}, std::byte{0x45}, std::byte{0x52},
                                             std::byte{0x52}, std::byte{0x59}, std::byte{0x3F}, std::byte{0xA5}};

std::size_t units_of(const detail::message_packing& packing, std::size_t unit) {
  return (packing.bytes() + unit - 1) / unit;
}

}  // namespace

packed_side::packed_side(const std::vector<plans::message>& list, const transports::bind_request& request) {
  for (const auto& m : list) {
    peers_.push_back(m.peer);
    packings_.emplace_back(m, request.plan, request.kernels, request.code);
  }
}

std::size_t packed_side::bytes() const {
  std::size_t total = 0;
  for (const auto& packing : packings_) total += packing.bytes();
  return total;
}

std::size_t packed_side::longest(std::size_t unit) const {
  std::size_t units = 0;
  for (const auto& packing : packings_) units = std::max(units, units_of(packing, unit));
  return units;
}

std::size_t packed_side::shortest(std::size_t unit) const {
  std::size_t units = longest(unit);
  for (const auto& packing : packings_) units = std::min(units, units_of(packing, unit));
  return units;
}

void packed_side::lay_out(std::size_t unit, const std::vector<int>& slot_of, std::size_t slots, bool equal) {
  unit_ = unit;
  slot_of_.assign(slot_of.begin(), slot_of.begin() + static_cast<std::ptrdiff_t>(peers_.size()));
  // One entry more than there are slots: some MPI libraries reject null pointers, even for nothing.
  counts_.assign(slots + 1, 0);
  displacements_.assign(slots + 1, 0);
  if (equal) std::fill_n(counts_.begin(), slots, static_cast<int>(longest(unit)));
  for (std::size_t i = 0; i < packings_.size() && !equal; ++i)
    counts_[static_cast<std::size_t>(slot_of_[i])] = static_cast<int>(units_of(packings_[i], unit));
  std::size_t end = 0;
  for (std::size_t s = 0; s < slots; ++s) {
    displacements_[s] = static_cast<int>(end);
    end += static_cast<std::size_t>(counts_[s]);
  }
  wire_.resize(std::max<std::size_t>(end, 1) * unit);
}

std::size_t packed_side::place_of(std::size_t message) const {
  return static_cast<std::size_t>(displacements_[static_cast<std::size_t>(slot_of_[message])]) * unit_;
}

std::size_t packed_side::mark_of(std::size_t message) const {
  return place_of(message) + units_of(packings_[message], unit_) * unit_ - marker.size();
}

void packed_side::pack(plans::field_table fields) {
  for (std::size_t i = 0; i < packings_.size(); ++i) packings_[i].pack(fields, wire_.data() + place_of(i));
}

void packed_side::unpack(plans::field_table fields) const {
  for (std::size_t i = 0; i < packings_.size(); ++i) packings_[i].unpack(fields, wire_.data() + place_of(i));
}

void packed_side::mark() {
  for (std::size_t i = 0; i < packings_.size(); ++i)
    if (packings_[i].bytes() > 0) std::copy(marker.begin(), marker.end(), wire_.data() + mark_of(i));
}

void packed_side::append_marked(std::vector<int>& peers) const {
  for (std::size_t i = 0; i < packings_.size(); ++i)
    if (packings_[i].bytes() > 0 && std::equal(marker.begin(), marker.end(), wire_.data() + mark_of(i)))
      peers.push_back(peers_[i]);
}

}  // namespace wherry
