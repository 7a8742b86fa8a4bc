// Wherry's contenders for messages: streamed, and packed before they are sent.
#include "wherry/deep/communicate.hpp"

#include "deep/guest.hpp"
#include "deep/ours.hpp"

namespace bench::deep {
namespace {

template <class Structure>
void move(const job<Structure>& work, const wherry::communicator& comm, Structure& to,
          const wherry::deep::options& how) {
  auto& source = const_cast<Structure&>(*work.original);
  // begin: what a user writes (call)
  if (work.what == operation::broadcast) {
    wherry::deep::bcast(comm, comm.rank() == 0 ? source : to, 0, how);
  } else if (comm.rank() == 0) {
    wherry::deep::send(comm, source, 1, how);
  } else if (comm.rank() == 1) {
    wherry::deep::receive(comm, to, 0, how);
  }
  // end
}

template <class Structure> contenders all(const job<Structure>& work) {
  const wherry::communicator comm(work.comm);
  contenders result;
  for (const bool packed_first : {false, true})
    for (const auto& [how, name] : arrivals) {
      if (packed_first && how == arrival::cold_arena) continue;
      result.push_back(arriving<Structure>(work, packed_first ? std::string(name) + ", packed first" : name, how,
                                           [work, comm, packed_first](Structure& to, wherry::deep::arena* arena) {
                                             move(work, comm, to, {.buffered = packed_first, .arena = arena});
                                           }));
    }
  return result;
}

}  // namespace

contenders our_messages(const job<scene>& work) { return all(work); }
contenders our_messages(const job<graph>& work) { return all(work); }

}  // namespace bench::deep
