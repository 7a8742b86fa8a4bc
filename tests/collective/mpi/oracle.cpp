#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "movement.hpp"

namespace collective_oracle {
namespace {

std::vector<int> multiples(int count, int size) {
  std::vector<int> places(at(size));
  for (int r = 0; r < size; ++r) places[at(r)] = r * count;
  return places;
}

void make_movement(kind what, movement m, MPI_Comm comm) {
  auto& made = m.made;
  const int rank = m.f.rank, size = m.f.size;
  const int root = m.f.common.between(0, size - 1);
  const bool in_place = m.f.common.chance(25);
  const auto own = [&](int r) { return r; };
  switch (what) {
    case kind::barrier:
      made.what = call::barrier(comm);
      return;
    case kind::bcast: {
      const int count = m.count();
      const auto t = m.type();
      m.receive_one(root, count, t);
      if (rank == root) made.receive = made.expected;
      made.what = call::bcast(made.receive.data(), count, t.type, root, comm);
      return;
    }
    case kind::gather:
    case kind::allgather: {
      const int count = m.count();
      const auto from = m.type(), to = m.type();
      const bool receives = what == kind::allgather || rank == root;
      m.send_one(rank, count, from);
      if (receives) m.receive_each(std::vector<int>(at(size), count), multiples(count, size), count * size, to, own);
      const bool here = in_place && receives;
      if (here) put(made.receive, to, rank * count, count, m.seed, rank);
      const void* const send = here ? MPI_IN_PLACE : made.send.data();
      made.what = what == kind::gather
                      ? call::gather(send, count, from.type, made.receive.data(), count, to.type, root, comm)
                      : call::allgather(send, count, from.type, made.receive.data(), count, to.type, comm);
      return;
    }
    case kind::gatherv:
    case kind::allgatherv: {
      std::vector<int> counts;
      for (int r = 0; r < size; ++r) counts.push_back(m.count());
      const auto from = m.type(), to = mpich ? m.type_of_all() : m.type();
      const bool receives = what == kind::allgatherv || rank == root;
      m.send_one(rank, counts[at(rank)], from);
      made.receive_counts = counts;
      const int whole = scatter_places(m.f.own, counts, made.receive_places);
      if (receives) m.receive_each(counts, made.receive_places, whole, to, own);
      const bool here = in_place && receives;
      if (here) put(made.receive, to, made.receive_places[at(rank)], counts[at(rank)], m.seed, rank);
      const void* const send = here ? MPI_IN_PLACE : made.send.data();
      made.what = what == kind::gatherv
                      ? call::gatherv(send, counts[at(rank)], from.type, made.receive.data(),
                                      made.receive_counts.data(), made.receive_places.data(), to.type, root, comm)
                      : call::allgatherv(send, counts[at(rank)], from.type, made.receive.data(),
                                         made.receive_counts.data(), made.receive_places.data(), to.type, comm);
      return;
    }
    case kind::scatter: {
      const int count = m.count();
      const auto from = m.type(), to = m.type();
      if (rank == root) m.send_each(std::vector<int>(at(size), count), multiples(count, size), count * size, from, own);
      const bool here = in_place && rank == root;
      if (!here) m.receive_one(rank, count, to);
      made.what = call::scatter(made.send.data(), count, from.type, here ? MPI_IN_PLACE : made.receive.data(), count,
                                to.type, root, comm);
      return;
    }
    case kind::scatterv: {
      std::vector<int> counts;
      for (int r = 0; r < size; ++r) counts.push_back(m.count());
      const auto from = m.type(), to = m.type();
      made.send_counts = counts;
      const int whole = scatter_places(m.f.own, counts, made.send_places);
      if (rank == root) m.send_each(counts, made.send_places, whole, from, own);
      const bool here = in_place && rank == root;
      if (!here) m.receive_one(rank, counts[at(rank)], to);
      made.what = call::scatterv(made.send.data(), made.send_counts.data(), made.send_places.data(), from.type,
                                 here ? MPI_IN_PLACE : made.receive.data(), counts[at(rank)], to.type, root, comm);
      return;
    }
    case kind::alltoall: {
      const int count = m.count();
      const auto from = m.type(), to = m.type();
      const std::vector<int> counts(at(size), count);
      m.send_each(counts, multiples(count, size), count * size, from, [&](int r) { return rank * size + r; });
      m.receive_each(counts, multiples(count, size), count * size, to, [&](int r) { return r * size + rank; });
      if (in_place)
        for (int r = 0; r < size; ++r) put(made.receive, to, r * count, count, m.seed, rank * size + r);
      made.what = call::alltoall(in_place ? MPI_IN_PLACE : made.send.data(), count, from.type, made.receive.data(),
                                 count, to.type, comm);
      return;
    }
    case kind::alltoallv:
    case kind::alltoallw: {
      // From s to d; alike in both directions where it is in place.
      std::vector<int> all(at(size) * at(size));
      for (int s = 0; s < size; ++s)
        for (int d = 0; d < size; ++d) all[at(s * size + d)] = in_place && d < s ? all[at(d * size + s)] : m.count();
      std::vector<int> out(at(size)), in(at(size));
      for (int r = 0; r < size; ++r) {
        out[at(r)] = all[at(rank * size + r)];
        in[at(r)] = all[at(r * size + rank)];
      }
      const auto from = m.type(), to = m.type();
      made.send_counts = out;
      made.receive_counts = in;
      const int whole_out = scatter_places(m.f.own, out, made.send_places);
      const int whole_in = scatter_places(m.f.own, in, made.receive_places);
      m.send_each(out, made.send_places, whole_out, from, [&](int r) { return rank * size + r; });
      m.receive_each(in, made.receive_places, whole_in, to, [&](int r) { return r * size + rank; });
      if (in_place)
        for (int r = 0; r < size; ++r)
          put(made.receive, to, made.receive_places[at(r)], in[at(r)], m.seed, rank * size + r);
      const void* const send = in_place ? MPI_IN_PLACE : made.send.data();
      if (what == kind::alltoallv) {
        made.what =
            call::alltoallv(send, made.send_counts.data(), made.send_places.data(), from.type, made.receive.data(),
                            made.receive_counts.data(), made.receive_places.data(), to.type, comm);
        return;
      }
      for (auto& place : made.send_places) place *= 4 * from.extent;
      for (auto& place : made.receive_places) place *= 4 * to.extent;
      made.send_types.assign(at(size), from.type);
      made.receive_types.assign(at(size), to.type);
      made.what = call::alltoallw(send, made.send_counts.data(), made.send_places.data(), made.send_types.data(),
                                  made.receive.data(), made.receive_counts.data(), made.receive_places.data(),
                                  made.receive_types.data(), comm);
      return;
    }
    default:
      return;
  }
}

// ---- reductions ----

/// Products of 2 × 2 matrices of unsigned numbers: associative, not commutative, exact.
struct matrix {
  std::array<std::uint32_t, 4> of;
  matrix operator*(const matrix& b) const {
    return {{of[0] * b.of[0] + of[1] * b.of[2], of[0] * b.of[1] + of[1] * b.of[3], of[2] * b.of[0] + of[3] * b.of[2],
             of[2] * b.of[1] + of[3] * b.of[3]}};
  }
};

template <int Stride> void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
  auto* const left = static_cast<std::uint32_t*>(in);
  auto* const right = static_cast<std::uint32_t*>(inout);
  for (int e = 0; e < *count; ++e) {
    matrix a, b;
    for (int i = 0; i < 4; ++i) {
      a.of[at(i)] = left[(e * 4 + i) * Stride];
      b.of[at(i)] = right[(e * 4 + i) * Stride];
    }
    const auto c = a * b;
    for (int i = 0; i < 4; ++i) right[(e * 4 + i) * Stride] = c.of[at(i)];
  }
}

/// What is reduced: an operation on a type, how elements lie, and random ones.
struct arithmetic {
  MPI_Datatype type;
  MPI_Op op;
  int extent;                                                   // bytes
  std::function<void(std::byte* element, std::uint64_t)> fill;  // from a random number
};

template <class T> arithmetic of(MPI_Datatype type, MPI_Op op, int most) {
  return {type, op, sizeof(T), [most](std::byte* element, std::uint64_t random) {
            const T value = static_cast<T>(static_cast<int>(random % static_cast<unsigned>(2 * most + 1)) - most);
            std::memcpy(element, &value, sizeof value);
          }};
}

struct value_and_place {
  double value;
  int place;
};

arithmetic random_arithmetic(random_numbers& random, trial& made, bool may_have_gaps) {
  switch (random.between(0, 9)) {
    case 0:
      return of<int>(MPI_INT, MPI_SUM, 1000);
    case 1:
      return of<double>(MPI_DOUBLE, MPI_SUM, 1000);
    case 2:
      return of<double>(MPI_DOUBLE, MPI_MAX, 1000);
    case 3:
      return of<float>(MPI_FLOAT, MPI_MIN, 1000);
    case 4:
      return of<std::uint8_t>(MPI_UINT8_T, MPI_BXOR, 100);
    case 5:
      return of<std::int64_t>(MPI_INT64_T, MPI_PROD, 5);
    case 6:
      return of<int>(MPI_INT, MPI_LAND, 1);
    case 7:
      return {MPI_DOUBLE_INT, MPI_MAXLOC, sizeof(value_and_place), [](std::byte* element, std::uint64_t number) {
                const double value = static_cast<double>(number % 3);
                const int place = static_cast<int>(number / 3 % 100);
                std::memcpy(element + offsetof(value_and_place, value), &value, sizeof value);
                std::memcpy(element + offsetof(value_and_place, place), &place, sizeof place);
              }};
    default:
      break;
  }
  const bool strided = random.chance(50) && may_have_gaps;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (strided) {
    MPI_Datatype plain = MPI_DATATYPE_NULL;
    MPI_Type_vector(4, 1, 2, MPI_UINT32_T, &plain);
    MPI_Type_create_resized(plain, 0, 32, &type);
    MPI_Type_free(&plain);
  } else {
    MPI_Type_contiguous(4, MPI_UINT32_T, &type);
  }
  MPI_Type_commit(&type);
  made.types_to_free.push_back(type);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(strided ? multiply<2> : multiply<1>, 0, &op);
  made.ops_to_free.push_back(op);
  return {type, op, strided ? 32 : 16, [strided](std::byte* element, std::uint64_t number) {
            for (int i = 0; i < 4; ++i) {
              const auto value = static_cast<std::uint32_t>(hash(number, i));
              std::memcpy(element + 4 * i * (strided ? 2 : 1), &value, 4);
            }
          }};
}

struct contributions {
  const arithmetic& a;
  std::uint64_t seed;
  std::vector<std::byte> of(int rank, int count) const {
    std::vector<std::byte> vector(at(count) * at(a.extent), untouched);
    for (int i = 0; i < count; ++i) a.fill(vector.data() + at(i) * at(a.extent), hash(seed, rank, i));
    return vector;
  }
  /// x(0) op … op x(last), from the left.
  std::vector<std::byte> reduced(int last, int count) const {
    auto all = of(0, count);
    for (int r = 1; r <= last; ++r) {
      auto next = of(r, count);
      if (count > 0) MPI_Reduce_local(all.data(), next.data(), count, a.type, a.op);
      all = std::move(next);
    }
    return all;
  }
};

void make_reduction(kind what, trial& made, figures& f, int version, MPI_Comm comm) {
  const bool scatters = what == kind::reduce_scatter || what == kind::reduce_scatter_block;
  const auto a = random_arithmetic(f.common, made, !(mpich && scatters));
  const contributions from{a, hash(f.common.next(), version)};
  const int root = f.common.between(0, f.size - 1);
  const bool in_place = f.common.chance(30) && !(mpich && what == kind::reduce && root != 0);
  const auto count_of_block = [&] { return f.common.chance(15) ? 0 : f.common.between(1, f.most); };
  int count = count_of_block(), before = 0, mine = count;
  if (what == kind::reduce_scatter) {
    count = 0;
    for (int r = 0; r < f.size; ++r) {
      if (r == f.rank) before = count;
      made.receive_counts.push_back(count_of_block());
      count += made.receive_counts.back();
    }
    mine = made.receive_counts[at(f.rank)];
  } else if (what == kind::reduce_scatter_block) {
    before = f.rank * count;
    count *= f.size;
  }
  made.send = from.of(f.rank, count);
  const bool has_result = what == kind::reduce ? f.rank == root : what != kind::exscan || f.rank > 0;
  const bool here = in_place && (what != kind::reduce || f.rank == root);
  const int whole = here ? std::max(count, mine) : mine;
  made.receive.assign(at(whole) * at(a.extent) + 4, untouched);
  if (here && count > 0) std::memcpy(made.receive.data(), made.send.data(), made.send.size());
  made.expected = made.receive;
  if (has_result && mine > 0) {
    const int last = what == kind::scan ? f.rank : what == kind::exscan ? f.rank - 1 : f.size - 1;
    const auto all = from.reduced(last, count);
    std::memcpy(made.expected.data(), all.data() + at(before) * at(a.extent), at(mine) * at(a.extent));
  }
  // A result's gaps, and what lies behind a scattered one in place, are nobody's promise.
  const void* const send = here ? MPI_IN_PLACE : made.send.data();
  switch (what) {
    case kind::reduce:
      made.what = call::reduce(send, made.receive.data(), count, a.type, a.op, root, comm);
      break;
    case kind::allreduce:
      made.what = call::allreduce(send, made.receive.data(), count, a.type, a.op, comm);
      break;
    case kind::scan:
      made.what = call::scan(send, made.receive.data(), count, a.type, a.op, comm);
      break;
    case kind::exscan:
      made.what = call::exscan(send, made.receive.data(), count, a.type, a.op, comm);
      break;
    case kind::reduce_scatter:
      made.what = call::reduce_scatter(send, made.receive.data(), made.receive_counts.data(), a.type, a.op, comm);
      break;
    default:
      made.what = call::reduce_scatter_block(send, made.receive.data(), mine, a.type, a.op, comm);
      break;
  }
  made.compared_elements = has_result ? mine : here ? count : 0;
  made.compared_type = a.type;
  made.extent = a.extent;
}

/// The data of a type without its gaps.
std::vector<std::byte> packed(const std::vector<std::byte>& from, int count, MPI_Datatype type) {
  if (count == 0) return {};
  int bytes = 0, position = 0;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &bytes);
  std::vector<std::byte> to(at(bytes));
  MPI_Pack(from.data(), count, type, to.data(), bytes, &position, MPI_COMM_SELF);
  to.resize(at(position));
  return to;
}

