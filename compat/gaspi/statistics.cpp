// gaspi_statistic_*, gaspi_pcontrol.
#include "statistics.hpp"

#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_statistic_verbosity_level);
WHERRY_WEAK_NAME(gaspi_statistic_counter_max);
WHERRY_WEAK_NAME(gaspi_statistic_counter_info);
WHERRY_WEAK_NAME(gaspi_statistic_counter_get);
WHERRY_WEAK_NAME(gaspi_statistic_counter_reset);
WHERRY_WEAK_NAME(gaspi_pcontrol);

namespace wherry::gaspi {
namespace {

struct counter_text {
  const char *name, *meaning;
};
constexpr std::array<counter_text, static_cast<std::size_t>(statistic::number)> counters{{
    {"bytes_written", "bytes that this rank has written to segments, its own among them"},
    {"bytes_read", "bytes that this rank has read from segments, its own among them"},
    {"notifications", "notifications that this rank has sent, also to itself"},
    {"passive_messages", "passive messages that this rank has sent"},
}};

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_statistic_verbosity_level(gaspi_number_t verbosity_level) {
  return in_world("gaspi_statistic_verbosity_level", [&](world& w) {
    w.counters.verbosity = verbosity_level;
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_statistic_counter_max(gaspi_number_t* counter_max) {
  return answer("gaspi_statistic_counter_max", counter_max, [](world&) { return counters.size(); });
}

gaspi_return_t pgaspi_statistic_counter_info(gaspi_statistic_counter_t counter,
                                             gaspi_statistic_argument_t* counter_argument, gaspi_string_t* counter_name,
                                             gaspi_string_t* counter_description, gaspi_number_t* verbosity_level) {
  constexpr auto call = "gaspi_statistic_counter_info";
  return in_world(call, [&](world&) {
    if (counter_argument == nullptr || counter_name == nullptr || counter_description == nullptr ||
        verbosity_level == nullptr)
      return refuse(call, GASPI_ERR_NULLPTR, "one of the pointers for the results is null");
    if (counter >= counters.size()) return refuse(call, GASPI_ERR_INV_NUM, "'counter' is not one of the counters");
    *counter_argument = GASPI_STATISTIC_ARGUMENT_NONE;
    *counter_name = const_cast<gaspi_string_t>(counters[counter].name);
    *counter_description = const_cast<gaspi_string_t>(counters[counter].meaning);
    *verbosity_level = 1;
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_statistic_counter_get(gaspi_statistic_counter_t counter, gaspi_number_t, unsigned long* value) {
  constexpr auto call = "gaspi_statistic_counter_get";
  return in_world(call, [&](world& w) {
    if (value == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'value' is null");
    if (counter >= counters.size()) return refuse(call, GASPI_ERR_INV_NUM, "'counter' is not one of the counters");
    *value = w.counters.values[counter];
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_statistic_counter_reset(gaspi_statistic_counter_t counter) {
  constexpr auto call = "gaspi_statistic_counter_reset";
  return in_world(call, [&](world& w) {
    if (counter >= counters.size()) return refuse(call, GASPI_ERR_INV_NUM, "'counter' is not one of the counters");
    w.counters.values[counter] = 0;
    return GASPI_SUCCESS;
  });
}

// Does nothing; a tool may define it.
gaspi_return_t pgaspi_pcontrol(gaspi_pointer_t) { return GASPI_SUCCESS; }
