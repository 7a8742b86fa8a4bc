// Halos sent back and combined, against a serial reference that goes through all subdomains of the domain.
#include <cstring>
#include <map>

#include "wherry/transport/transport.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// What stands in one array cell at first; small whole numbers, exact in any type and any order.
template <class T> T number_at(std::size_t field, int subdomain, const cell& index, long part) {
  return static_cast<T>(hash(field, subdomain, index[0], index[1], index[2], index[3], part) % 50);
}

template <class T> struct accumulation {
  halo_case what;
  std::function<T(T, T)> combine;

  long parts() const { return what.fields.front().element / static_cast<long>(sizeof(T)); }

  // All that is combined into each global cell of a field, from everywhere.
  std::map<cell, std::vector<T>> contributions(std::size_t field, const wherry::communicator& comm) const {
    std::map<cell, std::vector<T>> result;
    for (int s = 0; s < what.subdomains(); ++s)
      checked_field(what, field, s, comm).for_each_halo_cell([&](const cell& index, long, const cell& global) {
        for (long part = 0; part < parts(); ++part) result[global].push_back(number_at<T>(field, s, index, part));
      });
    return result;
  }

  void prepare(checked_field& f, std::size_t field, int subdomain, const wherry::communicator& comm) const {
    f.overwrite(1);
    const auto put = [&](const cell& index, long offset, const cell&) {
      for (long part = 0; part < parts(); ++part) {
        const T value = number_at<T>(field, subdomain, index, part);
        std::memcpy(f.at(offset + part * static_cast<long>(sizeof(T))), &value, sizeof(T));
        std::memcpy(f.expected_at(offset + part * static_cast<long>(sizeof(T))), &value, sizeof(T));
      }
    };
    f.for_each_core_cell(put);
    f.for_each_halo_cell(put);
    const auto added = contributions(field, comm);
    f.for_each_core_cell([&](const cell& index, long offset, const cell& global) {
      const auto found = added.find(global);
      if (found == added.end()) return;
      for (long part = 0; part < parts(); ++part) {
        T value = number_at<T>(field, subdomain, index, part);
        for (std::size_t i = static_cast<std::size_t>(part); i < found->second.size();
             i += static_cast<std::size_t>(parts()))
          value = combine(value, found->second[i]);
        std::memcpy(f.expected_at(offset + part * static_cast<long>(sizeof(T))), &value, sizeof(T));
      }
    });
  }
};

template <class T>
void accumulate(random_case& now, const context& test, MPI_Comm comm, const wherry::reduction& operation,
                std::function<T(T, T)> combine) {
  auto what = random_halo_case(now.random, test.size, {.dimensions = 3, .fields = 2, .cells = 300});
  const long parts = now.random.between(1, 3);
  for (auto& f : what.fields) f.element = parts * static_cast<long>(sizeof(T)), f.layout_by_rank = false;
  what.options.accumulate = operation;
  const auto names = usable_transports(comm);
  what.options.carry.transport = names[static_cast<std::size_t>(now.number) % names.size()];
  const accumulation<T> job{what, std::move(combine)};
  log(now.title + ", " + operation.name + ", " + what.options.carry.transport + ": " + what.text());

  const wherry::communicator ours(comm);
  checked_fields fields(job.what, ours);
  auto exchange = bind(job.what, comm, fields);
  for (int round = 0; round < 2; ++round) {
    std::size_t i = 0;
    const auto mine = what.owned_by(ours.rank());
    fields.each([&](checked_field& f) {
      job.prepare(f, i % what.fields.size(), mine[i / what.fields.size()], ours);
      ++i;
    });
    exchange();
    fields.check(now.title + ", " + operation.name + ", " + exchange.bound().transport());
  }
}

}  // namespace

WHERRY_TEST(accumulated_halos, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    const MPI_Comm comm = comms.pick(now.random);
    switch (now.random.between(0, 4)) {
      case 0:
        return accumulate<std::int64_t>(now, test, comm, wherry::add<std::int64_t>(), std::plus<>());
      case 1:
        return accumulate<double>(now, test, comm, wherry::add<double>(), std::plus<>());
      case 2:
        return accumulate<std::int32_t>(now, test, comm, wherry::minimum<std::int32_t>(),
                                        [](auto a, auto b) { return a < b ? a : b; });
      case 3:
        return accumulate<float>(now, test, comm, wherry::maximum<float>(),
                                 [](auto a, auto b) { return a > b ? a : b; });
      default:
        return accumulate<std::uint8_t>(now, test, comm, wherry::add<std::uint8_t>(),
                                        [](auto a, auto b) { return static_cast<std::uint8_t>(a + b); });
    }
  });
}

namespace {

// Values whose sum depends on the order in which they are added.
void fill_with_rounding(wherry::field<double, 2>& u, int rank) {
  wherry::for_each_point(u.whole(), [&](const wherry::point<2>& p) {
    const auto h = hash(rank, p[0], p[1]);
    u[p] = static_cast<double>(h % 1000003) * (h & 1 ? 1e-9 : 1e7);
  });
}

}  // namespace

// Sums of floats are the same bits every time, and under every transport.
WHERRY_TEST(accumulated_floats_are_reproducible, ranks(1, 2, 4, 6)) {
  const node_communicators comms(test.comm);
  std::vector<double> first;
  for (const auto& name : usable_transports(comms.all())) {
    const wherry::process_grid grid(comms.all(), {.periodic = {true, true}});
    wherry::halo_options options;
    options.accumulate = wherry::add<double>();
    options.carry.transport = name;
    wherry::field<double, 2> u(grid.comm(), {5, 4}, 2);
    wherry::halo_exchange exchange(grid, options, u);
    for (int round = 0; round < 3; ++round) {
      fill_with_rounding(u, test.rank);
      if (round == test.rank) MPI_Barrier(MPI_COMM_SELF);
      exchange();
      std::vector<double> now;
      wherry::for_each_point(u.core(), [&](const wherry::point<2>& p) { now.push_back(u[p]); });
      if (first.empty()) first = now;
      if (std::memcmp(first.data(), now.data(), now.size() * sizeof(double)) != 0)
        FAIL(name + ", round " + std::to_string(round) + ": other bits than " + usable_transports(comms.all()).front());
    }
  }
}