std::string difference(const std::vector<std::byte>& is, const std::vector<std::byte>& should_be) {
  if (is.size() != should_be.size()) return "another size";
  const auto [a, b] = std::mismatch(is.begin(), is.end(), should_be.begin());
  if (a == is.end()) return {};
  return "byte " + std::to_string(a - is.begin()) + " of " + std::to_string(is.size()) + " is " +
         std::to_string(static_cast<int>(*a)) + ", should be " + std::to_string(static_cast<int>(*b));
}

}  // namespace

trial::~trial() {
  for (auto& type : types_to_free) MPI_Type_free(&type);
  for (auto& op : ops_to_free) MPI_Op_free(&op);
}

void trial::move_to_node_memory(const wherry::communicator& comm) {
  const auto moved = [&](std::vector<std::byte>& from, const void* pointer, wherry::node_memory& to) -> void* {
    if (from.empty() || pointer != from.data()) return const_cast<void*>(pointer);
    to = wherry::node_memory(comm, from.size());
    std::memcpy(to.data(), from.data(), from.size());
    return to.data();
  };
  what.send = moved(send, what.send, send_of_node);
  what.receive = moved(receive, what.receive, receive_of_node);
}

void trial::take_contents_of(const trial& version) {
  const auto take = [](std::vector<std::byte>& to, const std::vector<std::byte>& from) {
    if (to.size() != from.size()) throw std::logic_error("a version of a trial has another size");
    std::copy(from.begin(), from.end(), to.begin());
  };
  take(send, version.send);
  take(receive, version.receive);
  take(expected, version.expected);
  take(sent, version.sent);
}

