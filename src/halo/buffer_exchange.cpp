#include "wherry/halo/buffer_exchange.hpp"

#include <algorithm>

namespace wherry {
namespace {

/// A number for a direction. Both sides use the sender's direction.
int code_of(std::span<const int> direction, int sign) {
  int code = 0;
  for (std::size_t d = direction.size(); d-- > 0;) code = code * 3 + sign * direction[d] + 1;
  return code;
}

std::string name_of(int code, int dimensions) {
  std::string out = "direction (";
  for (int d = 0; d < dimensions; ++d, code /= 3) out += detail::text(d > 0 ? "," : "", code % 3 - 1);
  return out + ") of the sender";
}

std::string problem_of(std::span<const int> direction, int dimensions) {
  std::string written;
  for (const int d : direction) written += detail::text(written.empty() ? "" : ",", d);
  if (static_cast<int>(direction.size()) != dimensions)
    return detail::text("direction (", written, ") has ", direction.size(), " components, the grid has ", dimensions,
                        " dimensions");
  if (std::any_of(direction.begin(), direction.end(), [](int d) { return d < -1 || d > 1; }))
    return detail::text("direction (", written, ") has a component other than -1, 0 and 1");
  if (std::all_of(direction.begin(), direction.end(), [](int d) { return d == 0; }))
    return detail::text("direction (", written, ") leads to the rank itself");
  return {};
}

}  // namespace

buffer_exchange::buffer_exchange(const process_grid& grid, const carry_options& options)
    : detail::registered_pattern(
          detail::transfer_set(grid.comm(), "buffer exchange", options,
                               [dimensions = grid.dimensions()](int label) { return name_of(label, dimensions); })),
      grid_(grid) {}

int buffer_exchange::neighbor(std::span<const int> direction) const {
  if (!grid_.contains(grid_.comm().rank())) return -1;
  auto at = grid_.coordinates(grid_.comm().rank());
  for (std::size_t d = 0; d < direction.size(); ++d) {
    const int extent = grid_.extents()[d], moved = at[d] + direction[d];
    if (!grid_.periodic()[d] && (moved < 0 || moved >= extent)) return -1;
    at[d] = (moved + extent) % extent;
  }
  return grid_.rank_at(at);
}

template <class... Buffer>
void buffer_exchange::add(std::span<const int> direction, bool sends, const Buffer&... buffer) {
  const auto problem = problem_of(direction, grid_.dimensions());
  if (!problem.empty()) return set_.remember(problem);
  const int next = neighbor(direction), peer = next < 0 ? detail::transfer::nobody : next;
  const int label = code_of(direction, sends ? 1 : -1);  // the sender's direction
  if (sends)
    set_.put_send(detail::transfer::of(peer, label, buffer...));
  else
    set_.put_receive(detail::transfer::of(peer, label, buffer...));
}

void buffer_exchange::send_to(std::span<const int> direction, const void* buffer, index_t bytes, memory_space space) {
  add(direction, true, buffer, bytes, space);
}
void buffer_exchange::receive_from(std::span<const int> direction, void* buffer, index_t bytes, memory_space space) {
  add(direction, false, static_cast<const void*>(buffer), bytes, space);
}
void buffer_exchange::send_to(std::span<const int> direction, array_section part) { add(direction, true, part); }
void buffer_exchange::receive_from(std::span<const int> direction, array_section part) { add(direction, false, part); }
void buffer_exchange::send_to(std::span<const int> direction, const user_structure& from, index_t region,
                              index_t bytes) {
  add(direction, true, from, region, bytes);
}
void buffer_exchange::receive_from(std::span<const int> direction, const user_structure& into, index_t region,
                                   index_t bytes) {
  add(direction, false, into, region, bytes);
}
void buffer_exchange::send_to(std::span<const int> direction, const mpi_buffer& from) {
  if (!from.problem.empty()) return set_.remember(from.problem);
  add(direction, true, from.structure, index_t{0}, from.bytes);
}
void buffer_exchange::receive_from(std::span<const int> direction, const mpi_buffer& into) {
  if (!into.problem.empty()) return set_.remember(into.problem);
  add(direction, false, into.structure, index_t{0}, into.bytes);
}

}  // namespace wherry
