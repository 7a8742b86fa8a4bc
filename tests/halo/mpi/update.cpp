// What arrives combined with what is there, halos sent back, and both, against a serial reference that goes through all
// subdomains of the domain.
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "wherry/transport/transport.hpp"

#include "every_update.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// What stands in one array cell at first; small whole numbers, exact in any type and any order.
template <class T> T number_at(std::size_t field, int subdomain, const cell& index, long part) {
  return static_cast<T>(hash(field, subdomain, index[0], index[1], index[2], index[3], part) % 50);
}

template <class T> struct arrivals {
  halo_case what;
  std::function<T(T, T)> combine;  // what is there, and what arrives

  using cell_numbers = std::map<cell, std::vector<T>>;

  long parts() const { return what.fields.front().element / static_cast<long>(sizeof(T)); }

  // All that leaves for, or as, each global cell of a field, from everywhere; one part after the other.
  cell_numbers leaving(std::size_t field, const wherry::communicator& comm) const {
    cell_numbers result;
    for (int s = 0; s < what.subdomains(); ++s) {
      const checked_field all(what, field, s, comm);
      const auto take = [&](const cell& index, long, const cell& global) {
        for (long part = 0; part < parts(); ++part) result[global].push_back(number_at<T>(field, s, index, part));
      };
      what.options.reverse ? all.for_each_halo_cell(take) : all.for_each_core_cell(take);
    }
    return result;
  }
  bool has_copies_of_one_cell(const wherry::communicator& comm) const {
    for (std::size_t f = 0; f < what.fields.size(); ++f)
      for (const auto& [global, numbers] : leaving(f, comm))
        if (std::ssize(numbers) > parts()) return true;
    return false;
  }

  void prepare(checked_field& f, std::size_t field, int subdomain, const wherry::communicator& comm) const {
    f.overwrite(1);
    const auto put = [&](long offset, long part, T value) {
      std::memcpy(f.expected_at(offset + part * static_cast<long>(sizeof(T))), &value, sizeof(T));
    };
    const auto fill = [&](const cell& index, long offset, const cell&) {
      for (long part = 0; part < parts(); ++part) put(offset, part, number_at<T>(field, subdomain, index, part));
      std::memcpy(f.at(offset), f.expected_at(offset), static_cast<std::size_t>(what.fields[field].element));
    };
    f.for_each_core_cell(fill);
    f.for_each_halo_cell(fill);
    const auto arriving = leaving(field, comm);
    const auto expect = [&](const cell& index, long offset, const cell& global) {
      const auto found = arriving.find(global);
      if (found == arriving.end()) return;
      for (long part = 0; part < parts(); ++part) {
        T value = number_at<T>(field, subdomain, index, part);
        for (auto i = part; i < std::ssize(found->second); i += parts())
          value = combine(value, found->second[static_cast<std::size_t>(i)]);
        put(offset, part, value);
      }
    };
    what.options.reverse ? f.for_each_core_cell(expect) : f.for_each_halo_cell(expect);
  }
};

// Where a cell has several copies and no update, nobody knows which one stays: an error.
template <class T> void compare(random_case& now, MPI_Comm comm, const arrivals<T>& job) {
  const auto& what = job.what;
  const wherry::communicator ours(comm);
  checked_fields fields(what, ours);
  if (what.options.reverse && !what.options.update && job.has_copies_of_one_cell(ours)) {
    CHECK_THROWS_WITH(bind(what, comm, fields), "'reverse' needs an 'update'");
    return;
  }
  auto exchange = bind(what, comm, fields);
  for (int round = 0; round < 2; ++round) {
    std::size_t i = 0;
    const auto mine = what.owned_by(ours.rank());
    fields.each([&](checked_field& f) {
      job.prepare(f, i % what.fields.size(), mine[i / what.fields.size()], ours);
      ++i;
    });
    exchange();
    fields.check(now.title + ", " + exchange.bound().transport());
  }
}

