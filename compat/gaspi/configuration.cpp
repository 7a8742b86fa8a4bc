// gaspi_config_get, gaspi_config_set.
#include "configuration.hpp"

#include <limits>
#include <optional>

#include "wherry/core/settings.hpp"

#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_config_get);
WHERRY_WEAK_NAME(gaspi_config_set);

namespace wherry::gaspi {
namespace {

gaspi_config_t defaults() {
  gaspi_config_t c{};
  c.logger = 1;
  c.sn_port = 12121;
  c.sn_persistent = 1;
  c.sn_timeout = 30000;
  c.dev_config.network_type = GASPI_ETHERNET;
  c.dev_config.params.ib.netdev_id = -1;
  c.dev_config.params.ib.port_check = 1;
  c.dev_config.params.tcp.port = 19000;
  c.dev_config.params.ofi.use_shm = 1;
  c.dev_config.params.ofi.progress_auto = 1;
  c.network = GASPI_ETHERNET;
  c.queue_size_max = 1024;
  c.queue_num = 8;
  c.group_max = 32;
  c.segment_max = 255;
  c.transfer_size_max = gaspi_size_t{1} << 30;
  c.notification_num = 65536;
  c.passive_queue_size_max = 1024;
  c.passive_transfer_size_max = 65535;
  c.allreduce_buf_size = 255 * sizeof(unsigned long);
  c.allreduce_elem_max = 255;
  c.rw_list_elem_max = 255;
  c.build_infrastructure = GASPI_TOPOLOGY_STATIC;
  return c;
}

gaspi_config_t& kept_configuration() {
  static gaspi_config_t c = defaults();
  return c;
}

/// Limits of GPI-2 that Wherry does not have, for programs that expect a refusal beyond them (WHERRY_GASPI_LIMITS=1).
std::optional<const char*> beyond_gpi2(const gaspi_config_t& c) {
  if (c.queue_size_max > 4096) return "'queue_size_max' is not from 1 to 4096, as required by WHERRY_GASPI_LIMITS=1";
  if (c.passive_transfer_size_max > 65535)
    return "'passive_transfer_size_max' is not from 1 to 65535, as required by WHERRY_GASPI_LIMITS=1";
  if (c.rw_list_elem_max > 255) return "'rw_list_elem_max' is not from 1 to 255, as required by WHERRY_GASPI_LIMITS=1";
  return std::nullopt;
}

/// The name of the first value that is not allowed.
std::optional<const char*> wrong_in(const gaspi_config_t& c) {
  constexpr auto most = static_cast<gaspi_number_t>(std::numeric_limits<int>::max());
  if (c.sn_port < 1024 || c.sn_port > 65536) return "'sn_port' is not from 1024 to 65536";
  if (c.network < GASPI_IB || c.network > GASPI_OFI) return "'network' is not one of GASPI's networks";
  if (c.queue_size_max < 1 || c.queue_size_max > most) return "'queue_size_max' is not from 1 to 2^31 - 1";
  if (c.queue_num < 1 || c.queue_num > most_queues) return "'queue_num' is not from 1 to 16";
  if (c.group_max < 1 || c.group_max > group_ids - 1) return "'group_max' is not from 1 to 255";
  if (c.segment_max < 1 || c.segment_max > segment_ids - 1) return "'segment_max' is not from 1 to 255";
  if (c.transfer_size_max < 1) return "'transfer_size_max' is 0, expected 1 or more";
  if (c.notification_num > (1u << 28)) return "'notification_num' is larger than 2^28";
  if (c.passive_queue_size_max < 1 || c.passive_queue_size_max > most)
    return "'passive_queue_size_max' is not from 1 to 2^31 - 1";
  if (c.passive_transfer_size_max < 1 || c.passive_transfer_size_max > (1u << 30))
    return "'passive_transfer_size_max' is not from 1 to 2^30";
  if (c.allreduce_buf_size < 1) return "'allreduce_buf_size' is 0, expected 1 or more";
  if (c.allreduce_elem_max < 1) return "'allreduce_elem_max' is 0, expected 1 or more";
  if (c.rw_list_elem_max < 1) return "'rw_list_elem_max' is 0, expected 1 or more";
  if (c.build_infrastructure < GASPI_TOPOLOGY_NONE || c.build_infrastructure > GASPI_TOPOLOGY_DYNAMIC)
    return "'build_infrastructure' is not one of GASPI's topologies";
  if (current_settings().gaspi_limits) return beyond_gpi2(c);
  return std::nullopt;
}

}  // namespace

const gaspi_config_t& current_configuration() { return kept_configuration(); }

}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_config_get(gaspi_config_t* const config) {
  if (config == nullptr) return refuse("gaspi_config_get", GASPI_ERR_NULLPTR, "'config' is null");
  *config = current_configuration();
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_config_set(const gaspi_config_t new_config) {
  constexpr auto call = "gaspi_config_set";
  return guarded(call, [&] {
    if (world::current() != nullptr)
      return refuse(call, GASPI_ERR_INITED, "the configuration cannot be changed after gaspi_proc_init");
    if (const auto wrong = wrong_in(new_config)) return refuse(call, GASPI_ERR_CONFIG, *wrong);
    kept_configuration() = new_config;
    return GASPI_SUCCESS;
  });
}
