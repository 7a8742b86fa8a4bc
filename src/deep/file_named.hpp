// Adds the name of the file and of the call to errors.
#pragma once

#include <string>

#include "wherry/core/error.hpp"

namespace wherry::deep {

/// Runs `step`; its errors get `name` in front, unless they contain it already.
template <class Step> void naming(const std::string& name, const char* where, Step&& step) {
  try {
    step();
  } catch (const error& found) {
    const bool named = found.text().find(name) != std::string::npos;
    throw error(found.kind(), where, named ? found.text() : name + ": " + found.text(), found.rank(), found.peers());
  }
}

}  // namespace wherry::deep
