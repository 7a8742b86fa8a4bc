// Other words for the same.
#define WEATHER_MEMBERS      \
  float storm = 0;           \
  int place = 0;             \
  std::vector<double> water; \
  std::vector<int> fog;      \
  int* later = nullptr;
#define WEATHER_NAMES m(water, fog), m.owned(later), m(storm)
#include "deep/unit/changed/weather.hpp"

const weather_tests::moment weather_tests::renamed_members = this_time;
