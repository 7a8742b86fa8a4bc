// The table of the algorithms of sparse exchanges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wherry/sparse/detail/byte_exchange.hpp"

#include "communicator_state.hpp"

namespace wherry::sparse {

/// The way to a rank that is not this one.
enum class route : std::uint8_t {
  message,  ///< a message to each rank, with a head that says how much follows
  cell,     ///< a cell in node-shared memory
  letter,   ///< synchronous messages, only if there is something to send
  relay     ///< one message for each pair of nodes, which the ranks of both nodes share
};

struct algorithm {
  std::string_view name;
  route within_node, between_nodes;
};

std::span<const algorithm> algorithms();
/// The algorithm of this name; "auto" chooses one. WHERRY_SPARSE comes first.
/// @return null if there is none
const algorithm* find_algorithm(std::string_view name, const communicator_state& on, wherry::detail::sparse_form form);
/// The algorithm that "auto" chooses without WHERRY_SPARSE.
const algorithm& automatic_algorithm(const communicator_state& on, wherry::detail::sparse_form form);
/// "dense, consensus or shared", for texts.
std::string names_of_algorithms();

}  // namespace wherry::sparse
