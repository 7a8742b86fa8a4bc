#include "calls.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "wherry/core/settings.hpp"

#include "configuration.hpp"

namespace wherry::gaspi {
namespace {

struct number_text {
  const char *name, *meaning;
};

/// The names and meanings of the numbers, from GASPI_ERROR (-1) on.
constexpr std::array<number_text, 30> numbers{{
    {"GASPI_ERROR", "the call failed"},
    {"GASPI_SUCCESS", "success"},
    {"GASPI_TIMEOUT", "not done within the time: call it again"},
    {"GASPI_ERR_EMFILE", "too many open files"},
    {"GASPI_ERR_ENV", "the environment is not as it must be"},
    {"GASPI_ERR_SN_PORT", "the port is in use"},
    {"GASPI_ERR_CONFIG", "a value of the configuration is not allowed"},
    {"GASPI_ERR_NOINIT", "gaspi_proc_init has not been called"},
    {"GASPI_ERR_INITED", "gaspi_proc_init has been called already"},
    {"GASPI_ERR_NULLPTR", "a pointer is null"},
    {"GASPI_ERR_INV_SEGSIZE", "the size of a segment is not allowed"},
    {"GASPI_ERR_INV_SEG", "no such segment"},
    {"GASPI_ERR_INV_GROUP", "no such group, or it is not committed"},
    {"GASPI_ERR_INV_RANK", "no such rank"},
    {"GASPI_ERR_INV_QUEUE", "no such queue"},
    {"GASPI_ERR_INV_LOC_OFF", "beyond the end of the local segment"},
    {"GASPI_ERR_INV_REM_OFF", "beyond the end of the remote segment"},
    {"GASPI_ERR_INV_COMMSIZE", "the request is too large"},
    {"GASPI_ERR_INV_NOTIF_VAL", "a notification cannot have the value 0"},
    {"GASPI_ERR_INV_NOTIF_ID", "no such notification"},
    {"GASPI_ERR_INV_NUM", "the number of elements is not allowed"},
    {"GASPI_ERR_INV_SIZE", "the size is not allowed"},
    {"GASPI_ERR_MANY_SEG", "no more segments are possible"},
    {"GASPI_ERR_MANY_GRP", "no more groups are possible"},
    {"GASPI_QUEUE_FULL", "the queue is full: gaspi_wait first"},
    {"GASPI_ERR_UNALIGN_OFF", "the offset is not a multiple of 8"},
    {"GASPI_ERR_ACTIVE_COLL", "another collective of the group must be continued first"},
    {"GASPI_ERR_DEVICE", "the device failed"},
    {"GASPI_ERR_SN", "another rank could not be reached"},
    {"GASPI_ERR_MEMALLOC", "the memory cannot be allocated"},
}};

const number_text* text_of(gaspi_return_t number) {
  const auto place = static_cast<std::size_t>(static_cast<int>(number) + 1);
  return place < numbers.size() ? &numbers[place] : nullptr;
}

void say(std::string_view call, gaspi_return_t number, std::string_view why) {
  const inside here("an error message");
  const auto* const w = here.found();
  const auto line = detail::text("[gaspi rank ", w != nullptr ? std::to_string(w->rank) : std::string("-"), "] ", call,
                                 ": ", name_of(number), ": ", why, "\n");
  std::fputs(line.c_str(), stderr);
}

bool wants_words() {
  if (current_configuration().logger >= 2) return true;
  try {
    return current_settings().check;
  } catch (const error&) {  // a wrong setting, which the start of Wherry reports
    return true;
  }
}

gaspi_return_t number_of(const error& failure) {
  switch (failure.kind()) {
    case error_kind::resource:
      return GASPI_ERR_MEMALLOC;
    case error_kind::argument:
    case error_kind::mismatch:
    case error_kind::state:
    case error_kind::timeout:
    case error_kind::mpi:
    case error_kind::lost:
      return GASPI_ERROR;
  }
  return GASPI_ERROR;
}

}  // namespace

const char* name_of(gaspi_return_t number) {
  const auto* const found = text_of(number);
  return found != nullptr ? found->name : "no number of GASPI's";
}

const char* meaning_of(gaspi_return_t number) {
  const auto* const found = text_of(number);
  return found != nullptr ? found->meaning : "no number of GASPI's";
}

gaspi_return_t refuse(std::string_view call, gaspi_return_t number, std::string_view why) {
  if (wants_words()) say(call, number, why);
  return number;
}

gaspi_return_t refuse(std::string_view call, const error& failure) {
  const auto number = number_of(failure);
  if (failure.kind() == error_kind::state && world_ends()) return refuse(call, number, failure.what());
  say(call, number, failure.what());
  return number;
}

}  // namespace wherry::gaspi
