// How `auto` chooses. Each rank estimates the time of its messages under every row of the table; the estimates are
// added up over all ranks in an agreement that a bind needs anyway, and the cheapest rows win. So all ranks choose
// alike, at most two rows carry an exchange, and nothing here names a transport.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wherry/transport/exchange.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

/// Which messages a row carries, by the place of the peer.
enum class reach { same_node, other_nodes, all };

struct chosen_row {
  const transports::transport* by = nullptr;
  reach whose = reach::all;
  std::string reason;
};

class transport_choice {
 public:
  transport_choice() = default;
  /// @param name of a row, or "auto"
  explicit transport_choice(std::string_view name);

  /// The names of the rows among which `auto` chooses, on which all ranks must agree; empty if one row is asked for by
  /// name.
  std::string rows_there_are() const;

  /// This rank's estimates. The last number is 1 if this rank has fields on a device, else 0.
  /// @param on_device the part of the plan that a device packs and unpacks; null: none
  /// @throws error(argument) if there is no row of this name, if that row cannot carry the plan, or if no row can
  std::vector<double> price(const plans::schedule& plan, const communicator& comm, const plans::functions& code,
                            const carry_options& how, const device_fields* on_device);

  /// @param sums the sums of all ranks' estimates
  /// @throws error on all ranks alike if no row can carry all messages
  void decide(std::vector<double> sums, std::string_view pattern, int rank);

  /// True if a device packs and unpacks the messages of any rank. The same on all ranks.
  bool packs_on_devices() const { return devices_ > 0; }

  /// Chooses again without a row that could not be bound. It does so only if the row needs the node's shared memory.
  /// For any other row it returns false and changes nothing, because another row would find no more memory.
  bool do_without(const transports::transport& row, std::string why, std::string_view pattern, int rank);

  /// The chosen rows in the order in which they start: the slowest first.
  const std::vector<chosen_row>& rows() const { return chosen_; }

  /// The estimate of each row, and why the row was chosen or not; empty if one row was asked for by name.
  std::string explain() const;

 private:
  double on_node(std::size_t row) const { return sums_[2 * row]; }
  double elsewhere(std::size_t row) const { return sums_[2 * row + 1]; }
  double messages(reach whose) const;
  bool asks_for_one() const { return name_ != "auto"; }
  void take_by_name(const plans::schedule& plan, const communicator& comm, const device_fields* on_device);
  void choose(std::string_view pattern, int rank);
  template <class Why>
  [[noreturn]] void refuse_all(std::string_view pattern, int rank, Why&& why, std::string_view also = {}) const;
  std::string verdict(std::size_t row) const;

  std::string name_;
  std::vector<const transports::transport*> table_;
  std::vector<std::string> remarks_;   // for each row; empty if there is none
  std::vector<std::string> refusals_;  // for each row: why not, as far as this rank knows
  std::vector<double> sums_;           // microseconds; empty if a row is asked for
  std::vector<chosen_row> chosen_;
  double devices_ = 0;  // the number of ranks that have one
};

}  // namespace wherry
