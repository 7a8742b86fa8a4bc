// Every public class that can be moved. A handle that was moved from answers error(state), and can be assigned to
// again. Other classes are listed by what a move leaves behind. tests/tools/moved_classes_test.py holds this file to
// the headers: a new public class has to be named here.
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wherry/channel/segment_space.hpp"
#include "wherry/notify/notify.hpp"
#include "wherry/wherry.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

void refuses(const std::string& name, const std::function<void()>& use) {
  try {
    use();
    FAIL(name + ": used after a move, without an error");
  } catch (const wherry::error& problem) {
    const std::string said = problem.what();
    if (fault(problem.kind() != wherry::error_kind::state)) FAIL(name + ": no error(state): " + said);
    if (fault(said.find("moved from") == std::string::npos)) FAIL(name + ": does not say what happened: " + said);
  }
}

/// Each use is refused once the handle was moved from; the first one works again when it was assigned to.
template <class Handle, class First, class... Uses>
void answers(const std::string& name, Handle handle, const First& first, const Uses&... uses) {
  Handle taken(std::move(handle));
  refuses(name, [&] { first(handle); });
  (refuses(name, [&] { uses(handle); }), ...);
  handle = std::move(taken);
  first(handle);
  refuses(name, [&] { first(taken); });
}

/// What all bound patterns answer.
template <class Pattern> void bound(const std::string& name, Pattern pattern) {
  answers(
      name, std::move(pattern), [](Pattern& p) { p.explain(); }, [](Pattern& p) { p.start(); },
      [](Pattern& p) { p.test(); }, [](Pattern& p) { p.wait(); }, [](Pattern& p) { p.wait_some(); },
      [](Pattern& p) { p(); }, [](Pattern& p) { p.schedule(); }, [](Pattern& p) { p.transport(); },
      [](Pattern& p) { p.statistics(); });
}

template <class Segment> void segments(const std::string& name, Segment made) {
  answers(
      name, std::move(made), [](Segment& s) { s.explain(); }, [](Segment& s) { s.comm(); },
      [](Segment& s) { s.flush(); }, [](Segment& s) { s.statistics(); }, [](Segment& s) { s.notify(0, 0); },
      [](Segment& s) { s.notify(0, 0, 1, 0); }, [](Segment& s) { s.reset(0); }, [](Segment& s) { s.value(0); },
      [](Segment& s) { s.wait(0, 0); }, [](Segment& s) { s.wait_some(0, 1, 0); }, [](Segment& s) { s.memory_of(0); },
      [](Segment& s) { s.notifications_of(0); }, [](Segment& s) { s.flush(0); });
}

using field = wherry::field<double, 1>;
using array = wherry::x_array<double, 1>;
using nodes = wherry::index_array<double, wherry::index_set>;

struct ring {
  wherry::process_grid grid;
  wherry::communicator comm;
  int rank, size;
  wherry::domain<1> space;

  explicit ring(const context& test)
      : grid(test.comm, {.periodic = {true}}),
        comm(grid.comm()),
        rank(test.rank),
        size(test.size),
        space(wherry::domain<1>::torus({{0}, {8 * size}})) {}

  array cells() const { return array(comm, wherry::decompose(space.cells, size), {.ghost_width = 1}); }
  field line() const { return field(comm, {4}, 1); }
};

std::string path_of(const context& test, const char* name) {
  return (std::filesystem::temp_directory_path() / ("wherry_moved_" + std::to_string(test.size) + name)).string();
}

}  // namespace

