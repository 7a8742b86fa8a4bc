// Boost.MPI, which serialises with MPI_Pack.
#include <memory>

#include "deep/peers.hpp"

#if defined(BENCH_WITH_BOOST_MPI)

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>

#include "deep/boost_types.hpp"
#include "deep/codec_contenders.hpp"

namespace bench::deep {
namespace {

template <class Structure> contenders all(const job<Structure>& work) {
  if (work.what != operation::broadcast && work.what != operation::send) return {};
  const auto arrived = std::make_shared<Structure>();
  return {detail::holding("Boost.MPI", "serialiser", work, arrived, [work, arrived] {
    on_deep_stack([&] {
      const boost::mpi::communicator comm(work.comm, boost::mpi::comm_attach);
      // begin: what a user writes (Boost.MPI)
      if (work.what == operation::broadcast) {
        // By its type, a broadcast may write to its argument on the root, too.
        boost::mpi::broadcast(comm, comm.rank() == 0 ? const_cast<Structure&>(*work.original) : *arrived, 0);
      } else if (comm.rank() == 0) {
        comm.send(1, 0, *work.original);
      } else if (comm.rank() == 1) {
        comm.recv(0, 0, *arrived);
      }
      // end
    });
  })};
}

}  // namespace

contenders boost_mpi(const job<scene>& work) { return all(work); }
contenders boost_mpi(const job<graph>& work) { return all(work); }
std::vector<left_out> absent_boost_mpi() { return {}; }

}  // namespace bench::deep

#else

namespace bench::deep {

contenders boost_mpi(const job<scene>&) { return {}; }
contenders boost_mpi(const job<graph>&) { return {}; }
std::vector<left_out> absent_boost_mpi() {
  return {{"Boost.MPI",
           "not found for this MPI when CMake ran (Debian's is built for its Open MPI: libboost-mpi1.81-dev)"}};
}

}  // namespace bench::deep

#endif
