#include "resolve.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>

#include "core/collective.hpp"

namespace wherry {
namespace {

constexpr index_t unknown = -1;

/// Numbers that must be equal on all ranks that have one. Each is reduced as a pair (value, -value) with MAX, and
/// `unknown` loses to every other number.
class ballot {
 public:
  std::size_t add(index_t value) {
    values_.push_back(value == unknown ? unknown : value);
    values_.push_back(value == unknown ? -(index_t{1} << 62) : -value);
    return values_.size() / 2 - 1;
  }
  /// Adds the vote of a rank, which combines those of its subdomains.
  template <class Figure>
  void add_all(const std::vector<std::vector<halo_field>>& fields, std::size_t f, Figure figure) {
    add(unknown);
    for (const auto& subdomain : fields) {
      const index_t value = figure(subdomain[f]);
      auto* pair = &values_[values_.size() - 2];
      pair[0] = std::max(pair[0], value);
      pair[1] = std::max(pair[1], -value);
    }
  }
  void decide(const communicator& comm) {
    decided_ = patient::allreduce(comm, "halo_exchange", values_, patient::most);
  }
  bool unanimous(std::size_t i) const { return decided_[2 * i] == unknown || decided_[2 * i] == -decided_[2 * i + 1]; }
  index_t most(std::size_t i) const { return decided_[2 * i]; }
  index_t least(std::size_t i) const { return -decided_[2 * i + 1]; }

 private:
  std::vector<std::int64_t> values_, decided_;
};

index_t order_as_number(const std::array<int, max_halo_dimensions>& order) {
  return std::accumulate(order.begin(), order.end(), index_t{0}, [](index_t sum, int d) { return sum * 8 + d; });
}

constexpr const char* centring_figure = "centring (1: on planes)";
constexpr const char* figures[] = {"element size", "minus width", "plus width"};

/// The number of cells of a rank along a dimension.
index_t cells_of(const halo_descriptor& halo, bool on_planes) {
  return on_planes ? std::max<index_t>(0, halo.core() - 1) : halo.core();
}

bool is_without_cells(const halo_field& field) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(field.dimensions); ++a)
    if (cells_of(field.halo[a], field.on_planes[a]) == 0) return true;
  return false;
}

int last_with_cells(const std::vector<index_t>& sizes) {
  for (auto p = std::ssize(sizes); p-- > 0;)
    if (sizes[static_cast<std::size_t>(p)] > 0) return static_cast<int>(p);
  return -1;
}

/// True if the axis is cut into these sizes already, so that it need not be analysed again.
bool is_cut_into(const regular_floor_plan& cells, std::size_t axis, const std::vector<index_t>& sizes) {
  for (std::size_t p = 0; p < sizes.size(); ++p)
    if (cells.size(static_cast<int>(axis), static_cast<int>(p)) != sizes[p]) return false;
  return true;
}
bool is_cut_into(const regular_floor_plan& cells, const std::vector<std::vector<index_t>>& sizes) {
  for (std::size_t a = 0; a < sizes.size(); ++a)
    if (!is_cut_into(cells, a, sizes[a])) return false;
  return true;
}

struct width_range {
  index_t least = std::numeric_limits<index_t>::max(), most = unknown;
};

/// The range of widths among the pieces with a neighbour in that direction; other widths have no meaning.
/// @param first index of the vote on the first piece's width; each piece has three votes
width_range width_towards_neighbors(const ballot& votes, std::size_t first, const regular_floor_plan& along,
                                    int direction) {
  width_range found;
  for (int p = 0; p < along.pieces(0); ++p) {
    const auto vote = first + 3 * static_cast<std::size_t>(p);
    if (along.size(0, p) == 0 || along.neighbor(0, p, direction) < 0) continue;
    found.least = std::min(found.least, votes.least(vote));
    found.most = std::max(found.most, votes.most(vote));
  }
  return found;
}

}  // namespace

std::array<int, max_halo_dimensions> stride_order(const halo_field& field) {
  std::array<int, max_halo_dimensions> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.begin() + field.dimensions, [&](int a, int b) {
    return std::abs(field.stride[static_cast<std::size_t>(a)]) < std::abs(field.stride[static_cast<std::size_t>(b)]);
  });
  return order;
}

