// A number has another type.
#define WEATHER_MEMBERS     \
  int wind = 0;             \
  int station = 0;          \
  std::vector<double> rain; \
  std::vector<int> clouds;  \
  int* next = nullptr;
#define WEATHER_NAMES m(rain, clouds), m.owned(next), m(wind)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::float_turned_int = this_time;
