// Which transport carries which messages of an exchange.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// One transport and the messages it carries.
struct lane {
  const transport* by = nullptr;
  std::vector<stage> stages;  // its messages; their rows are the plan's
  std::string reason;
  std::unique_ptr<carrier> carried;
};

/// Binds all messages of a request to the transport named, or for "auto" each peer's to the best one. Collective.
/// @param total all ranks have found that the plan is a total exchange, and that a collective pays
std::vector<std::unique_ptr<lane>> bind_lanes(const bind_request& request, std::string_view name, bool total);

}  // namespace wherry
