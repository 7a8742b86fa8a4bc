// How `auto` chooses. Each rank prices its messages by every row of the table; the prices are added up over all ranks
// in an agreement that a bind needs anyway, and the cheapest rows win. So all ranks choose alike, at most two rows
// carry an exchange, and nothing here names a transport.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wherry/transport/exchange.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

/// Whose messages a row carries, by where the peer is.
enum class reach { same_node, other_nodes, all };

struct chosen_row {
  const transport* by = nullptr;
  reach whose = reach::all;
  std::string reason;
};

class transport_choice {
 public:
  transport_choice() = default;
  /// @param name of a row, or "auto"
  explicit transport_choice(std::string_view name);

  /// The names of the rows there are to choose among, on which all ranks must agree; empty where one is asked for.
  std::string rows_there_are() const;

  /// This rank's part, of which the last says whether it has fields on a device.
  /// @param on_device what a device packs and unpacks of the plan; null: nothing
  /// @throws error(argument) where there is no row of this name, or where it, or no row at all, can carry the plan
  std::vector<double> price(const schedule& plan, const communicator& comm, const functions& code,
                            const carry_options& how, const device_fields* on_device);

  /// @param sums of all ranks' parts
  /// @throws error on all ranks alike, where no row can carry it all
  void decide(std::vector<double> sums, std::string_view pattern, int rank);

  /// Whether a device packs and unpacks any rank's messages. The same on all ranks.
  bool packs_on_devices() const { return devices_ > 0; }

  /// Chooses again without a row that could not be bound. False, and nothing is done, where that is no use: another row
  /// would find no more memory, unless this one wants the memory that a node shares.
  bool do_without(const transport& row, std::string why, std::string_view pattern, int rank);

  /// In the order in which they are to start: what is slowest leaves first.
  const std::vector<chosen_row>& rows() const { return chosen_; }

  /// What each row was thought to take, and why it was chosen or not; empty where one was asked for.
  std::string explain() const;

 private:
  double on_node(std::size_t row) const { return sums_[2 * row]; }
  double elsewhere(std::size_t row) const { return sums_[2 * row + 1]; }
  double messages(reach whose) const;
  bool asks_for_one() const { return name_ != "auto"; }
  void take_by_name(const schedule& plan, const communicator& comm, const device_fields* on_device);
  void choose(std::string_view pattern, int rank);
  template <class Why>
  [[noreturn]] void refuse_all(std::string_view pattern, int rank, Why&& why, std::string_view also = {}) const;
  std::string verdict(std::size_t row) const;

  std::string name_;
  std::vector<const transport*> table_;
  std::vector<std::string> remarks_;   // of each row, or none
  std::vector<std::string> refusals_;  // of each row: why not, as far as this rank knows
  std::vector<double> sums_;           // microseconds; not where a row is asked for
  std::vector<chosen_row> chosen_;
  double devices_ = 0;  // ranks that have one
};

}  // namespace wherry
