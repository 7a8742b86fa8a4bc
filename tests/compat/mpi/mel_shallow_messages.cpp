// MEL's messages and collectives beside plain MPI: the same arguments go to both, in the same order.
#include <complex>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"

using namespace mel_tests;
using MEL::Datatype;

namespace {

struct Particle {
  double mass;
  int charge;
  bool operator==(const Particle&) const = default;
};

// Sends three elements to the right, with tag 9, and looks at what MPI has received.
template <class T>
void sends(const wherry_test::context& test, const char* name, const std::vector<T>& data, auto send) {
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  std::vector<T> in(5);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_Irecv(in.data(), static_cast<int>(5 * sizeof(T)), MPI_BYTE, left, 9, test.comm, &request);
  MPI_Barrier(test.comm);  // Rsend wants a receive that waits
  send(data.data(), 3, right, 9, MEL::Comm(test.comm));
  MPI_Wait(&request, &status);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  in.resize(3);
  if (wherry_test::fault(bytes != static_cast<int>(3 * sizeof(T)) || in != data))
    FAIL(std::string(name) + " has sent something else");
}

// `call` in its four forms, or its two where it begins nothing.
template <bool Begins> void mode(const wherry_test::context& test, const char* name, auto call) {
  const std::vector<Particle> particles{{0.5, 1}, {1.5, 2}, {2.5, 3}};
  const std::vector<int> ints{7, 8, 9};
  const auto run = [&](auto... args) {
    if constexpr (Begins) {
      MEL::Request returned = call(args...), written;
      MEL::Wait(returned);
    } else {
      call(args...);
    }
  };
  const auto run_to_request = [&](auto... args) {
    MEL::Request request;
    call(args..., request);
    CHECK(request != MEL::Request());
    MEL::Wait(request);
  };
  const auto typed = [](auto how) {
    return [how](const void* p, int n, int to, int tag, MEL::Comm comm) { how(p, n, Datatype::INT, to, tag, comm); };
  };
  sends(test, name, ints, run);
  sends(test, name, particles, run);
  sends(test, name, ints, typed(run));
  if constexpr (Begins) {
    sends(test, name, ints, run_to_request);
    sends(test, name, particles, run_to_request);
    sends(test, name, ints, typed(run_to_request));
  }
}

// A type that MPI has must travel as that, so that plain MPI receives it.
template <class T> void found(const wherry_test::context& test, MPI_Datatype type) {
  const T there[2] = {T(3), T(1)};
  T here[2] = {T(0), T(0)};
  MEL::Request request = MEL::Isend(there, 2, test.rank, 4, MEL::Comm(test.comm));
  MPI_Recv(here, 2, type, test.rank, 4, test.comm, MPI_STATUS_IGNORE);
  MEL::Wait(request);
  CHECK(here[0] == there[0] && here[1] == there[1]);
  CHECK(MPI_Datatype(static_cast<const Datatype&>(MEL::detail::type_of<const T>("", 1))) == type);
}

}  // namespace

WHERRY_TEST(mel_sends, ranks(1, 2, 4)) {
  std::vector<char> buffer(1 << 16);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  if (test.size > 1) mode<false>(test, "Send", MEL_CALL(Send));
  mode<false>(test, "Bsend", MEL_CALL(Bsend));
  mode<false>(test, "Ssend", MEL_CALL(Ssend));
  mode<false>(test, "Rsend", MEL_CALL(Rsend));
  mode<true>(test, "Isend", MEL_CALL(Isend));
  mode<true>(test, "Ibsend", MEL_CALL(Ibsend));
  mode<true>(test, "Issend", MEL_CALL(Issend));
  mode<true>(test, "Irsend", MEL_CALL(Irsend));
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(&detached, &size);
}

