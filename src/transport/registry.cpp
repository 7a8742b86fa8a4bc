// The table of transports, with the estimate of each row by which `auto` chooses.
#include <algorithm>
#include <deque>
#include <mutex>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/device/device.hpp"
#include "wherry/transport/calibration.hpp"
#include "wherry/transport/transport.hpp"

#include "transports.hpp"

namespace wherry::transports {
namespace {

template <calibration::transport Which> double as_measured(const message_load& m) {
  const auto& figures = current_calibration();
  return (m.same_node ? figures.on_node : figures.between_nodes)[Which].of(m.bytes, m.blocks);
}

/// The cost of a message that is a part of a put. The number of parts is unknown before the bind; half the ranks of the
/// node is assumed. On both nodes the message passes through memory once more. That costs as much as measured here
/// inside a node, and is never taken as less than the same message by `shared`.
double by_aggregate(const message_load& m) {
  const double put = as_measured<calibration::one_sided>({.same_node = m.same_node});
  const auto& here = current_calibration().on_node;
  const auto &packed = here[calibration::two_sided], &shared = here[calibration::shared];
  const message_cost once_more{std::max(0.5 * packed.message, shared.message), std::max(1.6 * packed.byte, shared.byte),
                               std::max(packed.block, shared.block)};
  return put / std::max(1.0, m.node_ranks / 2.0) + once_more.of(m.bytes, m.blocks);
}

// No device has been measured yet. The guesses below prefer the transport with fewer copies and calls.

/// A word, and then the peer's memory at the speed of a link between devices.
double as_lent(const message_load& m) { return 0.3 + m.bytes * 5e-6; }

/// MPI finds out whose memory it is, and then does on the node what `device_shared` does, message by message.
double by_mpi_from_device(const message_load& m) { return 2 + as_measured<calibration::two_sided>(m); }

std::string no_device_that_lends() {
  return device_in_use() != nullptr ? std::string() : detail::text("there is no device: ", why_no_device());
}

/// Guards the table, because threads may bind and register at the same time. Rows never move.
std::mutex& guard() {
  static std::mutex one;
  return one;
}

std::deque<transport>& table() {
  static std::deque<transport> rows{
      {.name = "two_sided",
       .meaning = "pack, non-blocking send and receive, unpack",
       .gives_back_buffers = true,
       .estimate = as_measured<calibration::two_sided>,
       .bind = bind_two_sided},
      {.name = "persistent",
       .meaning = "the same with persistent requests",
       .estimate = as_measured<calibration::two_sided>,
       .bind = bind_persistent},
      {.name = "shared",
       .meaning = "same node: long rows read in place, most short ones through staging; flags, no MPI call",
       .node_only = true,
       .estimate = as_measured<calibration::shared>,
       .bind = bind_shared},
      {.name = "device_shared",
       .meaning =
           "same node, device memory: packed there, and unpacked by the peer's device from there; flags, no MPI call",
       .blocks_by = "the device",
       .node_only = true,
       .device_memory = true,
       .lends = true,
       .absence = no_device_that_lends,
       .estimate = as_lent,
       .bind = bind_device_shared},
      {.name = "device_two_sided",
       .meaning = "device memory: packed there, and given to an MPI that reaches it; non-blocking send and receive",
       .blocks_by = "the device",
       .device_memory = true,
       .absence = why_mpi_reaches_no_device,
       .estimate = by_mpi_from_device,
       .bind = bind_device_two_sided},
      {.name = "datatype",
       .meaning = "MPI derived datatypes straight from the fields, no pack",
       .blocks_by = "MPI datatypes",
       .estimate = as_measured<calibration::datatype>,
       .bind = bind_datatype},
      {.name = "mpi_pack",
       .meaning = "MPI_Pack and MPI_Unpack",
       .blocks_by = "MPI datatypes",
       .estimate = as_measured<calibration::mpi_pack>,
       .bind = bind_mpi_pack},
      {.name = "neighborhood",
       .meaning = "pack, one neighbourhood collective a stage, unpack",
       .estimate = as_measured<calibration::neighborhood>,
       .bind = bind_neighborhood},
      {.name = "total_exchange",
       .meaning = "pack, one MPI_Ialltoall(v) a stage, unpack; made for total exchanges, which auto recognises",
       .suits = is_small_total_exchange,
       .estimate = cost_in_total_exchange,
       .bind = bind_total_exchange},
      {.name = "one_sided",
       .meaning = "put into the peer's window, then a notification; no receive call",
       .estimate = as_measured<calibration::one_sided>,
       .bind = bind_one_sided},
      {.name = "aggregated",
       .meaning = "all that a node sends to one other travels as one notified write and is spread there",
       .estimate = by_aggregate,
       .bind = bind_aggregated},
      {.name = "reference",
       .meaning = "one block at a time in the plainest way: the oracle of the others",
       .blocks_by = "one element at a time",
       .bind = bind_reference},
  };
  // SimGrid's MPI has neither graph topologies nor neighbourhood collectives, and its MPI_Ialltoallv is untested here.
  [[maybe_unused]] static const bool trimmed =
      detail::ranks_share_a_process && std::erase_if(rows, [](const transport& row) {
                                         return row.name == "neighborhood" || row.name == "total_exchange";
                                       }) > 0;
  return rows;
}

}  // namespace

void register_transport(transport row) {
  if (row.name.empty() || row.name == "auto" || row.bind == nullptr)
    throw error(error_kind::argument, "register_transport",
                "the transport needs a 'name' other than 'auto', and a 'bind' function");
  const std::lock_guard lock(guard());
  for (const auto& existing : table())
    if (existing.name == row.name)
      throw error(error_kind::argument, "register_transport",
                  detail::text("'name' is '", row.name, "', which another transport has"));
  table().push_back(std::move(row));
}

const transport& find_transport(std::string_view name) {
  const std::lock_guard lock(guard());
  std::string names = "auto";
  for (const auto& row : table()) {
    if (row.name == name) return row;
    names += ", " + row.name;
  }
  throw error(error_kind::argument, "transport",
              detail::text("there is no transport named '", name, "'; there are ", names));
}

std::vector<const transport*> all_transports() {
  const std::lock_guard lock(guard());
  std::vector<const transport*> rows;
  for (const auto& row : table()) rows.push_back(&row);
  return rows;
}

}  // namespace wherry::transports
