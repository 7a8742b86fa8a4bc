/// @file
/// Wherry's contenders: node-shared fields or the user's arrays, with one halo_exchange for each transport.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "halo/peers.hpp"
#include "halo/problem.hpp"

namespace bench::halo {

/// Node-shared fields and the problem that points to them.
struct our_fields {
  /// @param dense without Wherry's padding of rows: the layout of the hand-written peers
  our_fields(const wherry::process_grid& grid, const problem& like, bool dense);

  std::vector<wherry::halo_field> halos;
  problem with_fields;

 private:
  std::shared_ptr<void> memory_;
};

/// The description of arrays that the user has allocated.
std::vector<wherry::halo_field> halos_of_users(const problem& p);

wherry::process_grid grid_of(const problem& p);

/// Collective. @throws wherry::error if the transport cannot carry the exchange.
std::unique_ptr<wherry::halo_exchange> bind_exchange(const wherry::process_grid& grid,
                                                     const std::vector<wherry::halo_field>& halos,
                                                     const std::string& transport,
                                                     wherry::halo_order order = wherry::halo_order::automatic);

/// Returns "auto" and every name of the registry except the oracle's, or the names in `wanted`, which are separated by
/// commas.
/// @param on_device also those that carry nothing but device memory
std::vector<std::string> transports(const std::string& wanted, bool on_device = false);

/// The limit of one copy: it copies straight from the neighbour's field, without waiting until the field is ready. Null
/// if the node shares no memory. Collective.
std::unique_ptr<peer> make_one_copy(const wherry::process_grid& grid, const problem& ours);

}  // namespace bench::halo
