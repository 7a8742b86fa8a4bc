#include "wherry/halo/rooted.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "wherry/core/checked.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "axis_mapping.hpp"
#include "core/collective.hpp"
#include "core/terms.hpp"
#include "plan_transfers.hpp"

namespace wherry {
namespace {

/// The description of a section that ranks send to each other: its shape, and the root's order on the wire.
struct root_notice {
  std::int64_t member, element, dimensions, extents[plans::max_block_rank], order[plans::max_block_rank];
};

root_notice root_notice_of(const array_section& part, bool member) {
  root_notice n{member ? 1 : 0, part.element, part.dimensions, {}, {}};
  std::copy(part.extents.begin(), part.extents.end(), n.extents);
  const auto order = stride_order(part);
  std::copy(order.begin(), order.end(), n.order);
  return n;
}

std::array<int, plans::max_block_rank> order_of(const root_notice& n) {
  std::array<int, plans::max_block_rank> order;
  std::transform(std::begin(n.order), std::end(n.order), order.begin(),
                 [](std::int64_t d) { return static_cast<int>(d); });
  return order;
}

std::string shape_text(const root_notice& n) {
  std::string out;
  for (std::int64_t d = 0; d < n.dimensions; ++d) out += detail::text(d > 0 ? " × " : "", n.extents[d]);
  return out + detail::text(" elements of ", n.element, " bytes");
}

void check_root(const process_grid& grid, int root, std::string_view pattern) {
  if (!grid.contains(root))
    throw error(error_kind::argument, pattern,
                detail::text("'root' is ", root, ", expected a rank from 0 to ", grid.size() - 1, ", as the grid has"),
                grid.comm().rank());
}

void check_section(const array_section& part, bool arrives, std::string_view what, std::string_view pattern, int rank) {
  const auto fail = [&](std::string_view problem) {
    throw error(error_kind::argument, pattern, detail::text(what, ": ", problem), rank);
  };
  if (!part.problem.empty()) fail(part.problem);
  if (arrives && part.read_only) fail("it is const and cannot be received into");
  if (part.bytes() > 0 && part.data == nullptr) fail(detail::text("it has ", part.bytes(), " bytes at a null pointer"));
}

void* address(const array_section& part) {
  static std::byte nowhere;  // stands for the address of an empty section, which may be null
  return part.data != nullptr ? part.data : &nowhere;
}

// ---- broadcast

plans::schedule plan_bcast(const process_grid& grid, int root, const std::vector<array_section>& parts,
                           const std::vector<root_notice>& roots) {
  const int ranks = grid.size(), rank = grid.comm().rank();
  plans::schedule_builder plan("bcast_exchange", rank);
  std::vector<plans::block_row> rows;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const plans::block b = section_block(parts[p], plan.add_field(section_shape(parts[p])), order_of(roots[p]));
    if (b.bytes() > 0) rows.push_back(plan.row_of(b));
  }
  const int place = (rank - root + ranks) % ranks;  // the root's place is 0
  for (int known = 1; known < ranks; known *= 2) {  // number of ranks that have the data before the stage
    if (known > 1) plan.next_stage();
    if (rank >= ranks) continue;
    const int to = place + known, from = place - known;
    for (const auto& row : rows) {
      if (place < known && to < ranks) plan.send((to + root) % ranks, row);
      if (place >= known && place < 2 * known) plan.receive((from + root) % ranks, row);
    }
  }
  auto made = plan.finish();
  if (ranks == 1) made.stages.clear();
  return made;
}

exchange bind_bcast(const process_grid& grid, const std::vector<array_section>& parts, const rooted_options& options) {
  constexpr const char* pattern = "bcast_exchange";
  const int root = options.root;
  const auto& comm = grid.comm();
  const bool member = grid.contains(comm.rank());
  const terms agreed([&](auto& say) {
    say(root, "the root");
    say(parts.size(), "the number of sections");
    say(options.carry.packet_bytes, "'packet_bytes'");
  });
  collectively_on(agreed, comm, pattern, [&] {
    check_root(grid, root, pattern);
    if (member)
      for (const auto& part : parts) check_section(part, comm.rank() != root, "a section", pattern, comm.rank());
  });
  std::vector<root_notice> roots;
  for (const auto& part : parts) roots.push_back(root_notice_of(part, member));
  const auto mine = roots;
  patient::bcast(comm, pattern, std::as_writable_bytes(std::span(roots)), root);
  detail::collectively(comm, pattern, [&] {
    for (std::size_t p = 0; member && p < parts.size(); ++p) {
      const auto &here = mine[p], &there = roots[p];
      if (here.element != there.element || here.dimensions != there.dimensions ||
          !std::equal(here.extents, here.extents + here.dimensions, there.extents))
        throw error(error_kind::mismatch, pattern,
                    detail::text("section ", p, " has ", shape_text(here), " on rank ", comm.rank(), ", but ",
                                 shape_text(there), " on the root, rank ", root),
                    comm.rank(), {root});
    }
  });
  exchange bound(comm, plan_bcast(grid, root, parts, roots), {}, options.carry);
  std::vector<void*> table;
  for (const auto& part : parts) table.push_back(address(part));
  bound.set_fields(table);
  return bound;
}

// ---- scatter and gather

/// The places of the ranks' subdomains in the global array. Only the root knows them.
class placement {
 public:
  placement(const process_grid& grid, const axis_mapping& mapping, const root_notice& global,
            std::vector<root_notice> locals, std::string_view pattern)
      : grid_(grid), mapping_(mapping), global_(global), locals_(std::move(locals)), pattern_(pattern) {
    const auto pieces = mapping_.pieces();
    for (std::size_t d = 0; d < pieces.size(); ++d) {
      std::vector<index_t> sizes(static_cast<std::size_t>(pieces[d]), -1);
      for (int rank = 0; rank < grid_.size(); ++rank) vote(d, rank, sizes);
      std::vector<index_t> first(1, 0);
      constexpr detail::checked cells{"scatter_exchange", "number of cells of a dimension"};
      for (const index_t size : sizes) first.push_back(cells.sum(first.back(), size));
      if (first.back() != global_.extents[d])
        fail(detail::text("the subdomains have ", first.back(), " cells along dimension ", d,
                          ", but the global array has ", global_.extents[d]));
      first_.push_back(std::move(first));
    }
  }

