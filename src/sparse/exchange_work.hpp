// A sparse exchange from the counting of its elements to its end. Each other rank is reached by one route. At the end
// of the first phase this rank knows of each rank whether it sends elements, and that all ranks make the same call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"

#include "algorithms.hpp"
#include "communicator_state.hpp"
#include "core/consensus.hpp"
#include "core/patience.hpp"
#include "core/sparse_exchange.hpp"
#include "flight/flight.hpp"
#include "hop.hpp"
#include "node_relay.hpp"
#include "transport/stream_log.hpp"

namespace wherry::sparse {

class exchange_work final : public flight {
 public:
  exchange_work() = default;
  ~exchange_work() override;

  /// Begins a call. All its vectors keep the memory of the last one.
  void begin(std::shared_ptr<communicator_state> on, std::string_view where,
             const wherry::detail::sparse_elements& elements, const sparse_options& options,
             wherry::detail::sparse_form form);
  /// Ends a call that has ended without an error. Returns the state, with which this work may be kept.
  std::shared_ptr<communicator_state> end();
  bool has_completed() const { return !in_flight() && now_ == phase::ended && !broken_ && !failed(); }

  void check(std::span<const int> destinations);
  /// Keeps an error of this rank, which is the first one.
  void refuse(const error& why);
  bool is_refused() const { return refusal_.has_value(); }
  void count(std::span<const int> destinations, std::size_t values);
  void count(int to, std::size_t elements);
  std::byte* room();
  std::span<std::size_t> places() { return places_; }
  void pack(int to, const void* elements, std::size_t count);
  void start(const wherry::detail::sparse_target& into);

  bool test();
  void wait();
  std::string_view algorithm() const { return how_ != nullptr ? how_->name : std::string_view(); }

  /// True if an error has ended it.
  bool is_broken() const { return broken_ != nullptr; }
  /// True if MPI still uses memory of this object.
  bool mpi_needs_it() const;
  /// Called when the owner is gone. Returns true if the exchange has ended.
  bool let_go() noexcept;
  bool owes() const override { return in_flight() && now_ != phase::ended; }

 private:
  enum class phase { heads, bodies, agreeing, ended };
  static constexpr std::int64_t nothing = hop::nothing;

  /// An agreement whose number all ranks have from the beginning, and that is made when it is needed.
  struct late_agreement {
    std::uint64_t number = 0;
    std::unique_ptr<consensus> agreement;
  };
  consensus& open(late_agreement& one);

  route route_to(int rank) const {
    const auto way = state_->has_cell(rank) ? how_->within_node : how_->between_nodes;
    return knows_sources_ && way != route::cell ? route::message : way;
  }
  bool uses_letters() const { return how_->within_node == route::letter && !knows_sources_; }
  bool uses_cells() const { return state_->shares_memory() && how_->within_node == route::cell; }
  bool uses_relay() const { return how_ != nullptr && how_->between_nodes == route::relay && !knows_sources_; }
  std::int64_t bytes_to(int rank) const;
  std::byte* list_to(int rank) const { return buffer_->data + lists_[static_cast<std::size_t>(rank)]; }

  void open_agreements();
  void close_agreements() noexcept;
  std::string terms() const;
  void compare(std::uint64_t word, int from);
  void check_sources(const sparse_options& options);

  void begin_routes();
  bool lists_have_come();
  bool letters_have_come();
  bool heads_have_come();
  void look_for_others();
  consensus& be_present();
  bool ends_during_roll_call(patience& wait);
  void begin_verdict();
  void deliver();
  void list_arrivals();
  bool find_all_in_memory();
  void append_all();
  void receive_all(std::byte* to);
  void drop_all();
  bool bodies_have_come();
  template <class MakeRoom> bool make_room(MakeRoom&& make);
  void break_off() noexcept;
  void end_call();
  void report() noexcept;

  bool advance() override;
  bool step();
  bool has_ended();
  void append_missing(std::vector<int>& ranks) const;

  static constexpr std::uint64_t refused = 0;

  std::shared_ptr<communicator_state> state_;
  std::string_view where_;
  wherry::detail::sparse_elements elements_;
  const sparse::algorithm* how_ = nullptr;
  std::optional<error> refusal_;
  // The call's own word, in which all ranks must agree, and the one that this rank sends: that, or `refused`.
  std::uint64_t own_word_ = refused, word_ = refused;
  communicator_state::cells_of_call cells_;
  // Different, so that ranks with different algorithms take nothing for their own. Long rows of a relay have the tag of
  // letters, which no rank of a relay receives.
  int tag_ = 0, letter_tag_ = 0, relay_tag_ = 0;

  std::vector<std::int64_t> counts_;  // of elements for each rank; `nothing`: none, and no parcel
  std::vector<std::size_t> lists_, places_;
  std::size_t runs_ = 0;  // of elements that `count` names one by one
  send_buffer* buffer_ = nullptr;

  wherry::detail::sparse_target into_;
  phase now_ = phase::heads;
  bool all_agree_ = true;
  bool knows_sources_ = false;
  bool others_may_drive_ = false;     // the program does other things between start and end
  bool leaves_others_ = false;        // a rank makes another call, and perhaps waits for a verdict
  std::vector<int> sources_;          // where they are known, ascending, without this rank
  std::vector<std::int64_t> came_;    // bytes from each rank
  std::vector<std::size_t> starts_;   // where they go, in bytes
  std::vector<const std::byte*> at_;  // where they are, if all are in memory
  std::size_t arriving_ = 0;          // elements
  hop direct_;
  node_relay relay_;
  consensus_sends letters_;
  bytes_by_peer letters_received_;
  late_agreement presence_;  // in long waits
  late_agreement barrier_;   // of letters
  late_agreement verdict_;   // after a fault
  std::exception_ptr broken_;
  std::shared_ptr<stream_log> log_;  // null: nothing is measured
  std::int64_t start_time_ = 0;
  unsigned polls_ = 0;
  std::chrono::steady_clock::time_point began_{};
};

}  // namespace wherry::sparse
