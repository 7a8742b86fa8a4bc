// MPI's derived datatypes, straight from the populations into the halo: along x, then y, then z, so that data for edges
// and corners is forwarded and six messages are enough, as in Ludwig.
#include <memory>
#include <utility>

#include "halo.hpp"

namespace lattice_boltzmann {
namespace {

// begin: what a user writes
/// A committed datatype of these populations of these cells, relative to population 0 of cell (0, 0, 0).
class cells_type {
 public:
  cells_type(const populations& f, const range3& cells, const std::vector<int>& which) {
    std::vector<MPI_Aint> places;
    for (const int q : which)
      places.push_back(bytes(f.at(q, cells.lower[0], cells.lower[1], cells.lower[2]) - f.first));
    const auto take_populations = [&](MPI_Datatype inner, MPI_Datatype* outer) {
      MPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), inner, outer);
    };
    if (f.q == 1) nest(take_populations);  // the populations of a cell are adjacent
    for (int d = 0; d < 3; ++d)
      nest([&](MPI_Datatype inner, MPI_Datatype* outer) {
        MPI_Type_create_hvector(static_cast<int>(cells.upper[d] - cells.lower[d]), 1, bytes(f.stride[d]), inner, outer);
      });
    if (f.q != 1) nest(take_populations);
    MPI_Type_commit(&type_);
  }
  cells_type(cells_type&& other) noexcept : type_(std::exchange(other.type_, MPI_DOUBLE)) {}
  cells_type& operator=(cells_type&&) = delete;
  ~cells_type() { free(); }
  MPI_Datatype get() const { return type_; }

 private:
  static MPI_Aint bytes(std::ptrdiff_t doubles) { return doubles * static_cast<MPI_Aint>(sizeof(double)); }
  template <class Make> void nest(Make make) {
    MPI_Datatype outer = MPI_DATATYPE_NULL;
    make(type_, &outer);
    free();
    type_ = outer;
  }
  void free() {
    if (type_ != MPI_DOUBLE) MPI_Type_free(&type_);
  }
  MPI_Datatype type_ = MPI_DOUBLE;
};
// end

class datatype_halo : public halo {
 public:
  explicit datatype_halo(const halo_parts& parts)
      : comm_(parts.mine.comm), firsts_{parts.arrays[0].origin(), parts.arrays[1].origin()} {
    add_axes(parts, populations_of(parts.arrays[0]));
  }

  std::string carrier() const override { return "MPI datatypes"; }

  // begin: what a user writes
  void start(int which) override {
    waiting([&] { send_along(0, which); });
  }

  void wait(int which) override {
    waiting([&] {
      for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE);
        send_along(axis + 1, which);
      }
    });
  }

 private:
  struct side {
    int peer;
    cells_type leaves, arrives;
  };

  void send_along(std::size_t axis, int which) {
    if (axis >= axes_.size()) return;
    double* const first = firsts_[which];
    for (int s = 0; s < 2; ++s) {
      const auto& one = axes_[axis][static_cast<std::size_t>(s)];
      MPI_Irecv(first, 1, one.arrives.get(), one.peer, 1 - s, comm_, &requests_[s]);
      MPI_Isend(first, 1, one.leaves.get(), one.peer, s, comm_, &requests_[2 + s]);
    }
  }

  void add_axes(const halo_parts& parts, const populations& f) {
    const auto& mine = parts.mine;
    range3 cells = mine.cells();
    for (std::size_t d = 0; d < 3; ++d) {
      if (!mine.cut[d]) continue;
      auto& sides = axes_.emplace_back();
      for (const int way : {-1, 1}) {
        direction3 to{}, from{};
        to[d] = way;
        from[d] = -way;
        range3 leaves = cells, arrives = cells;
        leaves.lower[d] = way < 0 ? 0 : mine.extent[d] - 1;
        leaves.upper[d] = leaves.lower[d] + 1;
        arrives.lower[d] = way < 0 ? -1 : mine.extent[d];
        arrives.upper[d] = arrives.lower[d] + 1;
        sides.push_back({mine.neighbour(to),
                         {f, leaves, populations_towards(parts.lattice, to, parts.kind)},
                         {f, arrives, populations_towards(parts.lattice, from, parts.kind)}});
      }
      cells.lower[d] -= 1;  // later axes forward the cells that came along this one
      cells.upper[d] += 1;
    }
  }

  MPI_Comm comm_;
  double* firsts_[2];
  std::vector<std::vector<side>> axes_;
  MPI_Request requests_[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  // end
};

}  // namespace

std::unique_ptr<halo> make_datatype_halo(const halo_parts& parts) { return std::make_unique<datatype_halo>(parts); }

}  // namespace lattice_boltzmann
