// Texts that calls return for objects that several threads may use.
#pragma once

#include <string>
#include <utility>

namespace wherry_c {

/// Keeps a text until this thread asks for another one of the same `Of`.
template <class Of> const char* kept_text(std::string text) {
  thread_local std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

}  // namespace wherry_c