WHERRY_TEST(mel_receives, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  const auto expected = own_numbers(left, 3);
  // In each form a message of three numbers with tag 5, into room for four.
  const auto receive = [&](const char* name, auto call) {
    const auto out = own_numbers(test.rank, 3);
    std::vector<int> in(4, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 3, MPI_INT, right, 5, test.comm, &request);
    const MEL::Status status = call(in.data());
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    numbers got(in.begin(), in.end());
    got.insert(got.end(), {status.MPI_SOURCE, status.MPI_TAG, mpi<int>(MPI_Get_count, &status, MPI_INT)});
    compare(name, got, {expected[0], expected[1], expected[2], -1, left, 5, 3});
  };
  const auto waited = [](MEL::Request request) { return MEL::Wait(request); };
  receive("Recv", [&](int* p) { return MEL::Recv(p, 4, left, 5, comm); });
  receive("Recv of a datatype", [&](int* p) { return MEL::Recv(p, 4, Datatype::INT, left, 5, comm); });
  receive("Irecv", [&](int* p) { return waited(MEL::Irecv(p, 4, left, 5, comm)); });
  receive("Irecv of a datatype", [&](int* p) { return waited(MEL::Irecv(p, 4, Datatype::INT, left, 5, comm)); });
  receive("Irecv to a request", [&](int* p) {
    MEL::Request request;
    MEL::Irecv(p, 4, left, 5, comm, request);
    return MEL::Wait(request);
  });
  receive("Irecv of a datatype to a request", [&](int* p) {
    MEL::Request request;
    MEL::Irecv(p, 4, Datatype::INT, left, 5, comm, request);
    return MEL::Wait(request);
  });
  receive("Probe", [&](int* p) {
    const MEL::Status status = MEL::Probe(left, 5, comm);
    CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 5);
    CHECK_EQUAL(MEL::ProbeGetCount(Datatype::INT, status), 3);
    CHECK_EQUAL(MEL::ProbeGetCount<int>(status), 3);
    CHECK_EQUAL(MEL::ProbeGetCount<std::int16_t>(status), 6);
    CHECK_EQUAL(MEL::ProbeGetCount(Datatype::CHAR, left, 5, comm), 12);
    CHECK_EQUAL(MEL::ProbeGetCount<int>(left, MEL::ANY_TAG, comm), 3);
    CHECK_EQUAL(MEL::ProbeGetCount<Particle>(status), MPI_UNDEFINED);
    while (!MEL::Iprobe(MEL::ANY_SOURCE, 5, comm).first) {
    }
    CHECK_EQUAL(MEL::Iprobe(left, 5, comm).second.MPI_TAG, 5);
    CHECK(!MEL::Iprobe(left, 98, comm).first);
    return MEL::Recv(p, 4, left, 5, comm);
  });
  // One object.
  const Particle mine{0.25, test.rank};
  Particle of_left{};
  MEL::Request request = MEL::Isend(&mine, 1, right, 6, comm);
  MEL::Recv(of_left, left, 6, comm);
  MEL::Wait(request);
  CHECK(of_left == (Particle{0.25, left}));
  MEL::Send(&mine, 1, MEL::PROC_NULL, 6, comm);
}

WHERRY_TEST(mel_types_of_pointers, ranks(1, 2, 4)) {
  found<char>(test, MPI_CHAR);
  found<signed char>(test, MPI_SIGNED_CHAR);
  found<unsigned char>(test, MPI_UNSIGNED_CHAR);
  found<wchar_t>(test, MPI_WCHAR);
  found<short>(test, MPI_SHORT);
  found<unsigned short>(test, MPI_UNSIGNED_SHORT);
  found<int>(test, MPI_INT);
  found<unsigned>(test, MPI_UNSIGNED);
  found<long>(test, MPI_LONG);
  found<unsigned long>(test, MPI_UNSIGNED_LONG);
  found<long long>(test, MPI_LONG_LONG);
  found<unsigned long long>(test, MPI_UNSIGNED_LONG_LONG);
  found<float>(test, MPI_FLOAT);
  found<double>(test, MPI_DOUBLE);
  found<long double>(test, MPI_LONG_DOUBLE);
  found<bool>(test, MPI_C_BOOL);
  found<std::complex<float>>(test, MPI_C_FLOAT_COMPLEX);
  found<std::complex<double>>(test, MPI_C_DOUBLE_COMPLEX);
  found<std::complex<long double>>(test, MPI_C_LONG_DOUBLE_COMPLEX);
}

namespace {

// The same call by MPI, by MEL, and begun in both forms.
struct collectives {
  const wherry_test::context& test;
  std::vector<int> send, receive;

  // `args(send, receive)` says with which arguments.
  template <class Args> void run(const char* name, auto by_mpi, auto by_mel, auto begun, Args args) {
    const auto result = [&](auto call) {
      send = own_numbers(test.rank, 64);
      receive.assign(64, -1);
      std::apply(call, args(send.data(), receive.data()));
      numbers all = as_numbers(receive);
      all.insert(all.end(), send.begin(), send.end());  // a broadcast changes these
      return all;
    };
    const numbers expected = result([&](const auto&... a) {
      if (by_mpi(a...) != MPI_SUCCESS) FAIL("a call of MPI fails");
    });
    compare(name, result([&](const auto&... a) { by_mel(a...); }), expected);
    compare(name, result([&](const auto&... a) {
              MEL::Request request = begun(a...);
              MEL::Wait(request);
            }),
            expected);
    compare(name, result([&](const auto&... a) {
              MEL::Request request;
              begun(a..., request);
              MEL::Wait(request);
            }),
            expected);
  }
};

}  // namespace

