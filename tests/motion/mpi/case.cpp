#include "motion/mpi/case.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "wherry/device/device.hpp"

namespace wherry_test {

long section::size() const {
  long count = 1;
  for (std::size_t d = 0; d < lower.size(); ++d) count *= extent(d);
  return count;
}

bool section::contains(const place& p) const {
  for (std::size_t d = 0; d < lower.size(); ++d)
    if (p[d] < lower[d] || p[d] >= upper[d]) return false;
  return true;
}

section array_case::whole(int number) const {
  section s = boxes[static_cast<std::size_t>(number)];
  if (s.size() == 0) return s;
  for (std::size_t d = 0; d < s.lower.size(); ++d) {
    s.lower[d] -= minus[d];
    s.upper[d] += plus[d];
  }
  return s;
}

void append_moves(const entry_case& e, std::vector<cell_move>& moves) {
  bool same_shape = true;
  for (std::size_t d = 0; d < e.axes.size(); ++d)
    same_shape = same_shape && e.destination.extent(d) == e.source.extent(static_cast<std::size_t>(e.axes[d]));
  std::vector<place> sources, destinations;
  for_each_place(e.destination, [&](const place& q) { destinations.push_back(q); });
  if (same_shape) {
    for (const place& q : destinations) {
      place p{};
      for (std::size_t d = 0; d < p.size(); ++d) {
        const auto along = static_cast<std::size_t>(e.axes[d]);
        p[along] = e.source.lower[along] + q[d] - e.destination.lower[d];
      }
      sources.push_back(p);
    }
  } else {
    for_each_place(e.source, [&](const place& p) { sources.push_back(p); });
  }
  for (std::size_t i = 0; i < destinations.size(); ++i) moves.push_back({e.from, sources[i], e.to, destinations[i]});
}

namespace {

std::ostream& operator<<(std::ostream& out, const section& s) {
  for (std::size_t d = 0; d < s.lower.size(); ++d)
    if (s.lower[d] != 0 || s.upper[d] != 1 || d == 0) out << (d ? "," : "[") << s.lower[d] << ':' << s.upper[d];
  return out << ']';
}

void print(std::ostream& out, const char* name, const array_case& a, int dimensions) {
  out << "\n      " << name << ": order";
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) out << ' ' << a.order[d];
  out << ", ghosts";
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) out << ' ' << a.minus[d] << '+' << a.plus[d];
  out << (a.where == home::library ? ""
          : a.where == home::heap  ? ", on the heap"
                                   : ", in shared memory")
      << (a.pad_rows ? ", padded" : "") << ';';
  for (std::size_t i = 0; i < a.boxes.size(); ++i) out << " rank " << a.owners[i] << ' ' << a.boxes[i];
}

}  // namespace

std::string motion_case::text() const {
  std::ostringstream out;
  out << dimensions << "-D, " << components << " × " << element << " B" << (endogenous ? ", endogenous" : "")
      << (own_entries ? ", own entries" : "") << (shuffled ? ", shuffled" : "")
      << (partial_floors ? ", partial floor plans" : "");
  print(out, "source", source, dimensions);
  if (!endogenous) print(out, "destination", destination, dimensions);
  for (const auto& e : entries) {
    out << "\n      " << e.from << ' ' << e.source << " → " << e.to << ' ' << e.destination;
    if (!std::is_sorted(e.axes.begin(), e.axes.end())) {
      out << " axes";
      for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) out << ' ' << e.axes[d];
    }
  }
  return std::move(out).str();
}

std::vector<int> random_owners(random_numbers& random, int ranks, std::size_t boxes) {
  std::vector<int> owners(boxes);
  const int kind = random.between(1, 10);
  const int only = random.between(0, ranks - 1), some = random.between(1, ranks);
  for (std::size_t i = 0; i < boxes; ++i)
    owners[i] = kind == 1   ? only                                          // all on one rank
                : kind <= 4 ? (only + random.between(0, some - 1)) % ranks  // ranks without boxes
                : kind <= 6 ? static_cast<int>(i) % ranks
                            : random.between(0, ranks - 1);
  return owners;
}

