// Errors of one file: they say which one, and the call that met them.
#pragma once

#include <string>

#include "wherry/core/error.hpp"

namespace wherry::deep {

/// Runs `step`; its errors get `name` in front, unless they have it already.
template <class Step> void naming(const std::string& name, const char* where, Step&& step) {
  try {
    step();
  } catch (const error& found) {
    const bool named = found.text().find(name) != std::string::npos;
    throw error(found.kind(), where, named ? found.text() : name + ": " + found.text(), found.rank(), found.peers());
  }
}

}  // namespace wherry::deep
