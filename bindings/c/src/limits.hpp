// Calls that end within a time and say whether they are done.
#pragma once

#include <cstdint>
#include <string_view>

#include "wherry/channel/notification_words.hpp"

#include "convert.hpp"

namespace wherry_c {

struct of_notifications {};  // names the texts of segments and their like for `kept_text`

/// Runs a call that returns false when its time is over. `done` may be null where there is no limit.
template <class Step>
void within(double seconds, int* done, std::string_view where, Step&& step, std::string_view argument = "done") {
  if (done == nullptr && seconds != wherry::no_limit)
    refuse(where, '\'', argument, "' is NULL, but 'seconds' is ", seconds);
  if (done != nullptr) *done = 0;
  const bool is_done = step();
  if (done != nullptr) *done = is_done ? 1 : 0;
}

/// A number of bytes or a place. @throws error(argument) if it is negative
inline std::size_t size_of(std::int64_t size, std::string_view where, std::string_view argument) {
  if (size < 0) refuse(where, '\'', argument, "' is ", size, ", expected 0 or more");
  return static_cast<std::size_t>(size);
}

inline std::string name_or_empty(const char* name) { return name == nullptr ? std::string() : name; }

}  // namespace wherry_c
