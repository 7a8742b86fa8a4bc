// The exchanges of some of an exchange's fields, each bound when it is first asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

namespace wherry {

struct halo_exchange::subsets {
  /// By box and field, as for the exchange over a floor plan. On a process grid there is one box.
  using fields_of_boxes = std::vector<std::vector<halo_field>>;

  communicator comm;
  fields_of_boxes fields;
  std::function<exchange(const fields_of_boxes&)> bind;
  std::map<std::pair<std::uint64_t, index_t>, halo_exchange> bound{};  // by one bit for each field, and the depth

  halo_exchange& find(std::span<const int> chosen, index_t depth);

 private:
  std::uint64_t bits_of(std::span<const int> chosen, index_t depth) const;
};

}  // namespace wherry
