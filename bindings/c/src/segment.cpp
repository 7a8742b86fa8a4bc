#include "wherry/c/segment.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"

#include "segments.hpp"
#include "texts.hpp"

namespace wherry_c {

namespace {

using wherry::channels::segment_read;
using wherry::channels::segment_write;

/// The queue of a call; null if there is none.
wherry::segment_queue* queue_of(wherry_segment_queue queue, std::string_view where) {
  return queue == nullptr ? nullptr : &object_of<wherry::segment_queue>(queue, where, "queue");
}

std::span<const std::byte> sent(const void* data, std::int64_t bytes, std::string_view where) {
  return {static_cast<const std::byte*>(data), size_of(bytes, where, "bytes")};
}
std::size_t place_of(std::int64_t at, std::string_view where) { return size_of(at, where, "at"); }

std::vector<segment_write> writes_of(const wherry_segment_piece* pieces, int count, std::string_view where) {
  std::vector<segment_write> result;
  for (const auto& one : list_of(pieces, count, where, "pieces"))
    result.push_back({place_of(one.at, where), sent(one.memory, one.bytes, where)});
  return result;
}
std::vector<segment_read> reads_of(const wherry_segment_piece* pieces, int count, std::string_view where) {
  std::vector<segment_read> result;
  for (const auto& one : list_of(pieces, count, where, "pieces"))
    result.push_back({place_of(one.at, where), received(one.memory, one.bytes, where)});
  return result;
}
std::vector<wherry::channels::segment_notice> notices_of(const wherry_segment_notice* notices, int count,
                                                         std::string_view where) {
  std::vector<wherry::channels::segment_notice> result;
  for (const auto& one : list_of(notices, count, where, "notices")) result.push_back({one.to, one.id, one.value});
  return result;
}

/// Runs a call that returns false when its time is over.
template <class Step>
wherry_status limited(wherry_segment segment, double seconds, int* done, std::string_view where, Step&& step) noexcept {
  return with_segment(segment, where,
                      [&](byte_segment& one) { within(seconds, done, where, [&] { return step(one); }); });
}

/// Makes a segment by all ranks: `check` finds what is wrong on this rank alone, `make` is collective.
template <class Make>
wherry_status create(wherry_communicator comm, const wherry_segment_options* options, wherry_segment* result,
                     std::string_view where, std::int64_t bytes, Make&& make) noexcept {
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::segment_options wanted;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      wanted = segment_options_of(options, where);
      size_of(bytes, where, "bytes");
    });
    return std::make_shared<byte_segment>(make(ours, wanted));
  });
}

/// Gives the value of an atomic operation that may have run out of time.
bool give_old(const std::optional<std::uint64_t>& found, std::uint64_t* old) {
  if (found && old != nullptr) *old = *found;
  return found.has_value();
}

template <class Ask>
wherry_status text_of(wherry_segment segment, const char** text, std::string_view where, Ask&& ask) noexcept {
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(text, where, "text");
    *text = kept_text<of_notifications>(ask(one));
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_segment_create(wherry_communicator comm, int64_t bytes, const wherry_segment_options* options,
                                    wherry_segment* result) {
  return create(comm, options, result, "wherry_segment_create", bytes, [&](const auto& ours, const auto& wanted) {
    return byte_segment(ours, static_cast<std::size_t>(bytes), wanted);
  });
}
wherry_status wherry_segment_create_in(wherry_communicator comm, void* memory, int64_t bytes,
                                       const wherry_segment_options* options, wherry_segment* result) {
  constexpr auto where = "wherry_segment_create_in";
  return create(comm, options, result, where, bytes, [&](const auto& ours, const auto& wanted) {
    return byte_segment(ours, received(memory, bytes, where), wanted);
  });
}
wherry_status wherry_segment_create_in_window(wherry_communicator comm, MPI_Win window,
                                              const wherry_segment_options* options, wherry_segment* result) {
  return create(comm, options, result, "wherry_segment_create_in_window", 0, [&](const auto& ours, const auto& wanted) {
    return byte_segment(ours, wherry::shared_window{window}, wanted);
  });
}
wherry_status wherry_segment_free(wherry_segment* segment) {
  constexpr auto where = "wherry_segment_free";
  return guarded(where, [&] { free_handle<byte_segment>(segment, where, "segment"); });
}

wherry_status wherry_segment_memory(wherry_segment segment, void** memory, int64_t* bytes) {
  return with_segment(segment, "wherry_segment_memory", [&](byte_segment& one) {
    if (memory != nullptr) *memory = one.memory().data();
    if (bytes != nullptr) *bytes = static_cast<std::int64_t>(one.memory().size());
  });
}
wherry_status wherry_segment_memory_of(wherry_segment segment, int rank, void** memory, int64_t* bytes) {
  return with_segment(segment, "wherry_segment_memory_of", [&](byte_segment& one) {
    auto* const there = one.memory_of(rank);
    if (memory != nullptr) *memory = there;
    if (bytes != nullptr) *bytes = static_cast<std::int64_t>(one.bytes_of(rank));
  });
}
wherry_status wherry_segment_is_aligned(wherry_segment segment, int rank, int* aligned) {
  constexpr auto where = "wherry_segment_is_aligned";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(aligned, where, "aligned");
    *aligned = one.is_aligned(rank) ? 1 : 0;
  });
}
wherry_status wherry_segment_notifications(wherry_segment segment, int* count) {
  constexpr auto where = "wherry_segment_notifications";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(count, where, "count");
    *count = one.notifications();
  });
}

