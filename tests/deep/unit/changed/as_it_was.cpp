// The class of which others are compared.
#define WEATHER_MEMBERS     \
  float wind = 0;           \
  int station = 0;          \
  std::vector<double> rain; \
  std::vector<int> clouds;  \
  int* next = nullptr;
#define WEATHER_NAMES m(rain, clouds), m.owned(next), m(wind)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::as_it_was = this_time;
