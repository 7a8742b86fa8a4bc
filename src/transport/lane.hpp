// What carries which messages of an exchange.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/transport/transport.hpp"

#include "choice.hpp"

namespace wherry {

/// One transport and the messages it carries.
struct lane {
  const transport* by = nullptr;
  std::vector<stage> stages;  // its messages; their rows are the plan's
  std::string reason;
  std::unique_ptr<carrier> carried;
  int traced = -1;  // what the trace knows it as
};

/// Binds the messages of a request to the rows chosen; to others, where shared memory is not to be had. Collective.
std::vector<std::unique_ptr<lane>> bind_lanes(const bind_request& request, transport_choice& choice);

}  // namespace wherry