wherry_status wherry_segment_write(wherry_segment segment, int to, int64_t at, const void* data, int64_t bytes,
                                   wherry_segment_queue queue) {
  constexpr auto where = "wherry_segment_write";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.write(to, place_of(at, where), sent(data, bytes, where), queue_of(queue, where));
  });
}
wherry_status wherry_segment_read(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                  wherry_segment_queue queue) {
  constexpr auto where = "wherry_segment_read";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.read(from, place_of(at, where), received(into, bytes, where), queue_of(queue, where));
  });
}
wherry_status wherry_segment_notify(wherry_segment segment, int to, int id, uint32_t value) {
  return with_segment(segment, "wherry_segment_notify", [&](byte_segment& one) { one.notify(to, id, value); });
}
wherry_status wherry_segment_write_notify(wherry_segment segment, int to, int64_t at, const void* data, int64_t bytes,
                                          int id, uint32_t value) {
  constexpr auto where = "wherry_segment_write_notify";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.write_notify(to, place_of(at, where), sent(data, bytes, where), id, value);
  });
}
wherry_status wherry_segment_read_notify(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                         int id, uint32_t value) {
  constexpr auto where = "wherry_segment_read_notify";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.read_notify(from, place_of(at, where), received(into, bytes, where), id, value);
  });
}
wherry_status wherry_segment_write_in_pieces(wherry_segment segment, int to, int64_t at, const void* data,
                                             int64_t bytes, int id) {
  constexpr auto where = "wherry_segment_write_in_pieces";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.write_in_pieces(to, place_of(at, where), sent(data, bytes, where), id);
  });
}
wherry_status wherry_segment_copy_out(wherry_segment segment, int64_t at, void* into, int64_t bytes, int id,
                                      double seconds, int* done) {
  constexpr auto where = "wherry_segment_copy_out";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.copy_out(place_of(at, where), received(into, bytes, where), id, seconds);
  });
}
wherry_status wherry_segment_flush(wherry_segment segment, double seconds, int* done) {
  return limited(segment, seconds, done, "wherry_segment_flush", [&](byte_segment& one) { return one.flush(seconds); });
}

wherry_status wherry_segment_write_list(wherry_segment segment, int to, int count, const wherry_segment_piece* pieces,
                                        wherry_segment_queue queue) {
  constexpr auto where = "wherry_segment_write_list";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.write(to, writes_of(pieces, count, where), queue_of(queue, where));
  });
}
wherry_status wherry_segment_read_list(wherry_segment segment, int from, int count, const wherry_segment_piece* pieces,
                                       wherry_segment_queue queue) {
  constexpr auto where = "wherry_segment_read_list";
  return with_segment(segment, where, [&](byte_segment& one) {
    one.read(from, reads_of(pieces, count, where), queue_of(queue, where));
  });
}
wherry_status wherry_segment_write_list_notify(wherry_segment segment, int to, int count,
                                               const wherry_segment_piece* pieces, int id, uint32_t value) {
  constexpr auto where = "wherry_segment_write_list_notify";
  return with_segment(segment, where,
                      [&](byte_segment& one) { one.write_notify(to, writes_of(pieces, count, where), id, value); });
}
wherry_status wherry_segment_read_list_notify(wherry_segment segment, int from, int count,
                                              const wherry_segment_piece* pieces, int id, uint32_t value) {
  constexpr auto where = "wherry_segment_read_list_notify";
  return with_segment(segment, where,
                      [&](byte_segment& one) { one.read_notify(from, reads_of(pieces, count, where), id, value); });
}
wherry_status wherry_segment_notify_list(wherry_segment segment, int count, const wherry_segment_notice* notices) {
  constexpr auto where = "wherry_segment_notify_list";
  return with_segment(segment, where, [&](byte_segment& one) { one.notify(notices_of(notices, count, where)); });
}

