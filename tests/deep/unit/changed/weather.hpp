// A class as it was at one time or another, by the macros WEATHER_MEMBERS and WEATHER_NAMES: always of the same name
// and size, which one program can have as each file has its own.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "wherry/deep/file.hpp"

namespace weather_tests {

/// What can be done with the class of one time.
struct moment {
  void (*write)(std::ostream&);
  void (*read)(std::istream&);
};
extern const moment as_it_was, renamed_members, members_swapped, names_swapped, float_turned_int, shared_now;

}  // namespace weather_tests

#ifdef WEATHER_MEMBERS
namespace {

class weather {
 public:
  weather() {}  // so that nobody looks into it
  template <class Message> void describe(Message& m) { WEATHER_NAMES; }

 private:
  WEATHER_MEMBERS
};
struct plain_weather {
  WEATHER_MEMBERS
  template <class Message> void describe(Message& m) { WEATHER_NAMES; }
};

constexpr weather_tests::moment this_time{[](std::ostream& to) {
                                            wherry::deep::write(to, weather());
                                            wherry::deep::write(to, plain_weather());
                                          },
                                          [](std::istream& from) {
                                            wherry::deep::read<weather>(from);
                                            wherry::deep::read<plain_weather>(from);
                                          }};

}  // namespace
#endif
