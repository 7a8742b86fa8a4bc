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
  schedule plan;
  std::string reason;
  std::unique_ptr<carrier> carried;
};

/// Binds all messages of a plan to the transport named, or for "auto" each peer's to the best one. Collective.
/// @param total all ranks have found that the plan is a total exchange, and that a collective pays
std::vector<std::unique_ptr<lane>> bind_lanes(const bind_request& request, std::string_view name, bool total);

}  // namespace wherry
