// Index lists and index exchanges by the C interface, against the values that each element must have.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "wherry.h"

#include "c/random_mesh.hpp"
#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

constexpr double untouched = -1;

wherry_view doubles(std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &count);
}

/// The lists of a handle, by value.
std::map<int, std::vector<std::int64_t>> read(wherry_index_lists lists, bool sends) {
  const wherry_peer_indices* all = nullptr;
  int count = 0;
  succeeds((sends ? wherry_index_lists_sends : wherry_index_lists_receives)(lists, &all, &count));
  std::map<int, std::vector<std::int64_t>> result;
  for (int i = 0; i < count; ++i) result[all[i].peer].assign(all[i].at, all[i].at + all[i].count);
  return result;
}

wherry_index_lists lists_from_ghosts(wherry_communicator comm, const random_mesh& mesh, int rank) {
  wherry_index_lists lists = nullptr;
  const auto ghosts = mesh.ghosts_of(rank);
  succeeds(
      wherry_index_lists_create_from_ghosts(comm, static_cast<std::int64_t>(ghosts.size()), ghosts.data(), &lists));
  return lists;
}

/// The same lists in each of the forms in which a program may have them.
std::vector<wherry_index_lists> lists_in_all_forms(wherry_communicator comm, const random_mesh& mesh, int rank) {
  std::vector<wherry_index_lists> result{lists_from_ghosts(comm, mesh, rank)};
  const auto& own = mesh.part(rank);
  wherry_index_lists lists = nullptr;
  const std::vector<std::int32_t> narrow(own.ghosts.begin(), own.ghosts.end());
  succeeds(wherry_index_lists_create_from_ids(
      comm, wherry_int64s(own.rows.data(), static_cast<std::int64_t>(own.rows.size())),
      wherry_int32s(narrow.data(), static_cast<std::int64_t>(narrow.size())), &lists));
  result.push_back(lists);
  // Lists of the program's own.
  const wherry_peer_indices *sends = nullptr, *receives = nullptr;
  int send_count = 0, receive_count = 0;
  succeeds(wherry_index_lists_sends(result.front(), &sends, &send_count));
  succeeds(wherry_index_lists_receives(result.front(), &receives, &receive_count));
  succeeds(wherry_index_lists_create(send_count, sends, receive_count, receives, &lists));
  result.push_back(lists);
  // Flat lists.
  const auto to = read(result.front(), true), from = read(result.front(), false);
  std::vector<int> peers;
  std::vector<std::int64_t> send_lengths, receive_lengths, sent, received;
  for (int r = 0; r < mesh.ranks(); ++r) {
    if (!to.contains(r) && !from.contains(r)) continue;
    peers.push_back(r);
    const auto append = [&](const auto& side, auto& lengths, auto& all) {
      const auto found = side.find(r);
      const auto list = found == side.end() ? std::vector<std::int64_t>{} : found->second;
      lengths.push_back(static_cast<std::int64_t>(list.size()));
      all.insert(all.end(), list.begin(), list.end());
    };
    append(to, send_lengths, sent);
    append(from, receive_lengths, received);
  }
  const auto list = [](const auto& all) { return wherry_int64s(all.data(), static_cast<std::int64_t>(all.size())); };
  wherry_flat_lists flat{};
  flat.neighbors = wherry_int32s(peers.data(), static_cast<std::int64_t>(peers.size()));
  flat.send_lengths = list(send_lengths);
  flat.sent = list(sent);
  flat.receive_lengths = list(receive_lengths);
  flat.received = list(received);
  flat.first_external = static_cast<std::int64_t>(own.rows.size());
  succeeds(wherry_index_lists_create_from_flat(comm, &flat, &lists));
  result.push_back(lists);
  return result;
}

/// Values of all elements of a rank: `known` for its rows, and `of_ghosts` for the others.
template <class Known>
std::vector<double> values_of(const random_mesh& mesh, int rank, Known&& known, double of_ghosts) {
  const auto& own = mesh.part(rank);
  std::vector<double> values;
  for (const auto id : own.rows) values.push_back(known(id));
  values.resize(values.size() + own.ghosts.size(), of_ghosts);
  return values;
}

double of_id(std::int64_t id) { return static_cast<double>(1000 + id); }

/// An element has 3 numbers side by side, 2 numbers apart as in C, or 3 as in Fortran.
struct many_components {
  std::vector<std::int32_t> triples;
  std::vector<float> apart;
  std::vector<std::int64_t> fortran;
  std::vector<wherry_view> views;

