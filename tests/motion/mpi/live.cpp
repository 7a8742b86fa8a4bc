#include "motion/mpi/live.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>

#include "wherry/device/device.hpp"

namespace wherry_test {

namespace {

// Only bytes: any operation may work on them.
template <std::size_t Bytes> using element_of = std::array<std::byte, Bytes>;

bool takes_part(const motion_case& what, const entry_case& e, int rank) {
  return what.source.owners[static_cast<std::size_t>(e.from)] == rank ||
         what.destination.owners[static_cast<std::size_t>(e.to)] == rank;
}

std::vector<entry_case> entries_told(const motion_case& what, int rank) {
  auto told = what.entries;
  if (what.own_entries) std::erase_if(told, [&](const entry_case& e) { return !takes_part(what, e, rank); });
  random_numbers order(hash(rank, told.size()));
  if (what.shuffled) order.shuffle(told);
  return told;
}

template <int N> wherry::motion_plan<N> plan_from(const std::vector<entry_case>& entries) {
  wherry::motion_plan<N> plan;
  for (const auto& e : entries) {
    wherry::motion<N> entry{e.from, e.to, box_from<N>(e.source), box_from<N>(e.destination)};
    for (std::size_t d = 0; d < N; ++d) entry.axes[d] = static_cast<std::int8_t>(e.axes[d]);
    plan.add(entry);
  }
  return plan;
}

// Knows the boxes of `rank` and those in `named` only.
template <int N> wherry::floor_plan<N> partial_plan_from(const array_case& a, std::set<int> named, int rank) {
  for (std::size_t i = 0; i < a.boxes.size(); ++i)
    if (a.owners[i] == rank) named.insert(static_cast<int>(i));
  std::vector<wherry::box<N>> boxes;
  wherry::owner_map owners;
  for (const int number : named) {
    boxes.push_back(box_from<N>(a.boxes[static_cast<std::size_t>(number)]));
    owners.push_back(a.owners[static_cast<std::size_t>(number)]);
  }
  return wherry::floor_plan<N>(static_cast<int>(a.boxes.size()), {named.begin(), named.end()}, std::move(boxes),
                               std::move(owners));
}

template <int N> struct floors {
  wherry::floor_plan<N> source, destination;

  floors(const motion_case& what, const std::vector<entry_case>& told, int rank) {
    if (!what.partial_floors) {
      source = floor_plan_from<N>(what.source);
      destination = floor_plan_from<N>(what.destination);
      return;
    }
    std::set<int> from, to;
    for (const auto& e : told) {
      from.insert(e.from);
      to.insert(e.to);
    }
    if (what.endogenous) from.insert(to.begin(), to.end());
    source = partial_plan_from<N>(what.source, from, rank);
    destination = what.endogenous ? source : partial_plan_from<N>(what.destination, to, rank);
  }
};

// Memory of the user's for one grid, and the odd ways in which it may be laid out.
class users_grid {
 public:
  users_grid(const wherry::communicator& comm, const array_case& a, int number, const motion_case& what)
      : cells(a.whole(number)) {
    random_numbers random(hash(a.shape_of_users, number));
    if (cells.size() > 0 && random.chance(40)) {
      const auto d = static_cast<std::size_t>(random.between(0, what.dimensions - 1));
      cells.lower[d] -= random.between(0, 2);
      cells.upper[d] += random.between(0, 2);
    }
    const long end = lay_out(random, what);
    const auto bytes = static_cast<std::size_t>((end + guard) * what.element);
    if (a.where == home::shared) {
      shared_ = wherry::node_memory(comm, bytes);
      memory_ = {shared_.data(), bytes};
    } else {
      heap_.resize(bytes);
      memory_ = heap_;
    }
    if (a.on_device) on_device_ = wherry::detail::allocate_on_device(bytes);
  }

  section cells;
  place strides{};  // elements
  long component_stride = 0;
  long first = guard;  // elements from the start of the memory to cells.lower

  std::span<std::byte> memory() const { return memory_; }
  std::byte* on_device() const { return on_device_.get(); }
  std::byte* home() const { return on_device_ ? on_device_.get() : memory_.data(); }

 private:
  static constexpr long guard = 8;  // elements

  // Gives one past the last element.
  long lay_out(random_numbers& random, const motion_case& what) {
    std::vector<std::size_t> order(static_cast<std::size_t>(what.dimensions));
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    const bool interleaved = random.chance(30);
    long step = interleaved ? what.components : 1;
    for (const auto d : order) {
      const long extent = std::max(1L, cells.extent(d));
      strides[d] = step;
      step *= extent;
      if (random.chance(20)) step += random.between(1, 3);
      if (!random.chance(10)) continue;
      first += (extent - 1) * strides[d];
      strides[d] = -strides[d];
    }
    component_stride = interleaved ? 1 : step;
    return guard + (interleaved ? step : step * what.components);
  }