template <class T>
void update(random_case& now, const context& test, MPI_Comm comm, const std::optional<wherry::reduction>& operation,
            std::function<T(T, T)> combine) {
  // Few cells have one copy alone, unless a line of them is cut.
  const int dimensions = operation ? 3 : static_cast<int>(now.random.between(1, 2));
  auto what = random_halo_case(now.random, test.size, {.dimensions = dimensions, .fields = 2, .cells = 300});
  const long parts = now.random.between(1, 3);
  for (auto& f : what.fields) f.element = parts * static_cast<long>(sizeof(T)), f.layout_by_rank = false;
  if (operation) what.options.update = wherry::reduction_of<T>(*operation);  // the elements are raw bytes
  what.options.reverse = !operation || now.random.between(0, 2) > 0;
  const auto names = usable_transports(comm);
  what.options.carry.transport = names[static_cast<std::size_t>(now.number) % names.size()];
  log(now.title + ", " + (what.options.reverse ? "back, " : "") + (operation ? operation->name() : "stored") + ", " +
      what.options.carry.transport + ": " + what.text());
  compare(now, comm, arrivals<T>{what, std::move(combine)});
}

}  // namespace

WHERRY_TEST(updated_halos, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    const MPI_Comm comm = comms.pick(now.random);
    switch (now.random.between(0, 5)) {
      case 0:
        return update<std::int64_t>(now, test, comm, std::plus<>{}, std::plus<>());
      case 1:
        return update<double>(now, test, comm, std::plus<>{}, std::plus<>());
      case 2:
        return update<std::int32_t>(now, test, comm, wherry::minimum{}, [](auto a, auto b) { return a < b ? a : b; });
      case 3:
        return update<float>(now, test, comm, wherry::maximum{}, [](auto a, auto b) { return a > b ? a : b; });
      case 4:
        return update<float>(now, test, comm, std::nullopt, [](auto, auto b) { return b; });
      default:
        return update<std::uint8_t>(now, test, comm, std::plus<>{},
                                    [](auto a, auto b) { return static_cast<std::uint8_t>(a + b); });
    }
  });
}

WHERRY_TEST(every_operation_on_every_type_in_halos_and_lists, ranks(1, 2, 3)) {
  const auto transports = usable_transports(test.comm);
  every_update(test, transports, wherry::memory_space::host);
  if (transports.size() > 1)  // each operation by the next transport
    every_update(test, {transports.rbegin(), transports.rend()}, wherry::memory_space::host);
  update_trial<long double>(test, operation::sum, "auto", wherry::memory_space::host).of_halos();
  update_trial<long double>(test, operation::minimum, "auto", wherry::memory_space::host).of_lists();
  update_trial<long double>(test, operation::maximum, "auto", wherry::memory_space::host).of_lists();
}

// There and back: what a neighbour has written into its halo is in the core then.
WHERRY_TEST(reverse_without_update, ranks(1, 2, 3, 4, 8)) {
  const wherry::process_grid line(test.comm, {.periodic = {true}});
  wherry::field<int, 1> u(line.comm(), {4}, 1);
  wherry::halo_exchange back(line, {.reverse = true}, u);
  for (int i = -1; i < 5; ++i) u(i) = 10 * test.rank + i;
  back();
  const int before = (test.rank + test.size - 1) % test.size, after = (test.rank + 1) % test.size;
  CHECK_EQUAL(u(0), 10 * before + 4);
  CHECK_EQUAL(u(1), 10 * test.rank + 1);
  CHECK_EQUAL(u(3), 10 * after - 1);

  // A core of 2 with halos of 2 is copied to both sides.
  wherry::field<int, 1> narrow(line.comm(), {2}, 2);
  const auto bind = [&](const wherry::halo_options& how) { wherry::halo_exchange(line, how, narrow); };
  CHECK_THROWS_WITH(bind({.reverse = true}), "'reverse' needs an 'update', such as std::plus<>{}");
  CHECK_THROWS_WITH(bind({.reverse = true, .update = wherry::convert<int, int>()}), "'reverse' needs an 'update'");
  bind({.reverse = true, .update = std::plus<>{}});
}