WHERRY_TEST(moved_exchanges_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  auto u = all.line();
  auto cells = all.cells();
  bound("bound_pattern, halo_exchange", wherry::halo_exchange(all.grid, u));
  bound("mover", wherry::ghost_filler(cells, all.space));
  std::vector<double> list(8);
  bound("index_exchange", wherry::index_exchange(all.comm, wherry::index_lists{}, list));
  using layers = wherry::ghost_layers;
  const layers mesh(all.comm, std::vector<wherry::index_lists>(1));
  answers(
      "ghost_layers", layers(mesh), [](layers& l) { l.explain(); }, [](layers& l) { l.depth(); },
      [](layers& l) { l.elements(1); }, [](layers& l) { l.lists(1); }, [](layers& l) { l.comm(); },
      [](layers& l) { l.test(); }, [](layers& l) { l.wait(); }, [](layers& l) { l.statistics(); },
      [](layers& l) { layers copy(l); }, [&](layers& l) { l.exchange(1, list); },
      [&](layers& l) { wherry::layered_field<std::vector<double>> f(l, list); });
  using layered = wherry::layered_field<std::vector<double>>;
  answers(
      "layered_field", layered(mesh, list), [](layered& f) { f.clean_depth(); }, [](layered& f) { f.mark_written(); },
      [](layered& f) { f.name(); }, [](layered& f) { layered copy(f); },
      [&](layered& f) { layers(mesh).exchange(1, f); });
  bound("bcast_exchange", wherry::bcast_exchange(all.grid, u));
  auto whole = wherry::field<double, 1>(all.comm, {4 * all.size}, 0);
  bound("scatter_exchange", wherry::scatter_exchange(all.grid, whole, u));
  bound("gather_exchange", wherry::gather_exchange(all.grid, u, whole));
  const auto schedule = wherry::ghost_filler(cells, all.space).schedule();
  answers(
      "exchange", wherry::exchange(all.comm, schedule), [](wherry::exchange& e) { e.explain(); },
      [](wherry::exchange& e) { e.start(); }, [](wherry::exchange& e) { e.test(); },
      [](wherry::exchange& e) { e.wait(); }, [](wherry::exchange& e) { e.comm(); },
      [](wherry::exchange& e) { e.ready(0); });

  const int next = (all.rank + 1) % all.size, before = (all.rank + all.size - 1) % all.size;
  double out = all.rank, in = -1;
  wherry::alltoall_exchange pairs(all.comm);
  pairs.send(next, &out, sizeof out);
  pairs.receive(before, &in, sizeof in);
  pairs.commit();
  bound("registered_pattern, alltoall_exchange", std::move(pairs));
  wherry::buffer_exchange buffers(all.grid);
  buffers.send_to({1}, &out, sizeof out);
  buffers.receive_from({-1}, &in, sizeof in);
  buffers.commit();
  bound("buffer_exchange", std::move(buffers));

  wherry::halo_exchange every(all.grid, u);
  auto kept = std::move(every);
  refuses("halo_exchange::only", [&] { every.only({0}); });
  kept.only({0})();

  auto fine = array(all.comm, wherry::decompose(wherry::box<1>{{0}, {16 * all.size}}, all.size), {.ghost_width = 1});
  wherry::level_coupling<double, 1> levels(cells, fine, all.space, {2});
  auto coupling = std::move(levels);
  refuses("level_coupling", [&] { levels.start_ghosts(); });
  refuses("level_coupling", [&] { levels.explain(); });
  coupling.fill_ghosts([](const auto&, const auto&, const auto&) {});
}

WHERRY_TEST(moved_arrays_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  answers(
      "field", all.line(), [](field& u) { halo_of(u); }, [](field& u) { u.view_with_halo(); },
      [](field& u) { wherry::section_of(u); });
  auto u = all.line();
  wherry::halo_exchange exchange(all.grid, u);
  auto taken = std::move(u);
  CHECK(u.data() == nullptr && u.origin() == nullptr && u.core().empty());
  refuses("a moved field in start", [&] { exchange.start(u); });
  exchange(taken);

  answers(
      "x_array", all.cells(), [](array& a) { a.plan(); }, [](array& a) { a.blocks(); }, [](array& a) { a.shape(); },
      [](array& a) { a.comm(); }, [](array& a) { a.memory(); }, [](array& a) { a.owns(0); }, [](array& a) { a[0]; },
      [&](array& a) { wherry::ghost_filler(a, all.space); }, [&](array& a) { a.adopt(all.cells().plan()); });

  const wherry::index_floor_plan<> plan(
      std::vector<wherry::index_set>(static_cast<std::size_t>(all.size), wherry::index_set::range(0, 4)), [&] {
        wherry::owner_map owners(static_cast<std::size_t>(all.size));
        std::iota(owners.begin(), owners.end(), 0);
        return owners;
      }());
  answers(
      "index_array", nodes(all.comm, plan), [](nodes& a) { a.plan(); }, [](nodes& a) { a.parts(); },
      [](nodes& a) { a.shape(); }, [](nodes& a) { a.comm(); }, [](nodes& a) { a.memory(); },
      [](nodes& a) { a.owns(0); }, [](nodes& a) { a[0]; });
}