  std::vector<std::byte> heap_;
  wherry::node_memory shared_;
  std::span<std::byte> memory_;
  std::shared_ptr<std::byte> on_device_;
};

template <class T, int N> class live_array {
 public:
  live_array(const wherry::communicator& comm, const motion_case& what, const array_case& a,
             const wherry::floor_plan<N>& plan, int id)
      : array_(make(comm, what, a, plan)) {
    memory_.id = id;
    memory_.element = what.element;
    memory_.components = what.components;
    for (const auto& [number, cells, values] : array_.blocks()) {
      grid_memory g;
      g.number = number;
      g.whole = a.whole(number);  // the user's grids may be larger: what is beyond must stay as it is
      for (std::size_t d = 0; d < N; ++d) g.strides[d] = values.strides()[d] * what.element;
      g.component_stride = values.component_stride() * what.element;
      if (g.whole.size() > 0) g.first = reinterpret_cast<std::byte*>(&values(box_from<N>(g.whole).lower, 0));
      memory_.grids.push_back(g);
    }
    for (const auto& g : grids_) {
      memory_.pieces.push_back(g.memory());
      if (a.on_device) memory_.on_device.push_back(g.on_device());
    }
    if (a.where == home::library) {
      auto* const first = static_cast<std::byte*>(array_.memory().front());
      const auto bytes = static_cast<std::size_t>(array_.shape().bytes.front());
      image_.resize(a.on_device ? bytes : 0);
      memory_.pieces.push_back({a.on_device ? image_.data() : first, bytes});
      if (a.on_device) memory_.on_device.push_back(first);
    }
    if (a.on_device)
      for (auto& g : memory_.grids) g.first = on_host(g.first);
  }

  wherry::x_array<T, N>& array() { return array_; }
  const array_memory& memory() const { return memory_; }

 private:
  std::byte* on_host(std::byte* place) const {
    for (std::size_t i = 0; i < memory_.pieces.size(); ++i) {
      const auto offset = place - memory_.on_device[i];
      if (offset >= 0 && offset < std::ssize(memory_.pieces[i])) return memory_.pieces[i].data() + offset;
    }
    return nullptr;  // an empty grid
  }

  wherry::x_array<T, N> make(const wherry::communicator& comm, const motion_case& what, const array_case& a,
                             const wherry::floor_plan<N>& plan) {
    wherry::x_array_options<N> how{.ghost_width = 0, .components = what.components, .pad_rows = a.pad_rows};
    for (std::size_t d = 0; d < N; ++d) {
      how.ghost_width.minus[d] = a.minus[d];
      how.ghost_width.plus[d] = a.plus[d];
      how.layout.place[d] = a.order[d];
    }
    if (a.on_device) how.space = wherry::memory_space::device;
    if (a.where == home::library) return {comm, plan, how};
    std::vector<wherry::grid_view<T, N>> views;
    for (const int number : plan.owned_by(comm.rank())) {
      const auto& g = grids_.emplace_back(comm, a, number, what);
      wherry::point<N> strides;
      for (std::size_t d = 0; d < N; ++d) strides[d] = g.strides[d];
      views.emplace_back(reinterpret_cast<T*>(g.home()) + g.first, box_from<N>(g.cells), strides, what.components,
                         g.component_stride);
    }
    return {comm, plan, std::move(views), how};
  }

  std::vector<users_grid> grids_;
  std::vector<std::byte> image_;
  wherry::x_array<T, N> array_;
  array_memory memory_;
};

template <class T, int N> struct all_arrays {
  using array = std::shared_ptr<live_array<T, N>>;
  array source, destination, other_source, other_destination;

  all_arrays(const motion_case& what, const wherry::communicator& comm, const floors<N>& plans) {
    const auto make = [&](const array_case& a, const wherry::floor_plan<N>& plan, int id) {
      return std::make_shared<live_array<T, N>>(comm, what, a, plan, id);
    };
    source = make(what.source, plans.source, 0);
    other_source = make(what.source, plans.source, 1);
    destination = what.endogenous ? source : make(what.destination, plans.destination, 2);
    other_destination = what.endogenous ? other_source : make(what.destination, plans.destination, 3);
  }
};

template <class T, int N>
live_motion bind_as(const motion_case& what, const wherry::communicator& comm,
                    const std::optional<wherry::reduction>& update) {
  const auto told = entries_told(what, comm.rank());
  const floors<N> plans(what, told, comm.rank());
  const auto all = std::make_shared<all_arrays<T, N>>(what, comm, plans);
  live_motion live;
  live.arrays = all;
  live.source = all->source->memory();
  live.destination = all->destination->memory();
  live.other_source = all->other_source->memory();
  live.other_destination = all->other_destination->memory();
  wherry::mover_options how;
  how.carry.transport = what.transport;
  how.carry.progress_thread = what.proxy;
  how.update = update;
  how.in_parts = what.in_parts;
  live.mover =
      std::make_shared<wherry::mover>(plan_from<N>(told), all->source->array(), all->destination->array(), how);
  live.start = [all = all.get(), mover = live.mover.get()](bool others) {
    others ? mover->start(all->other_source->array(), all->other_destination->array())
           : mover->start(all->source->array(), all->destination->array());
  };
  live.start_in_parts = [all = all.get(), mover = live.mover.get()](bool others) {
    others ? mover->start_in_parts(all->other_source->array(), all->other_destination->array())
           : mover->start_in_parts(all->source->array(), all->destination->array());
  };
  return live;
}

template <int N, int... Bytes>
live_motion bind_in(const motion_case& what, const wherry::communicator& comm,
                    const std::optional<wherry::reduction>& update) {
  std::optional<live_motion> bound;
  ((what.element == Bytes ? void(bound = bind_as<element_of<Bytes>, N>(what, comm, update)) : void()), ...);
  return std::move(bound.value());
}

}  // namespace

live_motion bind(const motion_case& what, const wherry::communicator& comm,
                 const std::optional<wherry::reduction>& update) {
  // As element_sizes says.
  constexpr std::array in_dimensions{bind_in<1, 1, 4, 24, 64>, bind_in<2, 1, 3, 8, 16>, bind_in<3, 1, 8, 12, 64>,
                                     bind_in<4, 4, 16>,        bind_in<5, 3, 8>,        bind_in<6, 1, 24>};
  return in_dimensions[static_cast<std::size_t>(what.dimensions - 1)](what, comm, update);
}

}  // namespace wherry_test