// One update for fields of different types, and a function that fits fields of one type only.
WHERRY_TEST(one_update_for_fields_of_several_types, ranks(1, 2, 3, 4)) {
  const wherry::process_grid line(test.comm, {.periodic = {true}});
  const int before = (test.rank + test.size - 1) % test.size, after = (test.rank + 1) % test.size;
  for (const auto& transport : usable_transports(test.comm)) {
    wherry::field<double, 1> u(line.comm(), {4}, 1), w(line.comm(), {4}, 1);
    wherry::field<std::int16_t, 1> v(line.comm(), {4}, 1);
    wherry::field<wherry::float16, 1> half(line.comm(), {4}, 1);
    wherry::field<wherry::bfloat16, 1> brain(line.comm(), {4}, 1);
    const auto fill = [&](auto& x, int factor) {
      for (int i = -1; i < 5; ++i)
        x(i) = static_cast<std::remove_reference_t<decltype(x(i))>>(factor * (10 * test.rank + i));
    };
    wherry::halo_exchange add_up(line, {.reverse = true, .update = std::plus<>{}, .carry = {.transport = transport}}, u,
                                 v, half, w, brain);
    fill(u, 1), fill(v, 2), fill(w, 3), fill(half, 4), fill(brain, 1);
    add_up();
    CHECK_EQUAL(u(0), 10 * test.rank + (10 * before + 4));
    CHECK_EQUAL(u(3), 10 * test.rank + 3 + (10 * after - 1));
    CHECK_EQUAL(v(0), 2 * (10 * test.rank + (10 * before + 4)));
    CHECK_EQUAL(w(3), 3 * (10 * test.rank + 3 + (10 * after - 1)));
    CHECK_EQUAL(double(half(0)), 4 * (10 * test.rank + (10 * before + 4)));
    CHECK_EQUAL(double(brain(3)), 10 * test.rank + 3 + (10 * after - 1));
    wherry::halo_exchange mean(line,
                               {.reverse = true,
                                .update = [](double there, double arrived) { return (there + arrived) / 2; },
                                .carry = {.transport = transport}},
                               u, w);
    fill(u, 1), fill(w, 3);
    mean();
    CHECK_EQUAL(u(0), (10 * test.rank + (10 * before + 4)) / 2.0);
    CHECK_EQUAL(w(3), 3 * (10 * test.rank + 3 + (10 * after - 1)) / 2.0);
  }
  wherry::field<double, 1> u(line.comm(), {4}, 1);
  wherry::field<int, 1> v(line.comm(), {4}, 1);
  all_throw(test, "bits of doubles", wherry::error_kind::argument,
            "has no meaning for elements that are 8-byte floating",
            [&] { wherry::halo_exchange(line, {.reverse = true, .update = std::bit_or<>{}}, v, u); });
  all_throw(test, "of another type", wherry::error_kind::argument, "", [&] {
    wherry::halo_exchange(line, {.reverse = true, .update = [](double a, double) { return a; }}, u, v);
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
WHERRY_TEST(updated_floats_are_reproducible, ranks(1, 2, 4, 6)) {
  const node_communicators comms(test.comm);
  std::vector<double> first;
  for (const auto& name : usable_transports(comms.all())) {
    const wherry::process_grid grid(comms.all(), {.periodic = {true, true}});
    wherry::halo_options options;
    options.reverse = true;
    options.update = std::plus<>{};
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
      if (fault(std::memcmp(first.data(), now.data(), now.size() * sizeof(double)) != 0))
        FAIL(name + ", round " + std::to_string(round) + ": other bits than " + usable_transports(comms.all()).front());
    }
  }
}
