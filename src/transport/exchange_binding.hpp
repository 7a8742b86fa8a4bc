// The parts of an exchange that are made once, at bind: the schedule that the host carries, and the carriers that carry
// it.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wherry/transport/exchange.hpp"

#include "choice.hpp"
#include "core/terms.hpp"
#include "device_fields.hpp"
#include "lane.hpp"
#include "own_copies.hpp"

namespace wherry {

struct exchange_binding {
  /// Collective.
  /// @param also further work that must succeed on all ranks; it gets this binding, which has no lanes yet
  exchange_binding(const communicator& where, std::shared_ptr<const plans::schedule> what, plans::functions with,
                   const carry_options& how, const std::function<void(const exchange_binding&)>& also);

  /// Sets the pointers of the starts that follow. @throws error(argument)
  void set_fields(std::span<void* const> table);
  bool has_messages(std::size_t stage) const;
  /// The names of the transports: "two_sided + shared", or "self".
  std::string transport() const;

  communicator comm;
  int tag;                                            // taken before anything can fail on some ranks only
  std::vector<char> is_next_packet;                   // by stage: it need not wait for the one before; empty: none
  const std::shared_ptr<const plans::schedule> kept;  // as the user sees it
  plans::functions code;
  std::exception_ptr refused;  // an error of the device, of which all ranks must learn
  std::unique_ptr<device_fields> on_device;
  const wherry::plans::schedule& plan;  // as the host carries it, without the fields in device memory
  const std::string called;             // the pattern, with the name that the user gave
  detail::shape_kernels kernels;
  carry_options options;
  transport_choice choice;

  std::vector<std::unique_ptr<lane>> lanes;
  std::unique_ptr<own_copies> own;                    // null if there are no copies, or with `snapshot`
  std::optional<own_copies_kept> copies_of_snapshot;  // with `snapshot`, instead of `own`
  std::unique_ptr<transports::carrier> checker;       // with WHERRY_CHECK
  /// The lanes, the checker and `own`, in the order in which they start a stage.
  struct carrying {
    transports::carrier* by;
    int traced;  // the number of the lane in the trace, or -1
  };
  std::vector<carrying> carriers;
  std::vector<char> waits_in;  // for each stage: a message arrives or leaves
  bool may_owe = false;

  std::vector<void*> fields;
  std::vector<char> needed;  // for each field: a block names it, so that it must have an address
  std::uint64_t starts = 0;  // so far
  int traced = -1;           // the number of this exchange in the trace, or -1

 private:
  void check_plan();
  terms terms_of(const std::string& transport) const;
  void find_needed_fields();
  void compile_copies();
  void show_in_trace();
  void list_carriers();
  std::unique_ptr<device_fields> find_device(const carry_options& how);
};

}  // namespace wherry
