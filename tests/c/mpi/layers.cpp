// Ghosts in layers by the C interface, against the values that each element must have.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "wherry.h"

#include "c/random_mesh.hpp"
#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

constexpr double untouched = -1;
constexpr int all_layers = 3;

/// A mesh whose ghosts are in three layers, one behind the other; a layer may be empty on a rank.
struct layered_mesh {
  random_mesh mesh;
  int rank;
  std::vector<std::vector<std::int64_t>> near;  ///< for each rank the number of its ghosts in layers 1 to d

  layered_mesh(std::mt19937_64& random, int ranks, int me) : mesh(random, ranks), rank(me) {
    for (int r = 0; r < ranks; ++r) {
      const auto count = static_cast<std::int64_t>(mesh.part(r).ghosts.size());
      std::vector<std::int64_t> ends{0, count};
      for (int d = 1; d < all_layers; ++d)
        ends.push_back(std::uniform_int_distribution<std::int64_t>(0, count)(random));
      std::ranges::sort(ends);
      near.push_back(ends);
    }
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(mesh.part(rank).rows.size()); }
  std::int64_t elements() const { return static_cast<std::int64_t>(mesh.part(rank).ids().size()); }
  std::vector<std::int64_t> ids_in(int of_rank, int layer) const {
    const auto& ghosts = mesh.part(of_rank).ghosts;
    const auto& ends = near[static_cast<std::size_t>(of_rank)];
    const auto d = static_cast<std::size_t>(layer);
    return {ghosts.begin() + ends[d - 1], ghosts.begin() + ends[d]};
  }
  /// The values of this rank's elements after ghosts of layers 1 to `depth` were filled.
  std::vector<double> filled(int depth, double factor) const {
    std::vector<double> result;
    const auto ids = mesh.part(rank).ids();
    const auto end = rows() + near[static_cast<std::size_t>(rank)][static_cast<std::size_t>(depth)];
    for (std::int64_t i = 0; i < elements(); ++i)
      result.push_back(i < end ? factor * static_cast<double>(ids[static_cast<std::size_t>(i)]) : untouched);
    return result;
  }
  /// The number of copies of an element in layers 1 to `depth` of all ranks.
  int copies_of(std::int64_t id, int depth) const {
    int count = 0;
    for (int r = 0; r < mesh.ranks(); ++r)
      for (int d = 1; d <= depth; ++d) count += static_cast<int>(std::ranges::count(ids_in(r, d), id));
    return count;
  }
};

wherry_integers list_of(const std::vector<std::int64_t>& ids) {
  return wherry_int64s(ids.data(), static_cast<std::int64_t>(ids.size()));
}

/// The same layers in each of the forms in which a program may have them.
std::vector<wherry_ghost_layers> layers_in_all_forms(wherry_communicator comm, const layered_mesh& mesh) {
  std::vector<std::vector<std::int64_t>> ids;
  std::vector<std::vector<wherry_ghost>> ghosts;
  std::vector<wherry_integers> externals;
  std::vector<std::int64_t> counts;
  std::vector<const wherry_ghost*> firsts;
  for (int d = 1; d <= all_layers; ++d) {
    ids.push_back(mesh.ids_in(mesh.rank, d));
    ghosts.push_back(mesh.mesh.ghosts_of(mesh.rank, ids.back()));
  }
  for (const auto& layer : ids) externals.push_back(list_of(layer));
  for (const auto& layer : ghosts) {
    counts.push_back(static_cast<std::int64_t>(layer.size()));
    firsts.push_back(layer.empty() ? nullptr : layer.data());
  }
  std::vector<wherry_ghost_layers> result(3);
  succeeds(wherry_ghost_layers_create_from_ids(comm, list_of(mesh.mesh.part(mesh.rank).rows), all_layers,
                                               externals.data(), nullptr, &result[0]));
  succeeds(wherry_ghost_layers_create_from_ghosts(comm, all_layers, counts.data(), firsts.data(), nullptr, &result[1]));
  std::vector<wherry_index_lists> lists(all_layers);
  for (int d = 1; d <= all_layers; ++d)
    succeeds(wherry_ghost_layers_lists(result[0], d, &lists[static_cast<std::size_t>(d - 1)]));
  succeeds(wherry_ghost_layers_create(comm, all_layers, lists.data(), nullptr, &result[2]));
  for (auto& one : lists) succeeds(wherry_index_lists_free(&one));
  return result;
}

