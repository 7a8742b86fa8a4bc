// The members are where they were, and are named in another order.
#define WEATHER_MEMBERS     \
  float wind = 0;           \
  int station = 0;          \
  std::vector<double> rain; \
  std::vector<int> clouds;  \
  int* next = nullptr;
#define WEATHER_NAMES m(clouds, rain), m.owned(next), m(wind)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::names_swapped = this_time;
