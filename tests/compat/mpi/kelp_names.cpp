// The rest of KeLP's names that move something: the order of arguments, the specialised movers, errors.
#include <initializer_list>
#include <vector>

#include "harness/harness.hpp"
#include "kelp/kelp.hpp"
#include "support/array_file_folder.hpp"

using namespace kelp;

namespace {

// One line of cells on each process, with the left neighbour's last cell before it and the right one's first behind.
FloorPlan1 lines() {
  FloorPlan1 F(nodes());
  for (int i = 0; i < nodes(); ++i) {
    F.setregion(i, Region1(10 * i - 1, 10 * i + 10));
    F.setowner(i, i);
  }
  return F;
}

Region1 core(int i) { return Region1(10 * i, 10 * i + 9); }

}  // namespace

WHERRY_TEST(kelp_movers, ranks(1, 2, 3, 4, 8)) {
  const KelpConfig config(test.comm);
  const FloorPlan1 F = lines();
  XArray1<Grid1<long>> S(F), D(F);
  MotionPlan1 M;
  for (int i = 0; i < F.size(); ++i)
    for (int j = 0; j < F.size(); ++j)
      if (j != i) M.Copy(F(i) * core(i) * F(j), F(j) * core(i) * F(i));
  const int me = self();
  Grid1<long>&s = S(me), &d = D(me);
  CHECK(s.present() && S.present(me) && S.owner(me) == me);
  const auto refill = [&] {
    for (index_t x = s.region().lower(0); x <= s.region().upper(0); ++x) {
      s(x) = 1000 + x;
      d(x) = x;
    }
  };
  // The ghost cells take `combine(there, arrived)`, all others stay.
  const auto check = [&](auto combine) {
    for (index_t x = d.region().lower(0); x <= d.region().upper(0); ++x) {
      const bool filled = !core(me).inside(Point1(x)) && x >= 0 && x < 10 * nodes();
      CHECK_EQUAL(d(x), filled ? combine(static_cast<long>(x), static_cast<long>(1000 + x)) : static_cast<long>(x));
    }
  };
  const auto store = [](long, long arrived) { return arrived; };
  refill();
  Mover1<Grid1<long>, long> as_in_figure_5(S, D, M);
  as_in_figure_5.execute();
  check(store);
  refill();
  Mover<1, Grid1<long>, long> as_in_the_text(M, S, D);
  as_in_the_text.start();
  while (!as_in_the_text.test()) {
  }
  check(store);
  refill();
  AggregateMover<1, Grid1<long>, long> aggregated(S, D, M);
  aggregated.execute();
  check(store);
  refill();
  PacketMover<1, Grid1<long>, long> in_packets(S, D, M, 8);
  in_packets.execute();
  check(store);
  refill();
  Mover1<Grid1<long>, long> transient(S, D, M, {.carry = {.keep_buffers = false}});
  transient.execute();
  check(store);
  refill();
  AddMover<1, Grid1<long>, long> adding(S, D, M);
  adding.execute();
  check([](long there, long arrived) { return there + arrived; });
  refill();
  UpdateMover<1, Grid1<long>, long> own(
      S, D, M, wherry::make_reduction<long>("own", [](long there, long arrived) { return 3 * there - arrived; }));
  own.execute();
  check([](long there, long arrived) { return 3 * there - arrived; });
}

namespace {

using line_mover = Mover1<Grid1<long>, long>;

// As a user derives one: counts, and changes what has arrived.
class DoublingMover final : public line_mover {
 public:
  DoublingMover(const XArray1<Grid1<long>>& S, XArray1<Grid1<long>>& D, const MotionPlan1& M)
      : line_mover(S, D, M), destination_(&D), plan_(M) {}
  void start() override {
    ++started;
    line_mover::start();
  }
  void wait() override {
    line_mover::wait();
    for (const auto& entry : plan_)
      if (destination_->present(entry.i))
        for (index_t x = entry.Rd.lower(0); x <= entry.Rd.upper(0); ++x) (*destination_)(entry.i)(x) *= 2;
  }
  int started = 0;

 private:
  XArray1<Grid1<long>>* destination_;
  MotionPlan1 plan_;
};

void carry(line_mover& any) {
  any.start();
  any.wait();
}

}  // namespace

WHERRY_TEST(kelp_movers_by_inheritance, ranks(1, 2, 3, 4)) {
  const KelpConfig config(test.comm);
  const FloorPlan1 F = lines();
  XArray1<Grid1<long>> S(F), D(F);
  MotionPlan1 M;
  const int n = nodes(), me = self();
  for (int i = 0; i < n; ++i) M.Copy(i, core(i), (i + 1) % n, core((i + 1) % n));
  S(me).fill(10 + me);
  DoublingMover doubling(S, D, M);
  line_mover plain(S, D, M);
  const long arrives = 10 + (me + n - 1) % n;
  for (line_mover* any : std::initializer_list<line_mover*>{&plain, &doubling}) {
    D(me).fill(-1);
    carry(*any);
    CHECK_EQUAL(D(me)(10 * me + 3), any == &plain ? arrives : 2 * arrives);
    CHECK_EQUAL(D(me)(10 * me - 1), -1);
  }
  doubling.execute();
  CHECK_EQUAL(doubling.started, 2);
}