void choose_storage(array_case& a, random_numbers& random, int dimensions) {
  std::vector<int> order(static_cast<std::size_t>(dimensions));
  std::iota(order.begin(), order.end(), 0);
  if (random.chance(80)) random.shuffle(order);
  std::copy(order.begin(), order.end(), a.order.begin());
  a.pad_rows = random.chance(50);
  a.on_device = wherry::device_in_use() != nullptr && random.chance(80);
  a.where = random.chance(60) ? home::library : random.chance(50) ? home::heap : home::shared;
  a.shape_of_users = random.next();
}

void choose_carrying(motion_case& c, random_numbers& random) {
  c.own_entries = random.chance(60);
  c.shuffled = random.chance(50);
  c.partial_floors = c.own_entries && random.chance(40);
}

namespace {

// Extents of sections and boxes, so that a grid has some hundred cells at most.
int widest(int dimensions) { return std::array{0, 40, 12, 6, 4, 3, 2}[static_cast<std::size_t>(dimensions)]; }

section random_box(random_numbers& random, int dimensions) {
  section s;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    s.lower[d] = random.between(-6, 6);
    s.upper[d] = s.lower[d] + random.between(1, widest(dimensions));
  }
  if (random.chance(8)) {
    const auto d = static_cast<std::size_t>(random.between(0, dimensions - 1));
    s.upper[d] = s.lower[d] - random.between(0, 2);
  }
  return s;
}

array_case random_array(random_numbers& random, int ranks, int dimensions) {
  array_case a;
  const int boxes = random.chance(10) ? random.between(20, 40) : random.between(1, 2 * std::min(ranks, 16) + 2);
  for (int i = 0; i < boxes; ++i) a.boxes.push_back(random_box(random, dimensions));
  a.owners = random_owners(random, ranks, a.boxes.size());
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    // A few dimensions of many: the cells grow with their product.
    if (!random.chance(dimensions <= 3 ? 60 : 15)) continue;
    a.minus[d] = random.between(0, 2);
    a.plus[d] = random.between(0, 2);
  }
  choose_storage(a, random, dimensions);
  return a;
}

// `count` as a product of extents that fit into `room`, or nothing.
bool random_extents(random_numbers& random, long count, const section& room, place& extents, int dimensions) {
  extents.fill(1);
  for (long factor = 2; count > 1; ++factor)
    while (count % factor == 0) {
      extents[static_cast<std::size_t>(random.between(0, dimensions - 1))] *= factor;
      count /= factor;
    }
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (extents[d] > room.extent(d)) return false;
  return true;
}

section random_section(random_numbers& random, const section& room, const place& extents) {
  section s;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    s.lower[d] = room.lower[d] + random.between(0, static_cast<int>(room.extent(d) - extents[d]));
    s.upper[d] = s.lower[d] + extents[d];
  }
  return s;
}

class entry_maker {
 public:
  entry_maker(motion_case& c, random_numbers& random, const motion_limits& limits)
      : c_(c), random_(random), limits_(limits) {}

  void add_some() {
    const int wanted = random_.between(0, 24 + 2 * static_cast<int>(c_.destination.boxes.size()));
    for (int i = 0; i < wanted; ++i) {
      entry_case e;
      if (choose(e) && is_new(e)) c_.entries.push_back(e);
    }
  }

 private:
  std::size_t dimensions() const { return static_cast<std::size_t>(c_.dimensions); }

