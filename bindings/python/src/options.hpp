// Options of exchanges from Python's keywords.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

#include "wherry/plan/reduction.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry_python {

namespace nb = nanobind;

/// The operation with this name ("add", "maximum", …), or nothing for an empty name.
/// @throws error(argument) for a name that does not exist
std::optional<wherry::reduction> operation_named(const std::string& name, std::string_view where);

/// From a dict with some of transport, snapshot, progress_thread, threads, packet_bytes, name.
wherry::carry_options carry_of(const nb::dict& given, std::string_view where);

}  // namespace wherry_python