  many_components(const random_mesh& mesh, int rank) {
    const auto& own = mesh.part(rank);
    const auto count = static_cast<std::int64_t>(own.rows.size() + own.ghosts.size());
    triples.assign(own.ids().size() * 3, -1);
    apart.assign(own.ids().size() * 2, -1);
    fortran.assign(own.ids().size() * 3, -1);
    for (std::size_t i = 0; i < own.rows.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) triples[3 * i + c] = static_cast<std::int32_t>(10 * own.rows[i] + int(c));
      for (std::size_t c = 0; c < 2; ++c)
        apart[c * own.ids().size() + i] = static_cast<float>(10 * own.rows[i] + int(c));
      for (std::size_t c = 0; c < 3; ++c) fortran[3 * i + c] = 10 * own.rows[i] + int(c);
    }
    auto one = wherry_c_array(triples.data(), WHERRY_INT32, 1, &count);
    one.components = 3;
    views.push_back(one);
    const std::int64_t two[] = {2, count}, three[] = {3, count};
    views.push_back(wherry_c_array(apart.data(), WHERRY_FLOAT32, 2, two));
    views.push_back(wherry_fortran_array(fortran.data(), WHERRY_INT64, 2, three));
  }

  int wrong(const random_mesh& mesh, int rank) const {
    const auto ids = mesh.part(rank).ids();
    int result = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        result += triples[3 * i + c] != 10 * ids[i] + int(c) ? 1 : 0;
        result += fortran[3 * i + c] != 10 * ids[i] + int(c) ? 1 : 0;
      }
      for (std::size_t c = 0; c < 2; ++c)
        result += apart[c * ids.size() + i] != static_cast<float>(10 * ids[i] + int(c)) ? 1 : 0;
    }
    return result;
  }
};

}  // namespace

