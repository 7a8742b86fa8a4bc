#include "halo/mpi/oracle.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <sstream>

#include "wherry/core/node_arena.hpp"
#include "wherry/device/device.hpp"
#include "wherry/motion/decompose.hpp"

#include "harness/harness.hpp"

namespace wherry_test {

namespace {

constexpr long guard = 64;  // bytes on both sides of an array that nobody may write

std::byte background(std::size_t field, int subdomain, int round, long address) {
  return static_cast<std::byte>(hash(77, field, subdomain, round, address) >> 40);
}

}  // namespace

std::byte value_of(std::size_t field, const cell& global, int round, long byte) {
  return static_cast<std::byte>(hash(field, global[0], global[1], global[2], global[3], round, byte / 8) >>
                                (byte % 8 * 8));
}

checked_field::checked_field(const halo_case& what, std::size_t field, int subdomain, const wherry::communicator& comm)
    : what_(what), field_(field), subdomain_(subdomain), rank_(comm.rank()), place_(what.fields[field].place) {
  const auto& f = what.fields[field];
  const auto dimensions = static_cast<std::size_t>(what.dimensions);
  const auto at = what.coordinates(subdomain);
  if (f.layout_by_rank && rank_ % 2 == 1)
    for (std::size_t a = 0; a < dimensions; ++a) place_[a] = what.dimensions - 1 - place_[a];
  core_.fill(1);
  length_.fill(1);
  for (std::size_t a = 0; a < dimensions; ++a) {
    const auto& sizes = f.sizes[a];
    core_[a] = sizes[static_cast<std::size_t>(at[a])];
    first_[a] = std::accumulate(sizes.begin(), sizes.begin() + at[a], 0L);
    whole_[a] = std::accumulate(sizes.begin(), sizes.end(), 0L);
  }
  if (f.bare_where_empty && std::find(core_.begin(), core_.end(), 0) != core_.end())
    std::fill_n(core_.begin(), dimensions, 0);
  for (std::size_t a = 0; a < dimensions; ++a)
    length_[a] = f.before[a] + f.minus[a] + core_[a] + f.plus[a] + f.behind[a];
  long next = f.element, lowest = 0;
  for (int place = 0; place < what.dimensions; ++place)
    for (std::size_t a = 0; a < dimensions; ++a) {
      if (place_[a] != place) continue;
      stride_[a] = next;
      next *= length_[a] + (place == 0 ? f.gap : 0);
      if (f.backwards[a] && length_[a] > 0) {
        lowest += stride_[a] * (length_[a] - 1);
        stride_[a] = -stride_[a];
      }
    }
  origin_ = guard + lowest;
  bytes_ = next + 2 * guard;
  if (f.on_device) {
    on_device_ = wherry::detail::allocate_on_device(static_cast<std::size_t>(bytes_));
    space_ = wherry::memory_space::device;
  }
  auto* arena = f.shared && !f.on_device ? comm.arena() : nullptr;
  if (arena != nullptr) {
    memory_ = {static_cast<std::byte*>(arena->allocate(static_cast<std::size_t>(bytes_))),
               [comm](std::byte* memory) { comm.arena()->deallocate(memory); }};
    space_ = wherry::memory_space::node_shared;
  } else {
    memory_ = {new std::byte[static_cast<std::size_t>(bytes_)], std::default_delete<std::byte[]>()};
  }
  expected_.resize(static_cast<std::size_t>(bytes_));
}

void checked_field::to_device() const {
  if (on_device_) wherry::copy_on_device(on_device_.get(), memory_.get(), static_cast<std::size_t>(bytes_));
}

void checked_field::from_device() const {
  if (on_device_) wherry::copy_on_device(memory_.get(), on_device_.get(), static_cast<std::size_t>(bytes_));
}

wherry::halo_field checked_field::description() const {
  const auto& f = what_.fields[field_];
  wherry::halo_field result;
  result.name = "field" + std::to_string(field_);
  result.data = data();
  result.element = f.element;
  result.dimensions = what_.dimensions;
  result.space = space_;
  for (std::size_t a = 0; a < static_cast<std::size_t>(what_.dimensions); ++a) {
    const long begin = f.before[a] + f.minus[a];
    result.halo[a] = {f.minus[a], f.plus[a], begin, begin + core_[a] - 1, length_[a]};
    result.stride[a] = stride_[a];
  }
  return result;
}

void checked_field::for_each_cell(const std::function<void(const cell&, long)>& visit) const {
  cell i{};
  for (i[3] = 0; i[3] < length_[3]; ++i[3])
    for (i[2] = 0; i[2] < length_[2]; ++i[2])
      for (i[1] = 0; i[1] < length_[1]; ++i[1])
        for (i[0] = 0; i[0] < length_[0]; ++i[0])
          visit(i, i[0] * stride_[0] + i[1] * stride_[1] + i[2] * stride_[2] + i[3] * stride_[3]);
}

// Which global cell an array's cell stands for, if any.
checked_field::role checked_field::classify(const cell& place, cell& global) const {
  const auto& f = what_.fields[field_];
  global.fill(0);
  std::array<int, most_dimensions> direction{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(what_.dimensions); ++a) {
    if (core_[a] == 0) return role::untouched;
    const long here = place[a] - f.before[a] - f.minus[a];  // 0 is the first core cell
    if (here < -f.minus[a] || here >= core_[a] + f.plus[a]) return role::untouched;
    direction[a] = here < 0 ? -1 : here >= core_[a] ? 1 : 0;
    long where = first_[a] + here;
    if (where < 0 || where >= whole_[a]) {
      if (!what_.periodic[a]) return role::untouched;
      where = (where % whole_[a] + whole_[a]) % whole_[a];
    }
    global[a] = where;
  }
  if (direction == std::array<int, most_dimensions>{}) return role::core;
  const auto& read = what_.stencil;
  return std::find(read.begin(), read.end(), direction) != read.end() ? role::halo : role::untouched;
}

void checked_field::for_each_halo_cell(const std::function<void(const cell&, long, const cell&)>& visit) const {
  for_each_cell([&](const cell& place, long offset) {
    cell global;
    if (classify(place, global) == role::halo) visit(place, offset, global);
  });
}

void checked_field::for_each_core_cell(const std::function<void(const cell&, long, const cell&)>& visit) const {
  for_each_cell([&](const cell& place, long offset) {
    cell global;
    if (classify(place, global) == role::core) visit(place, offset, global);
  });
}

void checked_field::overwrite(int round) {
  for (long i = 0; i < bytes_; ++i)
    memory_.get()[i] = expected_[static_cast<std::size_t>(i)] = background(field_, subdomain_, round, i);
}

void checked_field::fill(int round) {
  overwrite(round);
  for_each_core_cell([&](const cell&, long offset, const cell& global) {
    for (long b = 0; b < what_.fields[field_].element; ++b)
      *at(offset + b) = *expected_at(offset + b) = value_of(field_, global, round, b);
  });
}

void checked_field::expect_halo(int round) {
  for_each_halo_cell([&](const cell&, long offset, const cell& global) {
    for (long b = 0; b < what_.fields[field_].element; ++b)
      *expected_at(offset + b) = value_of(field_, global, round, b);
  });
}

std::optional<std::string> checked_field::difference() const {
  const auto size = static_cast<std::size_t>(bytes_);
  from_device();
  if (std::memcmp(memory_.get(), expected_.data(), size) == 0) return std::nullopt;
  long first = 0, count = 0;
  for (long i = bytes_; i-- > 0;)
    if (memory_.get()[i] != expected_[static_cast<std::size_t>(i)]) first = i, ++count;
  std::ostringstream out;
  out << "field " << field_ << " on subdomain " << subdomain_ << ": " << count << " wrong bytes; the first is "
      << describe(first - origin_) << ": is " << static_cast<int>(memory_.get()[first]) << ", must be "
      << static_cast<int>(expected_[static_cast<std::size_t>(first)]);
  return std::move(out).str();
}

std::string checked_field::describe(long byte) const {
  std::string found = "byte " + std::to_string(byte) + " in no cell of the array";
  for_each_cell([&](const cell& place, long offset) {
    if (byte < offset || byte >= offset + what_.fields[field_].element) return;
    cell global;
    const auto kind = classify(place, global);
    std::ostringstream out;
    out << (kind == role::core ? "core" : kind == role::halo ? "halo" : "untouched") << " cell";
    for (int a = 0; a < what_.dimensions; ++a) out << ' ' << place[static_cast<std::size_t>(a)];
    out << " (global";
    for (int a = 0; a < what_.dimensions; ++a) out << ' ' << global[static_cast<std::size_t>(a)];
    out << ')';
    found = std::move(out).str();
  });
  return found;
}

checked_fields::checked_fields(const halo_case& what, const wherry::communicator& comm) : what_(what) {
  for (const int subdomain : what.owned_by(comm.rank())) {
    auto& list = fields_.emplace_back();
    for (std::size_t f = 0; f < what.fields.size(); ++f) list.emplace_back(what, f, subdomain, comm);
  }
}

std::vector<std::vector<wherry::halo_field>> checked_fields::descriptions() const {
  std::vector<std::vector<wherry::halo_field>> result;
  for (const auto& list : fields_) {
    auto& described = result.emplace_back();
    for (const auto& f : list) described.push_back(f.description());
  }
  return result;
}

std::vector<void*> checked_fields::table() const {
  static std::byte nothing{};
  std::vector<void*> result;
  if (fields_.empty() && what_.on_grid) result.assign(what_.fields.size(), &nothing);
  for (const auto& list : fields_)
    for (const auto& f : list) result.push_back(f.data());
  return result;
}

void checked_fields::each(const std::function<void(checked_field&)>& act) {
  for (auto& list : fields_)
    for (auto& f : list) {
      f.from_device();
      act(f);
      f.to_device();
    }
}

bool checked_fields::check(const std::string& title) const {
  for (const auto& list : fields_)
    for (const auto& f : list)
      if (const auto problem = f.difference()) return FAIL(title + ": " + *problem + "\n    " + what_.text());
  return pass();
}

namespace {

template <int N>
wherry::halo_exchange bind_on_floor(const halo_case& what, const wherry::communicator& comm,
                                    const checked_fields& fields) {
  wherry::block_cuts<N> cuts;
  wherry::domain<N> space;
  for (std::size_t a = 0; a < N; ++a) {
    cuts[a] = {0};
    for (const long size : what.fields.front().sizes[a]) cuts[a].push_back(cuts[a].back() + size);
    space.cells.upper[a] = cuts[a].back();
    space.periodic[a] = what.periodic[a];
  }
  return {comm, wherry::cut_blocks<N>(cuts, what.owners), space, what.options, fields.descriptions()};
}

}  // namespace

wherry::halo_exchange bind(const halo_case& what, MPI_Comm comm, const checked_fields& fields) {
  const wherry::communicator ours(comm);
  if (!what.on_grid) {
    constexpr std::array on_floor{bind_on_floor<1>, bind_on_floor<2>, bind_on_floor<3>, bind_on_floor<4>};
    return on_floor[static_cast<std::size_t>(what.dimensions - 1)](what, ours, fields);
  }
  const wherry::process_grid grid(comm, what.grid);
  auto described = fields.descriptions();
  if (described.empty()) {
    auto& list = described.emplace_back();
    for (const auto& f : what.fields) {
      list.push_back({.name = "",
                      .data = nullptr,
                      .element = f.element,
                      .dimensions = what.dimensions,
                      .space = f.on_device ? wherry::memory_space::device : wherry::memory_space::host});
    }
  }
  return {grid, what.options, described.front()};
}

}  // namespace wherry_test