  /// A rank's subdomain as a section of the global array, and the offset of its first element in bytes.
  std::pair<array_section, std::int64_t> part(int rank, const array_section& global) const {
    array_section result = global;
    std::int64_t offset = 0;
    const auto at = mapping_.place_of(rank);
    for (std::size_t d = 0; d < first_.size(); ++d) {
      result.extents[d] = locals_[static_cast<std::size_t>(rank)].extents[d];
      offset += first_[d][static_cast<std::size_t>(at[d])] * global.strides[d];
    }
    return {result, offset};
  }

 private:
  void vote(std::size_t d, int rank, std::vector<index_t>& sizes) const {
    const auto piece = static_cast<std::size_t>(mapping_.place_of(rank)[d]);
    const index_t said = locals_[static_cast<std::size_t>(rank)].extents[d];
    if (sizes[piece] >= 0 && sizes[piece] != said)
      fail(detail::text("rank ", rank, " has ", said, " cells along dimension ", d,
                        ", but others at its coordinate have ", sizes[piece]));
    sizes[piece] = said;
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw error(error_kind::mismatch, pattern_, what, grid_.comm().rank());
  }

  const process_grid& grid_;
  const axis_mapping& mapping_;
  const root_notice& global_;
  std::vector<root_notice> locals_;
  std::string_view pattern_;
  std::vector<std::vector<index_t>> first_;
};

/// The schedule of a scatter. A gather reverses it.
plans::schedule plan_scatter(const process_grid& grid, int root, const array_section& global,
                             const array_section& local, const root_notice& agreed, const placement* places,
                             std::string_view pattern) {
  const int rank = grid.comm().rank();
  plans::schedule_builder plan(pattern, rank);
  const auto order = order_of(agreed);
  const plans::block mine = section_block(local, plan.add_field(section_shape(local)), order);
  if (grid.contains(rank)) plan.receive(root, mine);
  if (rank != root) return plan.finish();
  const auto whole = plan.add_field(section_shape(global));
  for (int to = 0; to < grid.size(); ++to) {
    const auto [part, offset] = places->part(to, global);
    plan.send(to, section_block(part, whole, order, offset));
  }
  return plan.finish();
}

exchange bind_rooted(const process_grid& grid, const array_section& global, const array_section& local,
                     const rooted_options& options, bool gather) {
  const int root = options.root;
  const char* pattern = gather ? "gather_exchange" : "scatter_exchange";
  const auto& comm = grid.comm();
  const int rank = comm.rank();
  const bool member = grid.contains(rank);
  const terms told([&](auto& say) {
    say(root, "the root");
    say(options.carry.packet_bytes, "'packet_bytes'");
  });
  collectively_on(told, comm, pattern, [&] {
    check_root(grid, root, pattern);
    if (member) check_section(local, !gather, "the local array", pattern, rank);
    if (rank == root) check_section(global, gather, "the global array", pattern, rank);
    if (rank == root) axis_mapping(grid, global.dimensions, options.axes);
  });

  root_notice agreed = root_notice_of(global, true);
  patient::bcast(comm, pattern, std::as_writable_bytes(std::span(&agreed, 1)), root);
  const root_notice mine = root_notice_of(local, member);
  detail::collectively(comm, pattern, [&] {
    if (member && (mine.element != agreed.element || mine.dimensions != agreed.dimensions))
      throw error(error_kind::mismatch, pattern,
                  detail::text("the local array has ", mine.dimensions, " dimensions and elements of ", mine.element,
                               " bytes on rank ", rank, ", but the global array has ", agreed.dimensions,
                               " dimensions and elements of ", agreed.element, " bytes"),
                  rank, {root});
  });
  auto locals = patient::gather(comm, pattern, mine, root);

  plans::schedule plan;
  detail::collectively(comm, pattern, [&] {
    const axis_mapping mapping(grid, static_cast<int>(agreed.dimensions), options.axes);
    std::optional<placement> places;
    if (rank == root) places.emplace(grid, mapping, agreed, std::move(locals), pattern);
    plan = plan_scatter(grid, root, global, local, agreed, places ? &*places : nullptr, pattern);
    if (gather) plans::turn_around(plan, detail::store);
  });
  exchange bound(comm, std::move(plan), {}, options.carry);
  std::vector<void*> table{address(local)};
  if (rank == root) table.push_back(address(global));
  bound.set_fields(table);
  return bound;
}

}  // namespace

bcast_exchange::bcast_exchange(const process_grid& grid, const rooted_options& options,
                               std::vector<array_section> parts)
    : bound_pattern(bind_bcast(grid, parts, options)) {}

scatter_exchange::scatter_exchange(const process_grid& grid, array_section global, array_section local,
                                   const rooted_options& options)
    : bound_pattern(bind_rooted(grid, global, local, options, false)) {}

gather_exchange::gather_exchange(const process_grid& grid, array_section local, array_section global,
                                 const rooted_options& options)
    : bound_pattern(bind_rooted(grid, global, local, options, true)) {}

}  // namespace wherry
