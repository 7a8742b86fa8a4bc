#include <cstdint>
#include <string_view>

#include "segments.hpp"

namespace wherry_c {
namespace {

// The notifications of this rank, or of another one of its node.
template <class Words>
void wait_some(const Words& words, int first, int count, double seconds, int* id, std::string_view where) {
  require_result(id, where, "id");
  *id = -1;
  *id = words.wait_some(first, count, seconds).value_or(-1);
}
template <class Words>
void wait_one(const Words& words, int id, double seconds, std::uint32_t* value, std::string_view where) {
  if (value == nullptr && seconds != wherry::no_limit) refuse(where, "'value' is NULL, but 'seconds' is ", seconds);
  if (value != nullptr) *value = 0;
  const auto come = words.wait(id, seconds).value_or(0);
  if (value != nullptr) *value = come;
}
template <class Words> void look_at(const Words& words, int id, std::uint32_t* value, std::string_view where) {
  require_result(value, where, "value");
  *value = words.value(id);
}
template <class Words> void reset_one(const Words& words, int id, std::uint32_t* value) {
  const auto taken = words.reset(id);
  if (value != nullptr) *value = taken;
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_segment_wait_some(wherry_segment segment, int first, int count, double seconds, int* id) {
  constexpr auto where = "wherry_segment_wait_some";
  return with_segment(segment, where, [&](byte_segment& one) { wait_some(one, first, count, seconds, id, where); });
}
wherry_status wherry_segment_wait(wherry_segment segment, int id, double seconds, uint32_t* value) {
  constexpr auto where = "wherry_segment_wait";
  return with_segment(segment, where, [&](byte_segment& one) { wait_one(one, id, seconds, value, where); });
}
wherry_status wherry_segment_value(wherry_segment segment, int id, uint32_t* value) {
  constexpr auto where = "wherry_segment_value";
  return with_segment(segment, where, [&](byte_segment& one) { look_at(one, id, value, where); });
}
wherry_status wherry_segment_reset(wherry_segment segment, int id, uint32_t* value) {
  return with_segment(segment, "wherry_segment_reset", [&](byte_segment& one) { reset_one(one, id, value); });
}
wherry_status wherry_segment_wait_some_of(wherry_segment segment, int rank, int first, int count, double seconds,
                                          int* id) {
  constexpr auto where = "wherry_segment_wait_some_of";
  return with_segment(segment, where, [&](byte_segment& one) {
    wait_some(one.notifications_of(rank), first, count, seconds, id, where);
  });
}
wherry_status wherry_segment_wait_of(wherry_segment segment, int rank, int id, double seconds, uint32_t* value) {
  constexpr auto where = "wherry_segment_wait_of";
  return with_segment(segment, where,
                      [&](byte_segment& one) { wait_one(one.notifications_of(rank), id, seconds, value, where); });
}
wherry_status wherry_segment_value_of(wherry_segment segment, int rank, int id, uint32_t* value) {
  constexpr auto where = "wherry_segment_value_of";
  return with_segment(segment, where,
                      [&](byte_segment& one) { look_at(one.notifications_of(rank), id, value, where); });
}
wherry_status wherry_segment_reset_of(wherry_segment segment, int rank, int id, uint32_t* value) {
  return with_segment(segment, "wherry_segment_reset_of",
                      [&](byte_segment& one) { reset_one(one.notifications_of(rank), id, value); });
}
wherry_status wherry_segment_word(wherry_segment segment, int id, const volatile uint32_t** word) {
  constexpr auto where = "wherry_segment_word";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(word, where, "word");
    *word = nullptr;
    *word = reinterpret_cast<const volatile std::uint32_t*>(&one.notifications_of(one.comm().rank()).at(id));
  });
}
}
