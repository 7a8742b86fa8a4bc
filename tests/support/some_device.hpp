// Tests of device memory run over the fake device, or over that which WHERRY_DEVICE names, where WHERRY_TEST_WAY=device
// lets it: what only the fake one can do they ask for by `with_setting`.
#pragma once

#include <optional>

#include "wherry/device/device.hpp"

#include "support/with_setting.hpp"

namespace wherry_test {

class some_device {
 public:
  some_device() {
    if (wherry::current_settings().device == "auto") fake_.emplace("device", "fake", "auto");
  }

 private:
  std::optional<with_setting> fake_;
};

inline const wherry::device& device_of_test() { return *wherry::device_in_use(); }
inline bool is_fake() { return device_of_test().name == "fake"; }

/// Any MPI reaches the fake device's memory; others say themselves what they reach. Made while there is a device.
class mpi_that_reaches_it {
 public:
  mpi_that_reaches_it() {
    if (is_fake()) says_so_.emplace("gpu_aware_mpi", "1", "auto");
  }

 private:
  std::optional<with_setting> says_so_;
};

}  // namespace wherry_test
