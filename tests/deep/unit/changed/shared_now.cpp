// A pointer that owned shares.
#define WEATHER_MEMBERS     \
  float wind = 0;           \
  int station = 0;          \
  std::vector<double> rain; \
  std::vector<int> clouds;  \
  int* next = nullptr;
#define WEATHER_NAMES m(rain, clouds), m.shared(next), m(wind)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::shared_now = this_time;
