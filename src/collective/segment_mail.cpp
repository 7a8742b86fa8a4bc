#include "segment_mail.hpp"

#include <cstdint>

namespace wherry::collective {
namespace {

std::size_t memory_of(const communicator& comm, std::int64_t slot) {
  return static_cast<std::size_t>(mail_memory::slots * slot) * static_cast<std::size_t>(comm.size());
}

byte_segment segment_in(segment_mail::memory where, const communicator& comm, std::int64_t slot,
                        std::vector<std::byte>& windows) {
  const segment_options options{
      .notifications = 2 * mail_memory::slots * comm.size(), .counted = false, .ways = {.through_kernel = false}};
  return where == segment_mail::memory::no_nodes ? byte_segment(comm, std::span(windows), options)
                                                 : byte_segment(comm, memory_of(comm, slot), options);
}

}  // namespace

segment_mail::segment_mail(const communicator& comm, memory where, std::int64_t slot)
    : rank_(comm.rank()),
      size_(comm.size()),
      slot_(slot),
      windows_(where == memory::no_nodes ? memory_of(comm, slot) : 0),
      segment_(segment_in(where, comm, slot, windows_)) {}

void segment_mail::put(int to, int slot, std::span<const std::byte> data) {
  segment_.write_notify(to, place(rank_, slot), data, come_id(rank_, slot));
}

bool segment_mail::take(int id) {
  if (segment_.value(id) == 0) return false;
  segment_.reset(id);
  return true;
}

}  // namespace wherry::collective