WHERRY_TEST(moved_files_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  auto a = all.cells();
  const auto series = path_of(test, ".series"), file = path_of(test, ".array");
  if (test.rank == 0) std::filesystem::remove(series);
  MPI_Barrier(test.comm);
  wherry::array_series kept(all.comm, series);
  kept.write("a", 0, a);
  answers(
      "array_series", std::move(kept), [](wherry::array_series& s) { s.entries(); },
      [](wherry::array_series& s) { s.steps("a"); }, [&](wherry::array_series& s) { s.write("a", 1, a); },
      [&](wherry::array_series& s) { s.read("a", 0, a); }, [](wherry::array_series& s) { s.describe("a", 0); });
  answers(
      "array_writer", wherry::array_writer(a), [](wherry::array_writer& w) { w.explain(); },
      [&](wherry::array_writer& w) { w.start(file); }, [](wherry::array_writer& w) { w.test(); },
      [](wherry::array_writer& w) { w.wait(); }, [](wherry::array_writer& w) { w.statistics(); });
  const auto saved = path_of(test, ".saved");
  wherry::write_array(saved, a);
  answers("saved_array", wherry::saved_array(saved), [](wherry::saved_array& s) {
    s.read(0, [](const wherry::saved_array::saved_box&, std::span<const std::byte>) {});
  });
  MPI_Barrier(test.comm);
  if (test.rank == 0) {
    std::filesystem::remove(series);
    std::filesystem::remove(saved);
  }
}

WHERRY_TEST(moved_handles_that_notify_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  segments("segment", wherry::segment<double>(all.comm, 10));
  segments("byte_segment", wherry::byte_segment(all.comm, 80));
  wherry::segment<double> s(all.comm, 10);
  auto other = std::move(s);
  CHECK(s.mine().empty());
  std::vector<double> data(2);
  refuses("segment", [&] { s.write(0, 0, data); });
  refuses("segment", [&] { s.read(0, 0, data); });
  refuses("segment", [&] { s.write_notify(0, 0, data, 0); });
  refuses("segment", [&] { s.copy_out(0, data, 0, 0); });
  refuses("segment", [&] { s.fetch_add(0, 0, 1); });

  std::vector<std::byte> bytes(8);
  using messages = wherry::passive_messages;
  answers(
      "passive_messages", messages(all.comm), [](messages& m) { m.explain(); }, [&](messages& m) { m.send(0, bytes); },
      [&](messages& m) { m.receive(bytes, 0); }, [](messages& m) { m.statistics(); });

  using group = wherry::rank_group;
  answers(
      "rank_group", group(all.comm), [](group& g) { g.size(); }, [](group& g) { g.add(0); },
      [](group& g) { g.ranks(); }, [](group& g) { g.index(); }, [](group& g) { g.comm(); },
      [](group& g) { g.commit(); }, [](group& g) { g.committed(); }, [](group& g) { g.barrier(); },
      [](group& g) { g.explain(); }, [](group& g) { g.transport(); }, [](group& g) { g.statistics(); },
      [&](group& g) { g.allreduce_bytes(bytes, bytes, wherry::reduction_of<double>(std::plus<>{})); });

  using layouts = wherry::published_layouts;
  auto cells = all.cells();
  const auto memory = cells.memory();
  answers(
      "published_layouts", layouts(all.comm, wherry::ghost_filler(cells, all.space).schedule()),
      [](layouts& p) { p.explain(); }, [&](layouts& p) { p.publish(memory); }, [&](layouts& p) { p.read(memory); },
      [](layouts& p) { p.await_readers(); }, [](layouts& p) { p.schedule(); }, [](layouts& p) { p.statistics(); },
      [](layouts& p) { p.transport(); });
}

WHERRY_TEST(moved_sparse_exchanges_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  const std::vector<int> to(3, (all.rank + 1) % all.size), values(3, all.rank);
  using flight = wherry::arriving<int>;
  answers(
      "arriving", wherry::start_send_to(all.comm, to, values), [](flight& f) { f.test(); }, [](flight& f) { f.wait(); },
      [](flight& f) { f.algorithm(); });
  auto taken = wherry::start_send_to(all.comm, to, values);
  CHECK_EQUAL(taken.wait().all.size(), values.size());
  CHECK_THROWS_WITH(taken.wait(), "has already returned");
  using plan = wherry::sparse_plan<int>;
  answers(
      "sparse_plan", plan(all.comm, to), [](plan& p) { p.explain(); }, [&](plan& p) { p.start(values); },
      [](plan& p) { p.test(); }, [](plan& p) { p.wait(); }, [](plan& p) { p.transport(); },
      [&](plan& p) { p.start_answer(values); }, [](plan& p) { p.test_answer(); }, [](plan& p) { p.wait_answer(); });
}

