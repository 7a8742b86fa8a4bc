// Computes the traffic of a halo exchange, and its expected time, from its plan alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/floor_plan.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/transport/calibration.hpp"

namespace planning {

struct settings {
  std::int64_t width = 1, element = 8, fields = 1;
  int ranks_a_node = 1;
  bool faces_only = false;

  wherry::stencil_shape stencil() const {
    return faces_only ? wherry::stencil_shape::faces() : wherry::stencil_shape::all();
  }
};

/// The data that one rank sends.
struct traffic {
  std::int64_t messages = 0, messages_off_node = 0;
  std::int64_t bytes_on_node = 0, bytes_off_node = 0, bytes_to_itself = 0;
  double microseconds = 0;  // the time of its messages, one after the other
};

struct forecast {
  std::vector<traffic> of_rank;
  int worst = 0;                        // the rank with the longest expected time
  std::int64_t most_bytes_of_node = 0;  // the most bytes that leave one node

  const traffic& worst_rank() const { return of_rank[static_cast<std::size_t>(worst)]; }
};

/// Makes the forecast. Each `ranks_a_node` consecutive ranks form a node; box number i is on rank `rank_of(i)`.
template <int N, class RankOf>
forecast forecast_of(const wherry::floor_plan<N>& plan, const wherry::domain<N>& space, const settings& how, int ranks,
                     RankOf&& rank_of) {
  struct parcel {
    std::int64_t from, to, bytes, blocks;
  };
  std::vector<parcel> parcels;
  forecast all;
  all.of_rank.resize(static_cast<std::size_t>(ranks));
  const auto motions = wherry::halo_motion(plan, wherry::halo_widths<N>(how.width), space, how.stencil());
  motions.for_each(wherry::plans::every_rank, {[&](const wherry::motion<N>& m) {
                     const auto bytes = m.source.size() * how.element * how.fields;
                     const int from = rank_of(m.from), to = rank_of(m.to);
                     if (from == to)
                       all.of_rank[static_cast<std::size_t>(from)].bytes_to_itself += bytes;
                     else
                       parcels.push_back({from, to, bytes, how.fields});
                   }});
  std::sort(parcels.begin(), parcels.end(),
            [](const parcel& a, const parcel& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  const auto& costs = wherry::transports::current_calibration();
  std::vector<std::int64_t> of_node(static_cast<std::size_t>((ranks + how.ranks_a_node - 1) / how.ranks_a_node));
  for (std::size_t i = 0; i < parcels.size();) {
    parcel message = parcels[i];
    while (++i < parcels.size() && parcels[i].from == message.from && parcels[i].to == message.to) {
      message.bytes += parcels[i].bytes;
      message.blocks += parcels[i].blocks;
    }
    auto& sender = all.of_rank[static_cast<std::size_t>(message.from)];
    const auto node = message.from / how.ranks_a_node;
    const bool near = node == message.to / how.ranks_a_node;
    const auto& cost = near ? costs.on_node[wherry::transports::calibration::shared]
                            : costs.between_nodes[wherry::transports::calibration::two_sided];
    ++sender.messages;
    sender.messages_off_node += near ? 0 : 1;
    (near ? sender.bytes_on_node : sender.bytes_off_node) += message.bytes;
    if (!near) of_node[static_cast<std::size_t>(node)] += message.bytes;
    sender.microseconds += cost.of(static_cast<double>(message.bytes), static_cast<double>(message.blocks));
  }
  for (std::size_t r = 0; r < all.of_rank.size(); ++r)
    if (all.of_rank[r].microseconds > all.worst_rank().microseconds) all.worst = static_cast<int>(r);
  all.most_bytes_of_node = *std::max_element(of_node.begin(), of_node.end());
  return all;
}

}  // namespace planning
