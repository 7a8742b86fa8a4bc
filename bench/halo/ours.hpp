/// @file
/// Wherry's side: node-shared fields or the user's arrays, one halo_exchange for each transport.
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

/// What an exchange is told of arrays that are not ours.
std::vector<wherry::halo_field> halos_of_users(const problem& p);

wherry::process_grid grid_of(const problem& p);

/// Collective. @throws wherry::error when the transport cannot carry it.
std::unique_ptr<wherry::halo_exchange> bind_exchange(const wherry::process_grid& grid,
                                                     const std::vector<wherry::halo_field>& halos,
                                                     const std::string& transport,
                                                     wherry::halo_order order = wherry::halo_order::automatic);

/// "auto" and every name of the registry but the oracle's, or those that `wanted` lists, separated by commas.
/// @param on_device also those that carry nothing but device memory
std::vector<std::string> transports(const std::string& wanted, bool on_device = false);

/// The limit of one copy: straight from the neighbour's field, without asking whether it is ready. Null where the node
/// shares no memory. Collective.
std::unique_ptr<peer> make_one_copy(const wherry::process_grid& grid, const problem& ours);

}  // namespace bench::halo
