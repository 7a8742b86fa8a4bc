// Two members have changed places.
#define WEATHER_MEMBERS     \
  float wind = 0;           \
  int station = 0;          \
  std::vector<int> clouds;  \
  std::vector<double> rain; \
  int* next = nullptr;
#define WEATHER_NAMES m(rain, clouds), m.owned(next), m(wind)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::members_swapped = this_time;