resolved_halos resolve_halos(const process_grid& grid, const axis_mapping& mapping,
                             const std::vector<halo_field>& fields) {
  const auto& comm = grid.comm();
  const bool member = grid.contains(comm.rank());
  const auto here = member ? mapping.place_of(comm.rank()) : subdomain_coordinates{};
  const auto pieces = mapping.pieces();
  const auto periodic = mapping.periodic();
  const auto dimensions = pieces.size();

  ballot votes;
  for (const auto& f : fields) {
    const bool has_some = member && !is_without_cells(f);
    votes.add(f.element);
    votes.add(has_some ? order_as_number(stride_order(f)) : unknown);
    for (std::size_t a = 0; a < dimensions; ++a) {
      const auto& h = f.halo[a];
      const index_t cells = cells_of(h, f.on_planes[a]);
      votes.add(member ? index_t{f.on_planes[a]} : unknown);
      for (int p = 0; p < pieces[a]; ++p) {
        const bool here_too = member && here[a] == p;
        // A rank without cells need not know along which dimension none are left, and may say 0 for each.
        votes.add(here_too && cells > 0 ? cells : unknown);
        votes.add(here_too && has_some ? h.minus : unknown);
        votes.add(here_too && has_some ? h.plus : unknown);
      }
    }
  }
  votes.decide(comm);

  // All ranks see the same ballot, so either all or none throw.
  resolved_halos result;
  std::size_t next = 0;
  std::vector<std::optional<regular_floor_plan>> lines(dimensions);  // the axes of the previous field, one by one
  const auto fail = [&](std::size_t f, index_t least, index_t most, const auto&... what) {
    throw error(error_kind::mismatch, "halo_exchange",
                detail::text("field ", f, ": the ranks disagree on the ", what..., ": from ", least, " to ", most),
                comm.rank());
  };
  const auto agreed = [&](std::size_t f, const auto&... what) {
    if (!votes.unanimous(next)) fail(f, votes.least(next), votes.most(next), what...);
    return votes.most(next++);
  };
  for (std::size_t f = 0; f < fields.size(); ++f) {
    agreed(f, figures[0]);
    auto order = stride_order(fields[f]);
    if (!votes.unanimous(next++)) std::iota(order.begin(), order.end(), 0);
    std::vector<std::vector<index_t>> sizes(dimensions);
    auto planned = fields[f];
    for (std::size_t a = 0; a < dimensions; ++a) {
      const bool on_planes = agreed(f, centring_figure, " of dimension ", a) == 1;
      const auto first = next;
      for (int p = 0; p < pieces[a]; ++p, next += 2)
        sizes[a].push_back(std::max<index_t>(0, agreed(f, "core of dimension ", a, " at coordinate ", p)));
      auto& line = lines[a];
      if (!line || !is_cut_into(*line, 0, sizes[a])) line = regular_floor_plan({sizes[a]}, {periodic[a]});
      const auto& along = *line;
      index_t widths[2];
      for (int side = 0; side < 2; ++side) {
        const auto found =
            width_towards_neighbors(votes, first + 1 + static_cast<std::size_t>(side), along, 2 * side - 1);
        if (found.least < found.most) fail(f, found.least, found.most, figures[1 + side], " of dimension ", a);
        widths[side] = std::max<index_t>(0, found.most);
      }
      const int last = along.periodic(0) ? -1 : last_with_cells(sizes[a]);
      if (last >= 0 && fields[f].on_planes == decltype(fields[f].on_planes){}) {
        const int lowest = static_cast<int>(
            std::find_if(sizes[a].begin(), sizes[a].end(), [](index_t size) { return size > 0; }) - sizes[a].begin());
        const auto vote = [first](int piece) { return first + 3 * static_cast<std::size_t>(piece); };
        result.rims.push_back({f, static_cast<int>(a), static_cast<int>(dimensions), votes.most(vote(lowest) + 1),
                               votes.most(vote(last) + 2)});
      }
      if (on_planes) {
        if (last >= 0) ++sizes[a][static_cast<std::size_t>(last)];
        ++widths[1];
        const int mine = here[a];
        planned.halo[a].end = planned.halo[a].begin + (member ? sizes[a][static_cast<std::size_t>(mine)] : 0) - 1;
      }
      planned.halo[a].minus = widths[0];
      planned.halo[a].plus = widths[1];
    }
    if (f == 0 || !is_cut_into(result.cuts.back(), sizes)) {
      result.cuts.emplace_back(std::move(sizes), periodic).set_owners_in_bricks(mapping.rank_strides());
    } else {
      result.cuts.push_back(result.cuts.back());  // shares the table
    }
    result.wire_order.push_back(order);
    result.fields.push_back(std::move(planned));
  }
  return result;
}

agreed_fields agree_on_fields(const communicator& comm, int dimensions,
                              const std::vector<std::vector<halo_field>>& fields) {
  const auto fail = [&](const std::string& what, const ballot& votes, std::size_t vote) {
    throw error(
        error_kind::mismatch, "halo_exchange",
        detail::text("the ranks disagree on the ", what, ": from ", votes.least(vote), " to ", votes.most(vote)),
        comm.rank());
  };
  ballot number;
  number.add(fields.empty() ? unknown : std::ssize(fields.front()));
  number.decide(comm);
  if (!number.unanimous(0)) fail("number of fields", number, 0);
  const auto count = static_cast<std::size_t>(std::max<index_t>(0, number.most(0)));

  ballot votes;
  for (std::size_t f = 0; f < count; ++f) {
    votes.add_all(fields, f, [](const halo_field& field) { return order_as_number(stride_order(field)); });
    votes.add_all(fields, f, [](const halo_field& field) { return field.element; });
    for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
      votes.add_all(fields, f, [a](const halo_field& field) { return field.halo[a].minus; });
      votes.add_all(fields, f, [a](const halo_field& field) { return field.halo[a].plus; });
      votes.add_all(fields, f, [a](const halo_field& field) { return index_t{field.on_planes[a]}; });
    }
  }
  votes.decide(comm);

  agreed_fields result;
  auto& wire_order = result.wire_order;
  wire_order.resize(count);
  std::size_t next = 0;
  for (std::size_t f = 0; f < count; ++f) {
    std::iota(wire_order[f].begin(), wire_order[f].end(), 0);
    if (votes.unanimous(next++) && !fields.empty()) wire_order[f] = stride_order(fields.front()[f]);
    if (!votes.unanimous(next)) fail(detail::text(figures[0], " of field ", f), votes, next);
    ++next;
    for (int a = 0; a < dimensions; ++a)
      for (const char* figure : {figures[1], figures[2], centring_figure}) {
        if (!votes.unanimous(next)) fail(detail::text(figure, " of field ", f, ", dimension ", a), votes, next);
        if (figure == centring_figure && votes.most(next) == 1) result.on_planes = true;
        ++next;
      }
  }
  return result;
}

}  // namespace wherry
