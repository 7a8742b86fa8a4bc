// A lane is one transport and the messages of an exchange that it carries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/transport/transport.hpp"

#include "choice.hpp"

namespace wherry {

/// One transport and the messages that it carries.
struct lane {
  const transports::transport* by = nullptr;
  std::vector<plans::stage> stages;  // its messages; their rows are the plan's
  std::string reason;
  std::unique_ptr<transports::carrier> carried;
  int traced = -1;  // the lane's number in the trace, or -1
};

/// Binds the messages of a request to the chosen rows, or to other rows if shared memory is not to be had. Collective.
std::vector<std::unique_ptr<lane>> bind_lanes(const transports::bind_request& request, transport_choice& choice);

}  // namespace wherry