WHERRY_TEST(kelp_edited_plans, ranks(1, 2, 3, 4)) {
  const KelpConfig config(test.comm);
  const FloorPlan1 F = lines();
  const int n = nodes(), me = self();
  MotionPlan1 M;  // one cell from each to each
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M.Copy(i, Region1(10 * i, 10 * i), j, Region1(10 * j + 1 + i, 10 * j + 1 + i));
  CHECK_EQUAL(M.remove_if([](const auto& entry) { return entry.i == entry.j; }), n);
  REQUIRE(M.size() == n * (n - 1));
  // What the first element gives comes from its last cell instead, and what comes from the last one not at all.
  for (int k = 1; k <= M.size(); ++k) {
    MotionPlanEntry<1> entry = M(k);
    if (entry.j != 0) continue;
    entry.Rs = Region1(9, 9);
    M.set(k, entry);
    CHECK(M(k) == entry);
  }
  for (int k = M.size(); k >= 1; --k)
    if (n > 2 && M(k).j == n - 1) M.remove(k);
  int seen = 0;
  for (const auto& entry : M) CHECK(entry == M(++seen));
  CHECK_EQUAL(seen, M.size());
  XArray1<Grid1<long>> S(F), D(F);
  for (index_t x = S(me).region().lower(0); x <= S(me).region().upper(0); ++x) S(me)(x) = x;
  D(me).fill(-1);
  line_mover(S, D, M).execute();
  for (int i = 0; i < n; ++i) {
    const bool gone = i == me || (n > 2 && i == n - 1);
    CHECK_EQUAL(D(me)(10 * me + 1 + i), gone ? -1 : i == 0 ? 9 : 10 * i);
  }
  MotionPlan1 twice;
  twice.append(M);
  twice.append(M);
  CHECK_EQUAL(twice.size(), 2 * M.size());
  twice.clear();
  CHECK_EQUAL(twice.size(), 0);
  CHECK_THROWS_WITH(M.remove(M.size() + 1), "no element");
  CHECK_THROWS_WITH(M.remove(0), "no element");
  CHECK_THROWS_WITH(M.set(M.size() + 1, {}), "no element");
}

// KeLP, section 2: the proxy moves while the program computes.
WHERRY_TEST(kelp_proxy, ranks(1, 2).not_simulated("a thread")) {
  int level = 0;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
  const KelpConfig config(test.comm);
  FloorPlan1 F(nodes());
  for (int i = 0; i < nodes(); ++i) {
    F.setregion(i, Region1(1, 1000));
    F.setowner(i, i);
  }
  XArray1<Grid1<int>> S(F), D(F);
  MotionPlan1 to_the_right;
  for (int i = 0; i < nodes(); ++i) to_the_right.Copy(F(i), F((i + 1) % nodes()));
  ProxyMover<1, Grid1<int>, int> proxy(S, D, to_the_right);
  for (int turn = 0; turn < 3; ++turn) {
    S(self()).fill(10 * turn + self());
    proxy.start();
    proxy.wait();
    const int expected = 10 * turn + (self() + nodes() - 1) % nodes();
    int wrong = 0;
    for (int x = 1; x <= 1000; ++x) wrong += D(self())(x) != expected;
    CHECK_EQUAL(wrong, 0);
  }
}

// "Different invocations of start() are guaranteed not to interfere", and regions of different shapes.
WHERRY_TEST(kelp_movers_in_flight, ranks(1, 2, 3, 4, 8)) {
  const KelpConfig config(test.comm);
  FloorPlan2 F(2 * nodes()), G(2 * nodes());
  for (int i = 0; i < F.size(); ++i) {
    F.setregion(i, Region2(0, 0, 5, 1));
    F.setowner(i, i % nodes());
    G.setregion(i, Region2(1, 1, 3, 4));
    G.setowner(i, (i + 1) % nodes());
  }
  XArray2<Grid2<double>> S(F), D(G);
  MotionPlan2 even, odd;
  for (int i = 0; i < F.size(); ++i) (i % 2 == 0 ? even : odd).Copy(F(i), G(F.size() - 1 - i));
  Mover2<Grid2<double>, double> m1(S, D, even), m2(S, D, odd);
  for (nodeIterator ni(S); ni; ++ni)
    for (int k = 0; k < 12; ++k) S(ni()).data()[k] = 100 * ni() + k;
  m1.start();
  m2.start();
  m1.wait();
  m2.wait();
  // Both are visited in column-major order, and both are dense.
  for (nodeIterator ni(D); ni; ++ni)
    for (int k = 0; k < 12; ++k) CHECK_EQUAL(D(ni()).data()[k], 100.0 * (F.size() - 1 - ni()) + k);
}

