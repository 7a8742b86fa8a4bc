#include "algorithms.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/sparse/options.hpp"

namespace wherry {
namespace sparse {
namespace {

constexpr std::array table{
    algorithm{"dense", route::message, route::message}, algorithm{"consensus", route::letter, route::letter},
    algorithm{"shared", route::cell, route::message}, algorithm{"node_aware", route::cell, route::relay}};

/// From this number of ranks on, a message to each rank costs more than the agreement that ends a consensus.
constexpr int many_ranks = 256;

// With "node_aware" a rank's exchange may end only after others have called Wherry again, unless they are still in the
// same call.
std::string_view choose(const communicator_state& on, wherry::detail::sparse_form form) {
  if (on.is_one_node()) return "shared";
  if (form == wherry::detail::sparse_form::blocking && 2 * on.nodes.nodes() <= on.comm.size()) return "node_aware";
  return on.comm.size() < many_ranks ? "shared" : "consensus";
}

}  // namespace

std::span<const algorithm> algorithms() { return table; }

const algorithm* find_algorithm(std::string_view name, const communicator_state& on, wherry::detail::sparse_form form) {
  const auto& setting = current_settings().sparse;
  if (!setting.empty()) name = setting;
  if (name == "auto") name = choose(on, form);
  const auto found = std::ranges::find(table, name, &algorithm::name);
  return found != table.end() ? &*found : nullptr;
}

const algorithm& automatic_algorithm(const communicator_state& on, wherry::detail::sparse_form form) {
  return *std::ranges::find(table, choose(on, form), &algorithm::name);
}

std::string names_of_algorithms() {
  std::string list;
  for (const auto& one : table) list += detail::text(list.empty() ? "" : ", ", one.name);
  return list;
}

}  // namespace sparse

std::vector<std::string> sparse_algorithms() {
  std::vector<std::string> names;
  for (const auto& one : sparse::algorithms()) names.emplace_back(one.name);
  return names;
}

}  // namespace wherry