  bool choose(entry_case& e) {
    e.from = random_.between(0, static_cast<int>(c_.source.boxes.size()) - 1);
    e.to = random_.between(0, static_cast<int>(c_.destination.boxes.size()) - 1);
    const auto here = c_.source.whole(e.from), there = c_.destination.whole(e.to);
    if (here.size() == 0 || there.size() == 0) return false;
    if (random_.chance(4)) return choose_empty(e, here, there);
    if (random_.chance(25)) return choose_shapes(e, here, there);
    if (random_.chance(40)) {
      for (std::size_t i = dimensions(); i > 1; --i)
        std::swap(e.axes[i - 1], e.axes[static_cast<std::size_t>(random_.between(0, static_cast<int>(i) - 1))]);
    }
    place source_extents, extents;
    source_extents.fill(1);
    extents.fill(1);
    const bool large = random_.chance(30);
    for (std::size_t d = 0; d < dimensions(); ++d) {
      const auto along = static_cast<std::size_t>(e.axes[d]);
      const int most = static_cast<int>(std::min(there.extent(d), here.extent(along)));
      extents[d] = source_extents[along] = large ? most : random_.between(1, most);
    }
    e.source = random_section(random_, here, source_extents);
    e.destination = random_section(random_, there, extents);
    return true;
  }

  // Nothing moves, and the two sections need not look alike.
  bool choose_empty(entry_case& e, const section& here, const section& there) {
    e.source = here;
    e.destination = there;
    e.source.upper[0] = e.source.lower[0];
    const auto last = dimensions() - 1;
    e.destination.lower[last] = e.destination.upper[last] + 3;
    return true;
  }

  // Sections of as many points, in shapes that have nothing to do with one another.
  bool choose_shapes(entry_case& e, const section& here, const section& there) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const long count = random_.between(1, static_cast<int>(std::min({here.size(), there.size(), 48L})));
      place first, second;
      if (!random_extents(random_, count, here, first, c_.dimensions) ||
          !random_extents(random_, count, there, second, c_.dimensions))
        continue;
      e.source = random_section(random_, here, first);
      e.destination = random_section(random_, there, second);
      return true;
    }
    return false;
  }

  // No cell is written twice, none is both read and written.
  bool is_new(const entry_case& e) {
    std::vector<cell_move> moves;
    append_moves(e, moves);
    for (const auto& m : moves) {
      if (!limits_.overlapping_destinations && written_.contains({m.to, m.destination})) return false;
      if (c_.endogenous && (written_.contains({m.from, m.source}) || read_.contains({m.to, m.destination})))
        return false;
    }
    if (c_.endogenous)  // within the entry itself
      for (const auto& m : moves)
        if (e.from == e.to && e.destination.contains(m.source)) return false;
    for (const auto& m : moves) {
      read_.insert({m.from, m.source});
      written_.insert({m.to, m.destination});
      c_.moves.push_back(m);
    }
    return true;
  }

  using cell_of_box = std::pair<int, place>;
  motion_case& c_;
  random_numbers& random_;
  const motion_limits& limits_;
  std::set<cell_of_box> read_, written_;
};

}  // namespace

std::vector<int> element_sizes(int dimensions, int part) {
  const std::array<std::vector<int>, most_block_dimensions> sizes{
      {{1, 4, 24, 64}, {1, 3, 8, 16}, {1, 8, 12, 64}, {4, 16}, {3, 8}, {1, 24}}};
  auto result = sizes[static_cast<std::size_t>(dimensions - 1)];
  std::erase_if(result, [part](int size) { return size % part != 0; });
  return result;
}

motion_case random_motion_case(random_numbers& random, int ranks, const motion_limits& limits) {
  motion_case c;
  c.dimensions = random.between(1, limits.dimensions);
  c.components = random.between(1, 3);
  c.element = random.one_of(element_sizes(c.dimensions, limits.part));
  c.source = random_array(random, ranks, c.dimensions);
  c.endogenous = random.chance(35);
  c.destination = c.endogenous ? c.source : random_array(random, ranks, c.dimensions);
  choose_carrying(c, random);
  entry_maker(c, random, limits).add_some();
  return c;
}

}  // namespace wherry_test
