// The configuration from gaspi_config_set, for the next gaspi_proc_init.
#pragma once

#include "GASPI_types.h"

namespace wherry::gaspi {

const gaspi_config_t& current_configuration();

}  // namespace wherry::gaspi
