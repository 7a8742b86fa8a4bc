// Questions about limits, which are those of the configuration.
#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_transfer_size_min);
WHERRY_WEAK_NAME(gaspi_transfer_size_max);
WHERRY_WEAK_NAME(gaspi_notification_num);
WHERRY_WEAK_NAME(gaspi_passive_transfer_size_min);
WHERRY_WEAK_NAME(gaspi_passive_transfer_size_max);
WHERRY_WEAK_NAME(gaspi_allreduce_buf_size);
WHERRY_WEAK_NAME(gaspi_allreduce_elem_max);
WHERRY_WEAK_NAME(gaspi_rw_list_elem_max);
WHERRY_WEAK_NAME(gaspi_network_type);
WHERRY_WEAK_NAME(gaspi_build_infrastructure);

using namespace wherry::gaspi;

gaspi_return_t pgaspi_transfer_size_min(gaspi_size_t* const transfer_size_min) {
  return answer("gaspi_transfer_size_min", transfer_size_min, [](world&) { return 0; });
}
gaspi_return_t pgaspi_transfer_size_max(gaspi_size_t* const transfer_size_max) {
  return answer("gaspi_transfer_size_max", transfer_size_max, [](world& w) { return w.config.transfer_size_max; });
}
gaspi_return_t pgaspi_notification_num(gaspi_number_t* const notification_num) {
  return answer("gaspi_notification_num", notification_num, [](world& w) { return w.config.notification_num; });
}
gaspi_return_t pgaspi_passive_transfer_size_min(gaspi_size_t* const passive_transfer_size_min) {
  return answer("gaspi_passive_transfer_size_min", passive_transfer_size_min, [](world&) { return 1; });
}
gaspi_return_t pgaspi_passive_transfer_size_max(gaspi_size_t* const passive_transfer_size_max) {
  return answer("gaspi_passive_transfer_size_max", passive_transfer_size_max,
                [](world& w) { return w.config.passive_transfer_size_max; });
}
gaspi_return_t pgaspi_allreduce_buf_size(gaspi_size_t* const buf_size) {
  return answer("gaspi_allreduce_buf_size", buf_size, [](world& w) { return w.config.allreduce_buf_size; });
}
gaspi_return_t pgaspi_allreduce_elem_max(gaspi_number_t* const elem_max) {
  return answer("gaspi_allreduce_elem_max", elem_max, [](world& w) { return w.config.allreduce_elem_max; });
}
gaspi_return_t pgaspi_rw_list_elem_max(gaspi_number_t* const elem_max) {
  return answer("gaspi_rw_list_elem_max", elem_max, [](world& w) { return w.config.rw_list_elem_max; });
}
gaspi_return_t pgaspi_network_type(gaspi_network_t* const network_type) {
  return answer("gaspi_network_type", network_type, [](world& w) { return w.config.network; });
}
gaspi_return_t pgaspi_build_infrastructure(gaspi_number_t* const build) {
  return answer("gaspi_build_infrastructure", build, [](world& w) { return w.config.build_infrastructure; });
}