std::string trial::verdict() {
  if (send_of_node.data() != nullptr) std::memcpy(send.data(), send_of_node.data(), send.size());
  if (receive_of_node.data() != nullptr) std::memcpy(receive.data(), receive_of_node.data(), receive.size());
  if (send != sent) return name + ": the send buffer has changed";
  const auto wrong = compared_type != MPI_DATATYPE_NULL ? difference(packed(receive, compared_elements, compared_type),
                                                                     packed(expected, compared_elements, compared_type))
                                                        : difference(receive, expected);
  return wrong.empty() ? wrong : name + ": " + wrong;
}

std::unique_ptr<trial> random_trial(random_numbers& random, kind what, MPI_Comm comm, int most, int version) {
  auto made = std::make_unique<trial>();
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const auto seed = random.next();
  figures f{random, random_numbers(hash(seed, rank)), rank, size, most};
  switch (what) {
    case kind::reduce:
    case kind::allreduce:
    case kind::scan:
    case kind::exscan:
    case kind::reduce_scatter:
    case kind::reduce_scatter_block:
      make_reduction(what, *made, f, version, comm);
      break;
    default:
      make_movement(what, {*made, f, hash(seed, version), random.between(1, 3)}, comm);
      break;
  }
  made->sent = made->send;
  made->name = std::string(name_of(what)) + (made->what.send == MPI_IN_PLACE ? " in place" : "") +
               (made->ops_to_free.empty() ? "" : ", an operation of the user's") + ", extent " +
               std::to_string(made->extent) + ", seed " + std::to_string(seed);
  return made;
}

}  // namespace collective_oracle