wherry_status wherry_segment_notify_within(wherry_segment segment, int to, int id, uint32_t value, double seconds,
                                           int* done) {
  return limited(segment, seconds, done, "wherry_segment_notify_within",
                 [&](byte_segment& one) { return one.notify(to, id, value, seconds); });
}
wherry_status wherry_segment_notify_list_within(wherry_segment segment, int count, const wherry_segment_notice* notices,
                                                double seconds, int* sent_so_far) {
  constexpr auto where = "wherry_segment_notify_list_within";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(sent_so_far, where, "sent");
    *sent_so_far = 0;
    *sent_so_far = static_cast<int>(one.notify(notices_of(notices, count, where), seconds));
  });
}
wherry_status wherry_segment_write_notify_within(wherry_segment segment, int to, int64_t at, const void* data,
                                                 int64_t bytes, int id, uint32_t value, double seconds, int* done) {
  constexpr auto where = "wherry_segment_write_notify_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.write_notify(to, place_of(at, where), sent(data, bytes, where), id, value, seconds);
  });
}
wherry_status wherry_segment_read_notify_within(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                                int id, uint32_t value, double seconds, int* done) {
  constexpr auto where = "wherry_segment_read_notify_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.read_notify(from, place_of(at, where), received(into, bytes, where), id, value, seconds);
  });
}
wherry_status wherry_segment_write_list_notify_within(wherry_segment segment, int to, int count,
                                                      const wherry_segment_piece* pieces, int id, uint32_t value,
                                                      double seconds, int* done) {
  constexpr auto where = "wherry_segment_write_list_notify_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.write_notify(to, writes_of(pieces, count, where), id, value, seconds);
  });
}
wherry_status wherry_segment_read_list_notify_within(wherry_segment segment, int from, int count,
                                                     const wherry_segment_piece* pieces, int id, uint32_t value,
                                                     double seconds, int* done) {
  constexpr auto where = "wherry_segment_read_list_notify_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.read_notify(from, reads_of(pieces, count, where), id, value, seconds);
  });
}
wherry_status wherry_segment_write_in_pieces_within(wherry_segment segment, int to, int64_t at, const void* data,
                                                    int64_t bytes, int id, double seconds, int* done) {
  constexpr auto where = "wherry_segment_write_in_pieces_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return one.write_in_pieces(to, place_of(at, where), sent(data, bytes, where), id, seconds);
  });
}
wherry_status wherry_segment_is_notifying(wherry_segment segment, int to, int id, uint32_t value, int* notifying) {
  constexpr auto where = "wherry_segment_is_notifying";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(notifying, where, "notifying");
    *notifying = one.is_notifying(to, id, value) ? 1 : 0;
  });
}

wherry_status wherry_segment_fetch_add(wherry_segment segment, int on, int64_t at, uint64_t value, uint64_t* old) {
  constexpr auto where = "wherry_segment_fetch_add";
  return with_segment(segment, where,
                      [&](byte_segment& one) { give_old(one.fetch_add(on, place_of(at, where), value), old); });
}
wherry_status wherry_segment_compare_swap(wherry_segment segment, int on, int64_t at, uint64_t expected,
                                          uint64_t desired, uint64_t* old) {
  constexpr auto where = "wherry_segment_compare_swap";
  return with_segment(segment, where, [&](byte_segment& one) {
    give_old(one.compare_swap(on, place_of(at, where), expected, desired), old);
  });
}
wherry_status wherry_segment_fetch_add_within(wherry_segment segment, int on, int64_t at, uint64_t value,
                                              double seconds, int* done, uint64_t* old) {
  constexpr auto where = "wherry_segment_fetch_add_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return give_old(one.fetch_add(on, place_of(at, where), value, seconds), old);
  });
}
wherry_status wherry_segment_compare_swap_within(wherry_segment segment, int on, int64_t at, uint64_t expected,
                                                 uint64_t desired, double seconds, int* done, uint64_t* old) {
  constexpr auto where = "wherry_segment_compare_swap_within";
  return limited(segment, seconds, done, where, [&](byte_segment& one) {
    return give_old(one.compare_swap(on, place_of(at, where), expected, desired, seconds), old);
  });
}

wherry_status wherry_segment_explain(wherry_segment segment, const char** text) {
  return text_of(segment, text, "wherry_segment_explain", [](const auto& one) { return one.explain(); });
}
wherry_status wherry_segment_transport(wherry_segment segment, const char** text) {
  return text_of(segment, text, "wherry_segment_transport", [](const auto& one) { return one.transport(); });
}
wherry_status wherry_segment_statistics(wherry_segment segment, wherry_statistics* result) {
  constexpr auto where = "wherry_segment_statistics";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(result, where, "result");
    *result = statistics_of(one.statistics());
  });
}
}