wherry_view view_of(std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &count);
}
wherry_layered_field field_of(wherry_ghost_layers layers, std::vector<double>& values, const char* name) {
  wherry_layered_field field = nullptr;
  succeeds(wherry_layered_field_create(layers, view_of(values), name, &field));
  return field;
}
int clean_depth(wherry_layered_field field) {
  int depth = -1;
  succeeds(wherry_layered_field_clean_depth(field, &depth));
  return depth;
}
std::uint64_t exchanges(wherry_ghost_layers layers) {
  wherry_statistics moved{};
  succeeds(wherry_ghost_layers_statistics(layers, &moved));
  return moved.exchanges;
}

}  // namespace

WHERRY_TEST(layers_are_filled_to_a_depth, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  constexpr int cases = 6;
  for (int number = 0; number < cases; ++number) {
    const layered_mesh mesh(random, test.size, test.rank);
    const auto title = "case " + std::to_string(number);
    test.note(title);
    for (auto layers : layers_in_all_forms(comm, mesh)) {
      int depth = 0;
      std::int64_t elements = -1;
      succeeds(wherry_ghost_layers_depth(layers, &depth));
      CHECK_EQUAL(depth, all_layers);
      succeeds(wherry_ghost_layers_elements(layers, all_layers, &elements));
      CHECK(elements <= mesh.elements());
      auto p = mesh.filled(0, 1), q = mesh.filled(0, 2);
      std::vector<std::int32_t> r(static_cast<std::size_t>(2 * mesh.elements()), -1);
      for (std::int64_t i = 0; i < 2 * mesh.rows(); ++i) r[static_cast<std::size_t>(i)] = test.rank;
      const auto count = mesh.elements();
      auto pairs = wherry_c_array(r.data(), WHERRY_INT32, 1, &count);
      pairs.components = 2;
      wherry_layered_field fields[] = {field_of(layers, p, "p"), field_of(layers, q, nullptr), nullptr};
      succeeds(wherry_layered_field_create(layers, pairs, "r", &fields[2]), title);
      wherry_view same{};
      succeeds(wherry_layered_field_array(fields[0], &same));
      CHECK(same.data == p.data());
      CHECK_EQUAL(clean_depth(fields[0]), 0);

      succeeds(wherry_ghost_layers_exchange(layers, 1, 3, fields), title);
      CHECK_EQUAL(p, mesh.filled(1, 1));
      CHECK_EQUAL(q, mesh.filled(1, 2));
      const auto ids = mesh.mesh.part(test.rank).ids();
      const auto near = mesh.rows() + mesh.near[static_cast<std::size_t>(test.rank)][1];
      for (std::int64_t i = 0; i < 2 * count; ++i)
        CHECK_EQUAL(r[static_cast<std::size_t>(i)],
                    i / 2 < near ? mesh.mesh.owner_of(ids[static_cast<std::size_t>(i / 2)]) : -1);
      CHECK_EQUAL(clean_depth(fields[1]), 1);

      succeeds(wherry_ghost_layers_start_if_needed(layers, 2, 1, fields), title);
      int done = 0;
      while (done == 0) succeeds(wherry_ghost_layers_test(layers, &done), title);
      CHECK_EQUAL(p, mesh.filled(2, 1));
      CHECK_EQUAL(q, mesh.filled(1, 2));
      CHECK_EQUAL(clean_depth(fields[0]), 2);
      const auto before = exchanges(layers);
      succeeds(wherry_ghost_layers_exchange_if_needed(layers, 1, 2, fields), title);
      CHECK_EQUAL(exchanges(layers), before);
      succeeds(wherry_layered_field_mark_written(fields[0], 1), title);
      CHECK_EQUAL(clean_depth(fields[0]), 1);
      succeeds(wherry_ghost_layers_exchange_if_needed(layers, all_layers, 2, fields), title);
      CHECK_EQUAL(p, mesh.filled(all_layers, 1));
      CHECK_EQUAL(q, mesh.filled(all_layers, 2));
      const char* text = nullptr;
      succeeds(wherry_ghost_layers_explain(layers, &text));
      CHECK(std::string(text).size() > 10);
      for (auto& field : fields) succeeds(wherry_layered_field_free(&field));
      succeeds(wherry_ghost_layers_free(&layers));
    }
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}

WHERRY_TEST(layers_are_combined_at_their_owners, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  for (int depth = 1; depth <= all_layers; ++depth) {
    const layered_mesh mesh(random, test.size, test.rank);
    auto layers = layers_in_all_forms(comm, mesh);
    const auto wanted = [&] {
      std::vector<double> sums;
      for (const auto id : mesh.mesh.part(test.rank).rows) sums.push_back(100 + mesh.copies_of(id, depth));
      sums.resize(static_cast<std::size_t>(mesh.elements()), 1);
      return sums;
    }();
    const auto fresh = [&] {
      std::vector<double> values(static_cast<std::size_t>(mesh.elements()), 1);
      std::fill_n(values.begin(), mesh.rows(), 100);
      return values;
    };
    auto p = fresh(), q = fresh();
    auto field = field_of(layers[0], p, "p");
    succeeds(wherry_ghost_layers_reduce_to_owners(layers[0], depth, 1, &field));
    CHECK_EQUAL(p, wanted);
    CHECK_EQUAL(clean_depth(field), 0);
    // Arrays without an account, by a copy, with another exchange of the first layers in flight.
    wherry_ghost_layers copy = nullptr;
    succeeds(wherry_ghost_layers_copy(layers[0], &copy));
    std::ranges::copy(fresh(), p.begin());
    const auto view = view_of(q);
    succeeds(wherry_ghost_layers_start_reduce_to_owners(layers[0], depth, 1, &field));
    succeeds(wherry_ghost_layers_start_reduce_arrays(copy, depth, 1, &view));
    succeeds(wherry_ghost_layers_wait(copy));
    succeeds(wherry_ghost_layers_wait(layers[0]));
    CHECK_EQUAL(p, wanted);
    CHECK_EQUAL(q, wanted);
    std::ranges::copy(mesh.filled(0, 5), q.begin());
    succeeds(wherry_ghost_layers_start_arrays(copy, depth, 1, &view));
    succeeds(wherry_ghost_layers_wait(copy));
    CHECK_EQUAL(q, mesh.filled(depth, 5));
    succeeds(wherry_layered_field_free(&field));
    succeeds(wherry_ghost_layers_free(&copy));
    for (auto& one : layers) succeeds(wherry_ghost_layers_free(&one));
  }
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(an_update_of_layers_is_the_programs_choice, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  // Each rank has one element, and all ranks but the first have a copy of that of rank 0.
  const std::int64_t row = test.rank, zero = 0;
  const wherry_integers copies = wherry_int64s(&zero, test.rank > 0 ? 1 : 0);
  wherry_layer_options options = WHERRY_INIT(wherry_layer_options);
  options.update.operation = WHERRY_MAXIMUM;
  wherry_ghost_layers layers = nullptr;
  succeeds(wherry_ghost_layers_create_from_ids(comm, wherry_int64s(&row, 1), 1, &copies, &options, &layers));
  std::vector<double> values{0, static_cast<double>(test.rank)};
  auto field = field_of(layers, values, "p");
  succeeds(wherry_ghost_layers_reduce_to_owners(layers, 1, 1, &field));
  CHECK_EQUAL(values[0], test.rank == 0 ? test.size - 1.0 : 0.0);
  succeeds(wherry_layered_field_free(&field));
  succeeds(wherry_ghost_layers_free(&layers));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(wrong_layers_are_refused, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  const std::int64_t row = test.rank, next = (test.rank + 1) % test.size;
  const auto rows = wherry_int64s(&row, 1);
  const wherry_integers externals[] = {wherry_int64s(&next, test.size > 1 ? 1 : 0), wherry_int64s(nullptr, 0)};
  wherry_ghost_layers layers = nullptr;
  const auto create = [&](wherry_integers own, int count, const wherry_integers* others,
                          const wherry_layer_options* options, wherry_ghost_layers* result) {
    return wherry_ghost_layers_create_from_ids(comm, own, count, others, options, result);
  };
  fails("no layers", create(rows, last ? 0 : 2, externals, nullptr, &layers), WHERRY_ERROR_ARGUMENT,
        "'layer_count' is 0");
  CHECK(layers == nullptr);
  fails("null", create(rows, 2, last ? nullptr : externals, nullptr, &layers), WHERRY_ERROR_ARGUMENT,
        "'externals' is NULL");
  fails("no result", create(rows, 2, externals, nullptr, last ? nullptr : &layers), WHERRY_ERROR_ARGUMENT,
        "'result' is NULL");
  wherry_layer_options options = WHERRY_INIT(wherry_layer_options);
  if (last) options.update.operation = 77;
  fails("update", create(rows, 2, externals, &options, &layers), WHERRY_ERROR_ARGUMENT, "has the operation 77");
  wherry_index_lists none[] = {nullptr};
  fails("lists", wherry_ghost_layers_create(comm, 1, none, nullptr, &layers), WHERRY_ERROR_ARGUMENT,
        "'layers' is NULL");
  const std::int64_t counts[] = {last ? 3 : 0};
  const wherry_ghost* ghosts[] = {nullptr};
  fails("ghosts", wherry_ghost_layers_create_from_ghosts(comm, 1, counts, ghosts, nullptr, &layers),
        WHERRY_ERROR_ARGUMENT, "'ghosts[0]' is NULL");
  if (test.size > 1)
    fails("another number", create(rows, last ? 1 : 2, externals, nullptr, &layers), WHERRY_ERROR_MISMATCH, "layers");

  succeeds(create(rows, 2, externals, nullptr, &layers));
  std::int64_t elements = 0;
  fails("depth", wherry_ghost_layers_elements(layers, 3, &elements), WHERRY_ERROR_ARGUMENT, "3");
  wherry_index_lists lists = nullptr;
  fails("layer", wherry_ghost_layers_lists(layers, 0, &lists), WHERRY_ERROR_ARGUMENT, "'layer' of lists is 0");
  std::vector<double> values(2, 1);
  wherry_layered_field field = nullptr;
  auto view = view_of(values);
  view.dimensions = 3;
  fails("view", wherry_layered_field_create(layers, view, nullptr, &field), WHERRY_ERROR_ARGUMENT, "has 3 dimensions");
  field = field_of(layers, values, "p");
  fails("mark", wherry_layered_field_mark_written(field, 3), WHERRY_ERROR_ARGUMENT, "expected 0 to 2");
  fails("no fields", wherry_ghost_layers_start(layers, 1, 0, nullptr), WHERRY_ERROR_ARGUMENT, "'field_count' is 0");
  fails("null fields", wherry_ghost_layers_start(layers, 1, 2, nullptr), WHERRY_ERROR_ARGUMENT, "'fields' is NULL");
  fails("too deep", wherry_ghost_layers_start(layers, 3, 1, &field), WHERRY_ERROR_ARGUMENT, "3");
  succeeds(wherry_ghost_layers_start(layers, 1, 1, &field));
  fails("started twice", wherry_ghost_layers_start(layers, 1, 1, &field), WHERRY_ERROR_STATE, "in flight");
  fails("no place", wherry_ghost_layers_test(layers, nullptr), WHERRY_ERROR_ARGUMENT, "'done' is NULL");
  succeeds(wherry_ghost_layers_wait(layers));
  auto copy = field;
  succeeds(wherry_layered_field_free(&field));
  fails("a freed field", wherry_ghost_layers_start(layers, 1, 1, &copy), WHERRY_ERROR_ARGUMENT,
        "'fields' is no wherry_layered_field");
  fails("a field of nothing", wherry_layered_field_mark_written(nullptr, 0), WHERRY_ERROR_ARGUMENT, "'field' is NULL");
  // A field of other layers.
  wherry_ghost_layers others = nullptr;
  succeeds(create(rows, 2, externals, nullptr, &others));
  field = field_of(others, values, "q");
  fails("other layers", wherry_ghost_layers_start(layers, 1, 1, &field), WHERRY_ERROR_ARGUMENT, "other");
  succeeds(wherry_ghost_layers_free(&others));
  fails("freed", wherry_ghost_layers_wait(others), WHERRY_ERROR_ARGUMENT, "'layers' is NULL");
  // A field outlives its layers.
  CHECK_EQUAL(clean_depth(field), 0);
  succeeds(wherry_layered_field_free(&field));
  field = field_of(layers, values, "p");
  succeeds(wherry_ghost_layers_start(layers, 1, 1, &field));
  succeeds(wherry_ghost_layers_abandon(layers));
  fails("abandoned", wherry_ghost_layers_start(layers, 1, 1, &field), WHERRY_ERROR_STATE, "");
  succeeds(wherry_ghost_layers_free(&layers));
  succeeds(wherry_layered_field_free(&field));
  succeeds(wherry_communicator_free(&comm));
}