WHERRY_TEST(moved_particle_exchanges_answer_by_errors, ranks(1, 2)) {
  const ring all(test);
  std::vector<double> x;
  using moves = wherry::particle_exchange<1>;
  const auto make = [&] { return moves(all.grid, {4 * all.size}, {.lower = {0}, .upper = {1}}); };
  answers(
      "particle_exchange", make(), [](moves& m) { m.neighbors(); }, [&](moves& m) { m.start(wherry::by_position(x)); },
      [](moves& m) { m.test(); }, [](moves& m) { m.wait(); }, [](moves& m) { m.permutation(); },
      [](moves& m) { m.owner_of({0.5}); }, [](moves& m) { m.comm(); });
  using copies = wherry::ghost_particles<1>;
  answers(
      "ghost_particles", copies(make(), 0.1), [](copies& g) { g.owned(); },
      [&](copies& g) { g.plan(wherry::by_position(x)); }, [&](copies& g) { g.start_fill(x); },
      [&](copies& g) { g.start_sum_back(x); }, [](copies& g) { g.test(); }, [](copies& g) { g.wait(); },
      [](copies& g) { g.count(); }, [](copies& g) { g.owner_of(0); }, [&](copies& g) { g.drop(x); },
      [](copies& g) { g.comm(); });
}

// What a move leaves behind is none that has begun, or an empty one, or what was there.
WHERRY_TEST(moved_values_are_values, ranks(1, 2)) {
  const ring all(test);
  // A move is a copy.
  auto grid = all.grid;
  const auto other_grid = std::move(grid);
  CHECK_EQUAL(grid.size(), other_grid.size());
  auto comm = all.comm;
  const auto other_comm = std::move(comm);
  CHECK_EQUAL(comm.size(), other_comm.size());
  std::vector<double> list(8);
  wherry::index_plan plan(all.comm, wherry::index_lists{}, list);
  const auto other_plan = std::move(plan);
  CHECK_EQUAL(plan.schedule().stages.size(), other_plan.schedule().stages.size());
  wherry::channels::segment_space space(all.comm);
  const auto other_space = std::move(space);
  CHECK_EQUAL(space.comm().size(), other_space.comm().size());
  wherry::thread_team team(2, [](auto work, void* what) {
    for (int number = 0; number < 2; ++number) work(what, number);
  });
  const auto other_team = std::move(team);
  int ran = 0;
  team.run([&](int) { ++ran; });
  CHECK_EQUAL(ran, other_team.size());
  const auto floor = all.cells().plan();
  auto builder = wherry::halo_motion(floor, wherry::halo_widths<1>(1), all.space);
  const auto other_builder = std::move(builder);
  CHECK(builder.plan().size() == other_builder.plan().size());
  auto cells = all.cells();
  wherry::movement move(builder, cells, cells);
  const auto other_move = std::move(move);
  wherry::mover({move})();
  // Empty.
  wherry::grid<double, 1> values(wherry::box<1>{{0}, {4}});
  const auto other_values = std::move(values);
  CHECK(values.cells().empty() && !other_values.cells().empty());
  wherry::deep::detail::address_table table;
  table.find_or_insert(&ran, 1);
  const auto other_table = std::move(table);
  CHECK(table.find(&ran) == nullptr && table.size() == 0 && other_table.find(&ran) != nullptr);
  CHECK_EQUAL(table.find_or_insert(&ran, 2), 2u);
}

// The classes that this file says nothing else of, and why a move does not hurt. The test of the headers reads it.
namespace {

[[maybe_unused]] const std::set<std::string> others{
    // values and handles that are copied, or left empty as a vector is
    "persistent", "segment_queue", "notification_words", "node_memory", "node_allocator", "any_communicator",
    "rank_placement", "mover_stages", "motion_plan", "index_motion_plan", "index_set", "box_index", "basic_floor_plan",
    "shape_hash", "shape_table", "index_table", "section_places", "schedule_builder", "error", "read_only_parts",
    "communicator", "process_grid", "index_plan", "segment_space", "thread_team", "motion_builder", "movement", "grid",
    "address_table", "stream_tag", "wait_for_requests", "figure_list", "reduction", "arrivals",
    // tried in moved_streams.cpp
    "in_flight", "byte_flight", "running_call",
    // views, which refer to what is somebody else's
    "small_float", "halo_view", "grid_view", "index_values", "integer_span", "memory_sink", "memory_source",
    "counting_sink", "leavers",
    // made for one call, or to derive from
    "destroyer", "destroy_pass", "byte_sink", "byte_source", "packed_stream", "carrier", "zeroed_memory",
    "unique_mpi_handle", "iterator"};

}  // namespace
