// MEL's communicators, groups, topologies and requests beside plain MPI.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"

using namespace mel_tests;

namespace {

// Ranks and their order.
numbers shape(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {-1};
  int rank = 0, size = 0, world_rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  std::vector<int> all(static_cast<std::size_t>(size));
  MPI_Allgather(&world_rank, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
  numbers out{rank};
  out.insert(out.end(), all.begin(), all.end());
  return out;
}
numbers shape_and_free(MPI_Comm comm) {
  numbers out = shape(comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  return out;
}
numbers shape_and_free(MEL::Comm comm) {
  numbers out = shape(comm);
  MEL::CommFree(comm);
  CHECK(MEL::CommIsNULL(comm));
  return out;
}

// Its members, as ranks of `all`.
numbers members(MPI_Group group, MPI_Group all) {
  int size = 0;
  MPI_Group_size(group, &size);
  std::vector<int> from(static_cast<std::size_t>(size)), to(from.size());
  std::iota(from.begin(), from.end(), 0);
  MPI_Group_translate_ranks(group, size, from.data(), all, to.data());
  return as_numbers(to);
}
numbers members_and_free(MPI_Group group, MPI_Group all) {
  numbers out = members(group, all);
  if (group != MPI_GROUP_EMPTY) MPI_Group_free(&group);
  return out;
}
numbers members_and_free(MEL::Group group, MPI_Group all) {
  numbers out = members(group, all);
  if (group != MPI_GROUP_EMPTY) MEL::GroupFree(group);
  CHECK(MEL::GroupIsNULL(group) || group == MPI_GROUP_EMPTY);
  return out;
}

}  // namespace

WHERRY_TEST(mel_comms, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const int colour = test.rank % 2;
  const MEL::Group all = MEL::CommGetGroup(comm);
  const MEL::Group first = MEL::GroupInclude(all, std::vector{0});
  CHECK(MPI_Comm(comm) == test.comm && comm == test.comm);
  compare({
      {"CommRank", [&] { return numbers{MEL::CommRank(comm)}; }, [&] { return numbers{test.rank}; }},
      {"CommSize", [&] { return numbers{MEL::CommSize(comm)}; }, [&] { return numbers{test.size}; }},
      {"CommSplit", [&] { return shape_and_free(MEL::CommSplit(comm, colour)); },
       [&] { return shape_and_free(mpi<MPI_Comm>(MPI_Comm_split, test.comm, colour, test.rank)); }},
      {"CommDuplicate", [&] { return shape_and_free(MEL::CommDuplicate(comm)); },
       [&] { return shape_and_free(mpi<MPI_Comm>(MPI_Comm_dup, test.comm)); }},
      {"CommIduplicate",
       [&] {
         auto [made, request] = MEL::CommIduplicate(comm);
         MEL::Wait(request);
         return shape_and_free(made);
       },
       [&] { return shape_and_free(mpi<MPI_Comm>(MPI_Comm_dup, test.comm)); }},
      {"CommIduplicate to a request",
       [&] {
         MEL::Request request;
         const MEL::Comm made = MEL::CommIduplicate(comm, request);
         MEL::Wait(request);
         CHECK(request == MEL::Request::REQUEST_NULL);
         return shape_and_free(made);
       },
       [&] { return shape_and_free(mpi<MPI_Comm>(MPI_Comm_dup, test.comm)); }},
      {"CommCreateFromGroup", [&] { return shape_and_free(MEL::CommCreateFromGroup(comm, first)); },
       [&] { return shape_and_free(mpi<MPI_Comm>(MPI_Comm_create, test.comm, first)); }},
      {"CommCreateFromGroup with a tag",
       [&] { return test.rank == 0 ? shape_and_free(MEL::CommCreateFromGroup(comm, first, 5)) : numbers{}; },
       [&] {
         return test.rank == 0 ? shape_and_free(mpi<MPI_Comm>(MPI_Comm_create_group, test.comm, first, 5)) : numbers{};
       }},
  });
  // Several at once, in each form; null ones are nothing.
  MEL::Comm a = MEL::CommDuplicate(comm), b = MEL::CommDuplicate(comm), c;
  std::vector<MEL::Comm> more{MEL::CommDuplicate(comm), MEL::Comm(), MEL::CommDuplicate(comm)};
  MEL::CommFree(a, c, more, b);
  CHECK(MEL::CommIsNULL(a) && MEL::CommIsNULL(b) && std::ranges::all_of(more, MEL::CommIsNULL));
  MEL::Group one = first, two = all;
  MEL::GroupFree(one, two);
  CHECK(one == MEL::Group::GROUP_NULL && two == MEL::Group());
  // From MPI's, and to MPI's.
  MEL::Comm other;
  other = MPI_COMM_SELF;
  CHECK(other == MEL::Comm::SELF && MEL::Comm::WORLD == MPI_COMM_WORLD && MEL::CommIsNULL(MEL::Comm::COMM_NULL));
  if (test.size > 1) {
    MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
    MPI_Comm_split(test.comm, test.rank == 0 ? 0 : 1, 0, &half);
    MPI_Intercomm_create(half, 0, test.comm, test.rank == 0 ? 1 : 0, 3, &between);
    CHECK_EQUAL(MEL::CommRemoteSize(MEL::Comm(between)), test.rank == 0 ? test.size - 1 : 1);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
}

WHERRY_TEST(mel_groups, ranks(1, 2, 4)) {
  MEL::Group all = MEL::CommGetGroup(MEL::Comm(test.comm));
  const MPI_Group whole = all;
  const std::vector<int> first{0}, last{test.size - 1};
  MEL::Group f = MEL::GroupInclude(all, first), l = MEL::GroupInclude(all, last.data(), 1);
  std::vector<int> backwards(static_cast<std::size_t>(test.size));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  MEL::Group r = MEL::GroupInclude(all, backwards);
  const auto compared = [&](const MEL::Group& a, const MEL::Group& b) {
    compare("GroupCompare", {MEL::GroupCompare(a, b)}, {mpi<int>(MPI_Group_compare, a, b)});
    const int how = mpi<int>(MPI_Group_compare, a, b);
    CHECK_EQUAL(MEL::GroupIsIdentical(a, b), how == MPI_IDENT);
    CHECK_EQUAL(MEL::GroupIsCongruent(a, b), how == MPI_CONGRUENT);
    CHECK_EQUAL(MEL::GroupIsSimilar(a, b), how == MPI_SIMILAR);
    CHECK_EQUAL(MEL::GroupIsUnequal(a, b), how == MPI_UNEQUAL);
  };
  for (const MEL::Group& x : {all, f, l, r})
    for (const MEL::Group& y : {all, f, l, r}) {
      compared(x, y);
      compare({
          {"GroupUnion", [&] { return members_and_free(MEL::GroupUnion(x, y), whole); },
           [&] { return members_and_free(mpi<MPI_Group>(MPI_Group_union, x, y), whole); }},
          {"GroupDifference", [&] { return members_and_free(MEL::GroupDifference(x, y), whole); },
           [&] { return members_and_free(mpi<MPI_Group>(MPI_Group_difference, x, y), whole); }},
          {"GroupIntersection", [&] { return members_and_free(MEL::GroupIntersection(x, y), whole); },
           [&] { return members_and_free(mpi<MPI_Group>(MPI_Group_intersection, x, y), whole); }},
      });
    }
  compare({
      {"GroupRank", [&] { return numbers{MEL::GroupRank(l)}; }, [&] { return numbers{mpi<int>(MPI_Group_rank, l)}; }},
      {"GroupSize", [&] { return numbers{MEL::GroupSize(all)}; }, [&] { return numbers{test.size}; }},
      {"GroupInclude", [&] { return members(r, whole); }, [&] { return as_numbers(backwards); }},
      {"GroupExclude", [&] { return members_and_free(MEL::GroupExclude(all, first), whole); },
       [&] { return members_and_free(mpi<MPI_Group>(MPI_Group_excl, all, 1, first.data()), whole); }},
      {"GroupExclude of an array", [&] { return members_and_free(MEL::GroupExclude(all, last.data(), 1), whole); },
       [&] { return members_and_free(mpi<MPI_Group>(MPI_Group_excl, all, 1, last.data()), whole); }},
  });
  std::vector<MEL::Group> several{f, l, r};
  MEL::GroupFree(several, all);
  CHECK(std::ranges::all_of(several, MEL::GroupIsNULL) && MEL::GroupIsNULL(all));
}

WHERRY_TEST(mel_topologies, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const auto square = MEL::TopoCartesianMakeDims(comm, 2);
  int fixed[2] = {0, 1}, as_mpi[2] = {0, 1};
  MEL::TopoCartesianMakeDims(comm, 2, fixed);
  MPI_Dims_create(test.size, 2, as_mpi);
  CHECK(fixed[0] == as_mpi[0] && fixed[1] == as_mpi[1]);
  int six[2] = {0, 0};
  MEL::TopoCartesianMakeDims(6, 2, six);
  CHECK(MEL::TopoCartesianMakeDims(6, 2) == (std::vector{six[0], six[1]}) && six[0] * six[1] == 6 &&
        square.size() == 2);

  // The first dimension is open, the second one closed: a swap of the two shows.
  const int dims[2] = {square[0], square[1]}, periods[2] = {0, 1};
  MEL::Comm grid = MEL::TopoCartesianCreate(comm, 2, dims, periods);
  MEL::Comm again = MEL::TopoCartesianCreate(comm, {{dims[0], false}, {dims[1], 1}});
  const MPI_Comm cart = mpi<MPI_Comm>(MPI_Cart_create, test.comm, 2, dims, periods, 0);
  int c[2] = {}, d[2] = {}, p[2] = {};
  MPI_Cart_get(cart, 2, d, p, c);
  for (const MEL::Comm& g : {grid, again}) {
    int sizes[2] = {}, closed[2] = {}, coords[2] = {}, before = 0, behind = 0;
    MEL::TopoCartesianGet(g, 2, sizes, closed, coords);
    const auto [here, all_dims] = MEL::TopoCartesianGet(g);
    CHECK(sizes[0] == d[0] && sizes[1] == d[1] && closed[0] == 0 && closed[1] == 1 &&
          here == (std::vector{c[0], c[1]}));
    CHECK(coords[0] == c[0] && coords[1] == c[1] && all_dims.size() == 2 && all_dims[0].size == d[0]);
    CHECK(all_dims[0].periodic == 0 && all_dims[1].periodic == 1 && MEL::TopoCartesianNumDims(g) == 2);
    CHECK(MEL::TopoCartesianCoords(g) == here && MEL::TopoCartesianCoords(g, test.rank) == here);
    CHECK(MEL::TopoCartesianCoords(g, test.rank, 2) == here);
    MEL::TopoCartesianCoords(g, 0, 2, coords);
    CHECK(coords[0] == 0 && coords[1] == 0);
    CHECK(MEL::TopoCartesianRank(g, c) == test.rank && MEL::TopoCartesianRank(g, here) == test.rank);
    for (int dimension = 0; dimension < 2; ++dimension) {
      int mpi_before = 0, mpi_behind = 0;
      MPI_Cart_shift(cart, dimension, 1, &mpi_before, &mpi_behind);
      MEL::TopoCartesianShift(g, dimension, 1, before, behind);
      CHECK(before == mpi_before && behind == mpi_behind);
      CHECK(MEL::TopoCartesianShift(g, dimension, 1) == std::pair(before, behind));
    }
    // All around, from below on.
    const auto five = MEL::TopoCartesianStencil2D5P(g);
    const auto nine = MEL::TopoCartesianStencil2D9P(g);
    const auto at = [&](int dx, int dy) {
      const int there[2] = {c[0] + dx, c[1] + dy};
      return there[0] < 0 || there[0] >= d[0] ? MPI_PROC_NULL : mpi<int>(MPI_Cart_rank, cart, &there[0]);
    };
    CHECK(five.x0 == at(-1, 0) && five.x1 == at(1, 0) && five.y0 == at(0, -1) && five.y1 == at(0, 1));
    CHECK(nine.x0 == five.x0 && nine.x1 == five.x1 && nine.y0 == five.y0 && nine.y1 == five.y1);
    CHECK(nine.x0y0 == at(-1, -1) && nine.x0y1 == at(-1, 1) && nine.x1y0 == at(1, -1) && nine.x1y1 == at(1, 1));
    compare("CartesianStencil2D5P", {five[0], five[1], five[2], five[3], five[4]},
            {five.y0, five.x1, five.y1, five.x0, MPI_PROC_NULL});
    compare("CartesianStencil2D9P", {nine[0], nine[1], nine[2], nine[3], nine[4], nine[5], nine[6], nine[7], nine[8]},
            {nine.y0, nine.x1y0, nine.x1, nine.x1y1, nine.y1, nine.x0y1, nine.x0, nine.x0y0, MPI_PROC_NULL});
  }
  const MEL::Comm line = MEL::TopoCartesianCreate(comm, {MEL::TopoCartesian_Dim(test.size, true)});
  CHECK_THROWS_WITH(MEL::TopoCartesianStencil2D9P(line), "has 2 dimensions, but the communicator has 1");
  CHECK_THROWS_WITH(MEL::TopoCartesianRank(line, std::vector{0, 0}), "'coords' has 2 entries, expected 1");
  CHECK(MEL::CartesianStencil2D5P()[0] == MEL::PROC_NULL && MEL::TopoCartesian_Dim().size == 0);
  MEL::Comm of_mpi(cart), of_line = line;
  MEL::CommFree(grid, again, of_mpi, of_line);
}

WHERRY_TEST(mel_requests, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  std::array<int, 4> in{}, out{};
  std::vector<MEL::Request> all;
  // Four messages of one number to the right, with tags 0 to 3.
  const auto begin = [&] {
    in.fill(-1);
    all.assign(8, MEL::Request());
    for (int i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out[at] = 10 * test.rank + i;
      all[at] = MEL::Irecv(&in[at], 1, left, i, comm);
      all[4 + at] = MEL::Isend(&out[at], 1, right, i, comm);
    }
  };
  const auto arrived = [&] {
    for (int i = 0; i < 4; ++i) CHECK_EQUAL(in[static_cast<std::size_t>(i)], 10 * left + i);
    for (const MEL::Request& request : all) CHECK(request == MPI_REQUEST_NULL);
  };
  const auto each = [&](const std::vector<int>& indices, int& done) {
    for (int i : indices) CHECK(i >= 0 && i < 8);
    done += static_cast<int>(indices.size());
  };
  begin();
  for (MEL::Request& request : all) MEL::Wait(request);
  arrived();
  begin();
  for (MEL::Request& request : all)
    while (!MEL::Test(request)) {
    }
  arrived();
  for (const bool by_pointer : {true, false}) {
    MEL::Request* p = nullptr;
    const auto start = [&] {
      begin();
      p = all.data();
    };
    start();
    by_pointer ? MEL::Waitall(p, 8) : MEL::Waitall(all);
    arrived();
    start();
    while (!(by_pointer ? MEL::Testall(p, 8) : MEL::Testall(all))) {
    }
    arrived();
    start();
    for (int done = 0; done < 8; ++done) CHECK((by_pointer ? MEL::Waitany(p, 8) : MEL::Waitany(all)) < 8);
    CHECK_EQUAL(by_pointer ? MEL::Waitany(p, 8) : MEL::Waitany(all), MPI_UNDEFINED);
    arrived();
    start();
    for (int done = 0; done < 8;) {
      const auto [one, index] = by_pointer ? MEL::Testany(p, 8) : MEL::Testany(all);
      done += one ? 1 : 0;
      CHECK(!one || (index >= 0 && index < 8));
    }
    arrived();
    start();
    for (int done = 0; done < 8;) each(by_pointer ? MEL::Waitsome(p, 8) : MEL::Waitsome(all), done);
    CHECK((by_pointer ? MEL::Waitsome(p, 8) : MEL::Waitsome(all)).empty());
    arrived();
    start();
    for (int done = 0; done < 8;) each(by_pointer ? MEL::Testsome(p, 8) : MEL::Testsome(all), done);
    arrived();
  }
  MEL::Request request = MEL::Ibarrier(comm), other;
  MEL::Wait(request);
  MEL::Ibarrier(comm, other);
  MEL::Wait(other);
  CHECK(request == MEL::Request() && other == MEL::Request(MPI_REQUEST_NULL));
  // Of a request that was made by MPI, the status.
  MPI_Request plain = MPI_REQUEST_NULL;
  MPI_Irecv(&in[0], 1, MPI_INT, left, 21, test.comm, &plain);
  MEL::Send(&out[0], 1, right, 21, comm);
  MEL::Request received(plain);
  const MEL::Status status = MEL::Wait(received);
  CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 21);
}
