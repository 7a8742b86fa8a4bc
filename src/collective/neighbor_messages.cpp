#include "neighbor_messages.hpp"

#include <cstring>
#include <vector>

#include "agreed_messages.hpp"
#include "mailboxes.hpp"
#include "messages.hpp"
#include "neighborhood.hpp"

namespace wherry::collective {
namespace {

class edges {
 public:
  edges(const dense_call& call, neighbors with) : call_(call), with_(with) {}

  template <class Messages> void receive(Messages& messages) const {
    for (const int i : call_.arrivals != nullptr ? call_.arrivals->by_rank : call_.around->sources_by_rank()) {
      const int from = sources()[at(i)];
      if (takes_part(from, call_.around->source_members()[at(i)]) && from != call_.rank)
        messages.receive(call_.output.at(i), call_.output.bytes(i), from);
    }
  }

  template <class Messages> void send(Messages& messages) const {
    for (const int i : call_.around->destinations_by_rank()) {
      const int to = call_.around->destinations()[at(i)], block = number_of_block(i);
      if (takes_part(to, call_.around->destination_members()[at(i)]) && to != call_.rank)
        messages.send(call_.input.at(block), call_.input.bytes(block), to);
    }
  }

  void copy_own() const {
    for (int i = 0; i < static_cast<int>(sources().size()); ++i) {
      if (sources()[at(i)] != call_.rank || with_ == neighbors::of_other_nodes) continue;
      const auto* const from = call_.input.at(call_.arrivals != nullptr ? call_.arrivals->numbers[at(i)] : 0);
      if (const auto bytes = call_.output.bytes(i); bytes > 0)
        std::memcpy(call_.output.at(i), from, static_cast<std::size_t>(bytes));
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const std::vector<int>& sources() const { return call_.around->sources(); }
  int number_of_block(int edge) const { return call_.what == pattern::neighbor_allgather ? 0 : edge; }
  bool takes_part(int rank, int member) const {
    return rank != MPI_PROC_NULL && (with_ == neighbors::all || member < 0);
  }

  const dense_call& call_;
  neighbors with_;
};

}  // namespace

template <class Messages> task exchange_with_neighbors(const dense_call& call, Messages& messages, neighbors with) {
  messages.say({call.terms, 0, true});
  const edges all(call, with);
  all.receive(messages);
  all.send(messages);
  all.copy_own();
  co_await until(all_there<Messages>{messages});
}

template task exchange_with_neighbors(const dense_call&, agreed_messages<stage_messages>&, neighbors);
template task exchange_with_neighbors(const dense_call&, agreed_messages<mailed_messages>&, neighbors);

}  // namespace wherry::collective
