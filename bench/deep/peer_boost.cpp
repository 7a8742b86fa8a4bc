// Boost.Serialization's binary archives.
#include "deep/peers.hpp"

#if defined(BENCH_WITH_BOOST)

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>

#include "deep/boost_types.hpp"
#include "deep/codec_contenders.hpp"

namespace bench::deep {
namespace {

template <class Structure> contenders all(const job<Structure>& work) {
  return make_contenders<Structure>("Boost", work,
                                    {[](const Structure& from, std::streambuf& to) {
                                       boost::archive::binary_oarchive(to, boost::archive::no_header) << from;
                                     },
                                     [](std::streambuf& from, Structure& to) {
                                       boost::archive::binary_iarchive(from, boost::archive::no_header) >> to;
                                     }});
}

}  // namespace

contenders boost_serialization(const job<scene>& work) { return all(work); }
contenders boost_serialization(const job<graph>& work) { return all(work); }
std::vector<left_out> absent_boost() { return {}; }

}  // namespace bench::deep

#else

namespace bench::deep {

contenders boost_serialization(const job<scene>&) { return {}; }
contenders boost_serialization(const job<graph>&) { return {}; }
std::vector<left_out> absent_boost() {
  return {{"Boost.Serialization", "not found when CMake ran (Debian: libboost-serialization1.81-dev)"}};
}

}  // namespace bench::deep

#endif