WHERRY_TEST(mel_collectives, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const Datatype INT = Datatype::INT, pair = MEL::TypeCreateContiguous(INT, 2);
  const MEL::Op SUM = MEL::Op::SUM;
  const int n = test.size, root = n - 1;
  // Rank r gives and gets r + 1 numbers; where they lie is not where they would by themselves.
  std::vector<int> counts, places, mine(static_cast<std::size_t>(n), test.rank + 1), back, bytes, back_bytes;
  for (int r = 0; r < n; ++r) {
    counts.push_back(r + 1);
    places.push_back(6 * (n - 1 - r));
    back.push_back(n == 1 ? 0 : 5 * r + 1);  // Open MPI 4.1's MPI_Alltoallw of one rank counts elements, not bytes
    bytes.push_back(4 * places.back());
    back_bytes.push_back(4 * back.back());
  }
  const std::vector<Datatype> types(static_cast<std::size_t>(n), INT);
  const int *c = counts.data(), *p = places.data(), *m = mine.data(), *q = back.data();
  collectives all{test, {}, {}};
  all.run("Bcast", MPI_Bcast, MEL_CALL(Bcast), MEL_CALL(Ibcast),
          [&](int* s, int*) { return std::tuple(s, 5, INT, root, comm); });
  all.run("Scatter", MPI_Scatter, MEL_CALL(Scatter), MEL_CALL(Iscatter),
          [&](int* s, int* r) { return std::tuple(s, 4, INT, r, 2, pair, root, comm); });
  all.run("Scatterv", MPI_Scatterv, MEL_CALL(Scatterv), MEL_CALL(Iscatterv),
          [&](int* s, int* r) { return std::tuple(s, c, p, INT, r, test.rank + 1, INT, root, comm); });
  all.run("Gather", MPI_Gather, MEL_CALL(Gather), MEL_CALL(Igather),
          [&](int* s, int* r) { return std::tuple(s, 2, pair, r, 4, INT, root, comm); });
  all.run("Gatherv", MPI_Gatherv, MEL_CALL(Gatherv), MEL_CALL(Igatherv),
          [&](int* s, int* r) { return std::tuple(s, test.rank + 1, INT, r, c, p, INT, root, comm); });
  all.run("Allgather", MPI_Allgather, MEL_CALL(Allgather), MEL_CALL(Iallgather),
          [&](int* s, int* r) { return std::tuple(s, 2, pair, r, 4, INT, comm); });
  all.run("Allgatherv", MPI_Allgatherv, MEL_CALL(Allgatherv), MEL_CALL(Iallgatherv),
          [&](int* s, int* r) { return std::tuple(s, test.rank + 1, INT, r, c, p, INT, comm); });
  all.run("Alltoall", MPI_Alltoall, MEL_CALL(Alltoall), MEL_CALL(Ialltoall),
          [&](int* s, int* r) { return std::tuple(s, 4, INT, r, 2, pair, comm); });
  all.run("Alltoallv", MPI_Alltoallv, MEL_CALL(Alltoallv), MEL_CALL(Ialltoallv),
          [&](int* s, int* r) { return std::tuple(s, c, p, INT, r, m, q, INT, comm); });
  all.run(
      "Alltoallw",
      [](const void* s, const int* sc, const int* sp, const Datatype* st, void* r, const int* rc, const int* rp,
         const Datatype* rt, MPI_Comm on) {
        const std::vector<MPI_Datatype> a(st, st + 4), b(rt, rt + 4);
        return MPI_Alltoallw(s, sc, sp, a.data(), r, rc, rp, b.data(), on);
      },
      MEL_CALL(Alltoallw), MEL_CALL(Ialltoallw),
      [&](int* s, int* r) {
        static const std::vector<Datatype> four(4, Datatype::INT);
        return std::tuple(s, c, bytes.data(), four.data(), r, m, back_bytes.data(), four.data(), comm);
      });
  all.run("Reduce", MPI_Reduce, MEL_CALL(Reduce), MEL_CALL(Ireduce),
          [&](int* s, int* r) { return std::tuple(s, r, 6, INT, SUM, root, comm); });
  all.run("Allreduce", MPI_Allreduce, MEL_CALL(Allreduce), MEL_CALL(Iallreduce),
          [&](int* s, int* r) { return std::tuple(s, r, 6, INT, SUM, comm); });
  // Of a pointer's type.
  all.run(
      "Bcast of a type",
      [](int* s, int count, int from, MPI_Comm on) { return MPI_Bcast(s, count, MPI_INT, from, on); }, MEL_CALL(Bcast),
      MEL_CALL(Ibcast), [&](int* s, int*) { return std::tuple(s, 5, root, comm); });
  Particle particle = test.rank == root ? Particle{0.5, 4} : Particle{};
  MEL::Bcast(particle, root, comm);
  CHECK(particle == (Particle{0.5, 4}));
  Datatype made = pair;
  MEL::TypeFree(made);
}
