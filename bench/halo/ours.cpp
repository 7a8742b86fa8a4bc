#include "halo/ours.hpp"

#include <sstream>

#include "wherry/core/node_arena.hpp"

#include "halo/copy.hpp"

namespace bench::halo {
namespace {

class one_copy : public peer {
 public:
  one_copy(const wherry::communicator& comm, const problem& p) : p_(p) {
    std::array<std::size_t, fields> mine{};
    for (std::size_t f = 0; f < fields; ++f) mine[f] = comm.arena()->offset_of(p.field[f]).value();
    std::vector<std::array<std::size_t, fields>> all(static_cast<std::size_t>(p.size));
    MPI_Allgather(mine.data(), sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, p.comm);
    for (int r = 0; r < p.size; ++r) {
      problem theirs = p;
      for (std::size_t f = 0; f < fields; ++f)
        theirs.field[f] =
            reinterpret_cast<double*>(comm.arena()->address(comm.node_index(r), all[static_cast<std::size_t>(r)][f]));
      ranks_.push_back(theirs);
    }
    for (std::size_t d = 0; d < 3; ++d) split_[d] = p.grid[d] > 1;
  }

  void exchange() override {
    for (int e = 0; e < directions; ++e)
      if (e != here && only_split(direction(e))) fetch(ranks_[static_cast<std::size_t>(p_.neighbor(e))], e);
    // The other dimensions wrap to the rank itself and are copied last, in long rows.
    std::array<bool, 3> done = split_;
    for (int d = 0; d < 3; ++d) {
      if (split_[static_cast<std::size_t>(d)]) continue;
      const phase boxes = phase_of(p_, d, done);
      copy_within(p_, boxes.high_core, boxes.low_halo);
      copy_within(p_, boxes.low_core, boxes.high_halo);
      done[static_cast<std::size_t>(d)] = true;
    }
  }

 private:
  bool only_split(const triple& towards) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (towards[d] != 0 && !split_[d]) return false;
    return true;
  }
  void fetch(const problem& from, int e) const {
    const cells theirs = from.outgoing(opposite(e)), mine = p_.incoming(e);
    for (int f = 0; f < fields; ++f)
      copy_box(from.cell(f, theirs.lower), p_.row, p_.plane, p_.cell(f, mine.lower), p_.row, p_.plane, mine.extent);
  }

  problem p_;
  std::vector<problem> ranks_;
  std::array<bool, 3> split_{};
};

}  // namespace

our_fields::our_fields(const wherry::process_grid& grid, const problem& like, bool dense) : with_fields(like) {
  const wherry::index_t n = like.n;
  field.reserve(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    field.emplace_back(grid.comm(), wherry::point<3>{n, n, n}, width,
                       wherry::field_options<3>{.order = wherry::fortran_layout<3>(), .pad_rows = !dense, .name = {}});
    with_fields.field[f] = field[f].data();
  }
  with_fields.row = field.front().strides()[1];
  with_fields.plane = field.front().strides()[2];
}

wherry::process_grid grid_of(const problem& p) {
  return wherry::process_grid(
      p.comm, {.periodic = {true, true, true}, .extents = std::vector<int>(p.grid.begin(), p.grid.end())});
}

std::unique_ptr<wherry::halo_exchange> bind_exchange(const wherry::process_grid& grid, our_fields& ours,
                                                     const std::string& transport) {
  wherry::halo_options options;
  options.carry.transport = transport;
  auto& f = ours.field;
  return std::make_unique<wherry::halo_exchange>(grid, options, f[0], f[1], f[2]);
}

std::vector<std::string> transports(const std::string& wanted) {
  std::vector<std::string> all{"auto"}, kept;
  for (const auto* row : wherry::all_transports())
    if (row->name != "reference") all.push_back(row->name);  // the tests' oracle: slow on purpose
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
