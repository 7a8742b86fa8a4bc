#include "halo/ours.hpp"

#include <sstream>

#include "wherry/core/node_arena.hpp"

#include "halo/copy.hpp"

namespace bench::halo {
namespace {

class one_copy : public peer {
 public:
  one_copy(const wherry::communicator& comm, const problem& p) : p_(p) {
    const std::size_t count = p.field.size();
    std::vector<std::size_t> mine, all(count * static_cast<std::size_t>(p.size));
    for (const char* field : p.field) mine.push_back(comm.arena()->offset_of(field).value());
    const int bytes = static_cast<int>(count * sizeof(std::size_t));
    MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, p.comm);
    for (int r = 0; r < p.size; ++r) {
      problem theirs = p;
      for (std::size_t f = 0; f < count; ++f)
        theirs.field[f] = reinterpret_cast<char*>(
            comm.arena()->address(comm.node_index(r), all[static_cast<std::size_t>(r) * count + f]));
      ranks_.push_back(theirs);
    }
  }

  void exchange() override {
    for (int e = 0; e < directions; ++e)
      if (p_.sends(e) && only_split(direction(e))) fetch(ranks_[static_cast<std::size_t>(p_.neighbor(e))], e);
    // The other dimensions wrap to the rank itself and are copied last, in long rows.
    for (const phase& boxes : phases_of(p_)) {
      if (boxes.low != p_.rank) continue;
      copy_within(p_, boxes.high_core, boxes.low_halo);
      copy_within(p_, boxes.low_core, boxes.high_halo);
    }
  }

 private:
  bool only_split(const triple& towards) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (towards[d] != 0 && p_.grid[d] < 2) return false;
    return true;
  }
  void fetch(const problem& from, int e) const {
    const cells theirs = from.outgoing(opposite(e)), mine = p_.incoming(e);
    for (std::size_t f = 0; f < p_.field.size(); ++f)
      copy_box(from.cell(f, theirs.lower), p_.row, p_.plane, p_.cell(f, mine.lower), p_.row, p_.plane,
               mine.extent[0] * p_.element, mine.extent);
  }

  problem p_;
  std::vector<problem> ranks_;
};

/// Calls `visit` with a null pointer of the element's type and the number of dimensions.
template <class Visit> void with_types(const shape& what, Visit&& visit) {
  using two = std::integral_constant<int, 2>;
  using three = std::integral_constant<int, 3>;
  if (what.dimensions == 2)
    what.single ? visit(static_cast<float*>(nullptr), two{}) : visit(static_cast<double*>(nullptr), two{});
  else
    what.single ? visit(static_cast<float*>(nullptr), three{}) : visit(static_cast<double*>(nullptr), three{});
}

template <int N> wherry::point<N> cube(wherry::index_t n) {
  wherry::point<N> result;
  result.fill(n);
  return result;
}

}  // namespace

our_fields::our_fields(const wherry::process_grid& grid, const problem& like, bool dense) : with_fields(like) {
  with_types(like.what, [&]<class T, int N>(T*, std::integral_constant<int, N>) {
    const auto made = std::make_shared<std::vector<wherry::field<T, N>>>();
    made->reserve(like.field.size());
    for (auto& place : with_fields.field) {
      auto& one = made->emplace_back(
          grid.comm(), cube<N>(like.n), like.what.width,
          wherry::field_options<N>{.layout = wherry::fortran_layout<N>(), .pad_rows = !dense, .name = {}});
      place = reinterpret_cast<char*>(one.data());
      halos.push_back(halo_of(one));
      with_fields.row = one.strides()[1] * like.element;
      with_fields.plane = one.strides().back() * like.element;
    }
    memory_ = made;
  });
}

std::vector<wherry::halo_field> halos_of_users(const problem& p) {
  std::vector<wherry::halo_field> halos;
  with_types(p.what, [&]<class T, int N>(T*, std::integral_constant<int, N>) {
    for (char* const field : p.field)
      halos.push_back(halo_of(
          wherry::halo_inside(wherry::view<T, N>(reinterpret_cast<T*>(field), cube<N>(p.whole(0))), p.what.width)));
  });
  return halos;
}

wherry::process_grid grid_of(const problem& p) {
  const auto used = p.grid.begin() + p.what.dimensions;
  return wherry::process_grid(p.comm, {.periodic = std::vector<bool>(static_cast<std::size_t>(p.what.dimensions), true),
                                       .extents = std::vector<int>(p.grid.begin(), used)});
}

std::unique_ptr<wherry::halo_exchange> bind_exchange(const wherry::process_grid& grid,
                                                     const std::vector<wherry::halo_field>& halos,
                                                     const std::string& transport, wherry::halo_order order) {
  wherry::halo_options options;
  options.order = order;
  options.carry.transport = transport;
  return std::make_unique<wherry::halo_exchange>(grid, options, halos);
}

std::vector<std::string> transports(const std::string& wanted, bool on_device) {
  std::vector<std::string> all{"auto"}, kept;
  for (const auto* row : wherry::transports::all_transports())
    if (row->name != "reference" && (on_device || !row->device_memory))
      all.push_back(row->name);  // the tests' oracle: slow on purpose
  if (wanted.empty()) return all;
  std::istringstream list(wanted);
  for (std::string name; std::getline(list, name, ',');) kept.push_back(name);
  return kept;
}

std::unique_ptr<peer> make_one_copy(const wherry::process_grid& grid, const problem& ours) {
  const auto& comm = grid.comm();
  if (comm.arena() == nullptr || static_cast<int>(comm.node_ranks().size()) < comm.size()) return nullptr;
  return std::make_unique<one_copy>(comm, ours);
}

}  // namespace bench::halo