namespace {

class CountingDiskMover final : public DiskMover1<Grid1<long>> {
 public:
  using DiskMover1<Grid1<long>>::DiskMover;
  void wait() override {
    DiskMover1<Grid1<long>>::wait();
    ++written;
  }
  int written = 0;
};

}  // namespace

// KeLP, section 5: "Movers that transports data between disk and memory".
WHERRY_TEST(kelp_disk_movers, ranks(1, 2, 3, 4).not_simulated("simulated files have no contents")) {
  const KelpConfig config(test.comm);
  const wherry_test::folder place(test);
  const int n = nodes(), me = self();
  FloorPlan1 F(n), G(1);
  for (int i = 0; i < n; ++i) {
    F.setregion(i, core(i));
    F.setowner(i, i);
  }
  G.setregion(0, Region1(0, 10 * n - 1));
  G.setowner(0, n - 1);
  XArray1<Grid1<long>> U(F), whole(G);
  XArray2<Grid2<double>> V(FloorPlan2({Region2(0, 0, 3, 3)}, Map(1, n - 1)));
  const Region1 part(5, 5 * n);
  {
    DiskFile file(place / "steps");
    CountingDiskMover all(U, file, "U");
    DiskMover1<Grid1<long>> section(U, part, file, "part of U", 7);
    DiskMover2<Grid2<double>> other(V, file, "V");
    for (int step = 0; step < 3; ++step) {
      for (index_t x = 10 * me; x < 10 * me + 10; ++x) U(me)(x) = 1000 * step + x;
      all.execute();
      section.execute();
    }
    CHECK_EQUAL(all.written, 3);
    if (V.present(0)) V(0).fill(0.5);
    other.start();
    CHECK_THROWS_WITH(all.start(), "another array is still being written");
    other.wait();
  }
  const DiskFile file(place / "steps");
  CHECK(file.steps("U") == (std::vector<index_t>{0, 1, 2}) &&
        file.steps("part of U") == (std::vector<index_t>{7, 8, 9}));
  const auto check = [&](int step, const Region1& there) {
    for (index_t x = 0; whole.present(0) && x < 10 * n; ++x)
      CHECK_EQUAL(whole(0)(x), there.inside(Point1(x)) ? 1000 * step + x : -1);
  };
  const auto clear = [&] {
    if (whole.present(0)) whole(0).fill(-1);
  };
  for (int step = 0; step < 3; ++step) {
    clear();
    CHECK_EQUAL(file.read("U", step, whole), 10 * n);
    check(step, G(0));
    clear();
    file.read("U", step, whole, part);
    check(step, part);
    clear();
    CHECK_EQUAL(file.read("part of U", step + 7, whole), part.size());
    check(step, part);
  }
  if (V.present(0)) V(0).fill(0);
  file.read("V", 0, V);
  if (V.present(0)) CHECK(V(0)(0, 0) == 0.5 && V(0)(3, 3) == 0.5);
}

WHERRY_TEST(kelp_errors, ranks(1, 2, 3)) {
  CHECK_THROWS_WITH(nodes(), "KelpConfig");
  const KelpConfig config(test.comm);
  CHECK_EQUAL(nodes(), test.size);
  const FloorPlan1 F = lines();
  XArray1<Grid1<long>> U(F);
  using long_mover = Mover1<Grid1<long>, long>;
  MotionPlan1 outside, unequal, beyond;
  outside.Copy(0, Region1(0, 1), 0, Region1(20, 21));
  CHECK_THROWS_WITH(long_mover(U, U, outside), "not inside grid 0");
  unequal.Copy(0, Region1(0, 1), 0, Region1(4, 6));
  CHECK_THROWS_WITH(long_mover(U, U, unequal), "2 points");
  beyond.Copy(0, Region1(0, 1), nodes(), Region1(0, 1));
  CHECK_THROWS_WITH(long_mover(U, U, beyond), "does not exist");
  CHECK_THROWS_WITH(U(nodes()), "XArray");
  FloorPlan1 too_many(1);
  too_many.setowner(0, nodes());
  CHECK_THROWS_WITH((XArray1<Grid1<long>>(too_many)), "owner");
  {
    const KelpConfig inner(MPI_COMM_SELF);
    CHECK_EQUAL(nodes(), 1);
  }
  CHECK_EQUAL(nodes(), test.size);
}
