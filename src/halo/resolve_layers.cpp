// Resolves the ghosts of all layers together. Then every rank tells the owners of its ghosts the layer of each of them.
#include "wherry/halo/resolve_layers.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/sparse_exchange.hpp"
#include "core/terms.hpp"

namespace wherry {
namespace {

constexpr const char* in_resolve_layers = "resolve_layers";

/// @param what the name of the argument that has the layers
void agree(const communicator& comm, std::size_t layers, std::string_view what) {
  collectively_on(terms([&](auto& say) { say(layers, "the number of layers"); }), comm, in_resolve_layers, [&] {
    if (layers == 0)
      throw error(error_kind::argument, in_resolve_layers,
                  detail::text("'", what, "' is empty, expected at least one layer"), comm.rank());
  });
}

/// Appends each index of a list to the list of this peer in the index's own layer.
void divide(const peer_indices& list, const std::vector<std::int32_t>& layer_of, std::vector<index_lists>& layers,
            std::vector<peer_indices> index_lists::* side) {
  for (std::size_t i = 0; i < list.at.size(); ++i) {
    auto& peers = layers[static_cast<std::size_t>(layer_of[i])].*side;
    if (peers.empty() || peers.back().peer != list.peer) peers.push_back({list.peer, {}});
    peers.back().at.push_back(list.at[i]);
  }
}

/// @param layer_of returns the layer, from 0 on, of a ghost with this local index
template <class LayerOf>
std::vector<index_lists> divided(const communicator& comm, const index_lists& whole, std::size_t layers,
                                 LayerOf&& layer_of) {
  std::vector<index_lists> result(layers);
  bytes_by_peer told;
  for (const auto& list : whole.receives) {
    std::vector<std::int32_t> of_each;
    for (const auto at : list.at) of_each.push_back(static_cast<std::int32_t>(layer_of(at)));
    divide(list, of_each, result, &index_lists::receives);
    told[list.peer] = to_bytes(of_each);
  }
  const auto heard = exchange_sparsely(comm, std::move(told), in_resolve_layers);
  for (const auto& list : whole.sends)
    divide(list, from_bytes<std::int32_t>(heard.at(list.peer)), result, &index_lists::sends);
  return result;
}

}  // namespace

std::vector<index_lists> resolve_layers(const communicator& comm, const detail::integer_span& rows,
                                        const detail::integers_by_layer& externals) {
  agree(comm, externals.all().size(), "externals");
  std::vector<std::int64_t> joined;
  std::vector<index_t> ends;  // one past the last local index of each layer
  for (const auto& layer : externals.all()) {
    for (std::size_t i = 0; i < layer.size(); ++i) joined.push_back(layer[i]);
    ends.push_back(static_cast<index_t>(rows.size() + joined.size()));
  }
  const auto whole = resolve_ids(comm, rows, joined);
  return divided(comm, whole, ends.size(),
                 [&](index_t at) { return std::upper_bound(ends.begin(), ends.end(), at) - ends.begin(); });
}

std::vector<index_lists> resolve_layers(const communicator& comm, std::span<const std::vector<ghost>> ghosts) {
  agree(comm, ghosts.size(), "ghosts");
  std::vector<ghost> joined;
  std::vector<std::pair<index_t, std::size_t>> layers;  // of each ghost by its local index, ascending
  for (std::size_t d = 0; d < ghosts.size(); ++d)
    for (const auto& g : ghosts[d]) {
      joined.push_back(g);
      layers.emplace_back(g.index_here, d);
    }
  std::sort(layers.begin(), layers.end());
  const auto whole = resolve_ghosts(comm, joined);
  return divided(comm, whole, ghosts.size(), [&](index_t at) {
    return std::lower_bound(layers.begin(), layers.end(), std::pair(at, std::size_t{0}))->second;
  });
}

}  // namespace wherry