WHERRY_TEST(index_lists_fill_ghosts_from_their_owners, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  constexpr int cases = 10;
  for (int number = 0; number < cases; ++number) {
    const random_mesh mesh(random, test.size);
    const auto title = "case " + std::to_string(number);
    test.note(title);
    const auto all = lists_in_all_forms(comm, mesh, test.rank);
    const auto wanted = [&] {
      std::vector<double> values;
      for (const auto id : mesh.part(test.rank).ids()) values.push_back(of_id(id));
      return values;
    }();
    for (auto lists : all) {
      CHECK_EQUAL(read(lists, true), read(all.front(), true));
      CHECK_EQUAL(read(lists, false), read(all.front(), false));
      auto values = values_of(mesh, test.rank, of_id, untouched);
      auto others = values_of(mesh, test.rank, [](auto) { return 0.5; }, untouched);
      many_components many(mesh, test.rank);
      auto views = many.views;
      views.push_back(doubles(values));
      wherry_exchange fill = nullptr, one = nullptr;
      succeeds(wherry_index_exchange_create(comm, lists, 4, views.data(), nullptr, &fill), title);
      succeeds(wherry_exchange_run(fill), title);
      CHECK_EQUAL(values, wanted);
      CHECK_EQUAL(many.wrong(mesh, test.rank), 0);
      // Other arrays of the same shapes.
      many_components again(mesh, test.rank);
      void* const given[] = {again.triples.data(), again.apart.data(), again.fortran.data(), others.data()};
      succeeds(wherry_exchange_start_with(fill, 4, given), title);
      succeeds(wherry_exchange_wait(fill), title);
      CHECK_EQUAL(again.wrong(mesh, test.rank), 0);
      CHECK_EQUAL(others, std::vector<double>(others.size(), 0.5));
      // An array that comes with the start.
      auto later = doubles(values);
      later.data = nullptr;
      succeeds(wherry_index_exchange_create(comm, lists, 1, &later, nullptr, &one), title);
      values = values_of(mesh, test.rank, of_id, untouched);
      void* const now[] = {values.data()};
      succeeds(wherry_exchange_start_with(one, 1, now), title);
      int done = 0;
      while (done == 0) succeeds(wherry_exchange_test(one, &done), title);
      CHECK_EQUAL(values, wanted);
      succeeds(wherry_exchange_free(&one));
      succeeds(wherry_exchange_free(&fill));
    }
    for (auto lists : all) succeeds(wherry_index_lists_free(&lists));
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}

WHERRY_TEST(ghosts_are_combined_with_their_owners, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  constexpr int cases = 10;
  for (int number = 0; number < cases; ++number) {
    const random_mesh mesh(random, test.size);
    const auto title = "case " + std::to_string(number);
    auto lists = lists_from_ghosts(comm, mesh, test.rank);
    // Each ghost is 1: an owner counts the copies of its element.
    auto values = values_of(mesh, test.rank, of_id, 1);
    auto view = doubles(values);
    wherry_index_options options = WHERRY_INIT(wherry_index_options);
    options.reverse = 1;
    options.update.operation = WHERRY_ADD;
    wherry_exchange back = nullptr;
    succeeds(wherry_index_exchange_create(comm, lists, 1, &view, &options, &back), title);
    succeeds(wherry_exchange_run(back), title);
    CHECK_EQUAL(values, values_of(mesh, test.rank, [&](auto id) { return of_id(id) + mesh.copies_of(id); }, 1));
    succeeds(wherry_exchange_free(&back));
    // All copies get the largest: a ghost's value is that of its rank, and an owner's is that of its rank, too.
    options = WHERRY_INIT(wherry_index_options);
    options.combine_copies.operation = WHERRY_MAXIMUM;
    std::fill(values.begin(), values.end(), test.rank);
    succeeds(wherry_index_exchange_create(comm, lists, 1, &view, &options, &back), title);
    succeeds(wherry_exchange_run(back), title);
    std::vector<double> largest;
    for (const auto id : mesh.part(test.rank).ids()) largest.push_back(mesh.last_rank_with(id));
    CHECK_EQUAL(values, largest);
    succeeds(wherry_exchange_free(&back));
    succeeds(wherry_index_lists_free(&lists));
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}

WHERRY_TEST(parts_leave_when_they_are_ready, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const random_mesh mesh(random, test.size);
  auto lists = lists_from_ghosts(comm, mesh, test.rank);
  auto values = values_of(mesh, test.rank, [](auto) { return untouched; }, untouched);
  auto view = doubles(values);
  const auto rows = static_cast<std::int64_t>(mesh.part(test.rank).rows.size());
  const wherry_index_part parts[] = {{rows / 2, rows}, {0, rows / 2}};
  wherry_index_options options = WHERRY_INIT(wherry_index_options);
  options.parts = parts;
  options.part_count = 2;
  wherry_exchange fill = nullptr;
  if (rows < 2) options.part_count = 0;  // a part has elements
  succeeds(wherry_index_exchange_create(comm, lists, 1, &view, &options, &fill));
  const auto wanted = values_of(mesh, test.rank, of_id, untouched);
  if (options.part_count == 0) {
    std::copy_n(wanted.begin(), rows, values.begin());
    succeeds(wherry_exchange_start(fill));
  } else {
    void* const now[] = {values.data()};
    if (test.rank % 2 == 0)
      succeeds(wherry_exchange_start_in_parts(fill));
    else
      succeeds(wherry_exchange_start_in_parts_with(fill, 1, now));
    for (int part = 0; part < 2; ++part) {
      std::copy(wanted.begin() + parts[part].begin, wanted.begin() + parts[part].end,
                values.begin() + parts[part].begin);
      succeeds(wherry_exchange_ready(fill, part));
    }
  }
  succeeds(wherry_exchange_wait(fill));
  std::vector<double> all;
  for (const auto id : mesh.part(test.rank).ids()) all.push_back(of_id(id));
  CHECK_EQUAL(values, all);
  succeeds(wherry_exchange_free(&fill));
  succeeds(wherry_index_lists_free(&lists));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(exchanges_share_a_plan, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const random_mesh mesh(random, test.size);
  auto lists = lists_from_ghosts(comm, mesh, test.rank);
  auto u = values_of(mesh, test.rank, of_id, untouched);
  auto v = values_of(mesh, test.rank, [](auto id) { return -of_id(id); }, untouched);
  auto view = doubles(u);
  wherry_index_plan plan = nullptr;
  succeeds(wherry_index_plan_create(comm, lists, 1, &view, nullptr, &plan));
  succeeds(wherry_index_lists_free(&lists));
  const char* text = nullptr;
  succeeds(wherry_index_plan_to_json(plan, &text));
  CHECK_EQUAL(std::string(text).substr(0, 1), "{");
  wherry_exchange first = nullptr, second = nullptr;
  void* const other[] = {v.data()};
  succeeds(wherry_index_plan_bind(plan, 0, nullptr, &first));
  succeeds(wherry_index_plan_bind(plan, 1, other, &second));
  succeeds(wherry_index_plan_free(&plan));
  succeeds(wherry_exchange_start(first));
  succeeds(wherry_exchange_start(second));
  succeeds(wherry_exchange_wait(second));
  succeeds(wherry_exchange_wait(first));
  const auto ids = mesh.part(test.rank).ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK_EQUAL(u[i], of_id(ids[i]));
    CHECK_EQUAL(v[i], -of_id(ids[i]));
  }
  succeeds(wherry_exchange_free(&first));
  succeeds(wherry_exchange_free(&second));
  succeeds(wherry_communicator_free(&comm));
}
