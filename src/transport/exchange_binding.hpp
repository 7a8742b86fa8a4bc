// What is made once, when an exchange is bound: the schedule as the host carries it, and what carries it.
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
  /// @param also what else must succeed on all ranks, told of a binding that has no lanes yet
  exchange_binding(const communicator& where, std::shared_ptr<const schedule> what, functions with,
                   const carry_options& how, const std::function<void(const exchange_binding&)>& also);

  /// The pointers of the starts that follow. @throws error(argument)
  void set_fields(std::span<void* const> table);
  bool has_messages(std::size_t stage) const;
  /// "two_sided + shared", or "self".
  std::string transport() const;

  communicator comm;
  int tag;  // taken before anything can fail on some ranks alone: all have to go on with the same ones
  std::vector<char> is_next_packet;            // of a stage: it need not wait for the one before; empty: none is
  const std::shared_ptr<const schedule> kept;  // as the user sees it
  functions code;
  std::exception_ptr refused;  // by the device, which all ranks have to hear of
  std::unique_ptr<device_fields> on_device;
  const wherry::schedule& plan;  // as the host carries it: without what is in device memory
  const std::string called;      // the pattern, with the name that the user has given it
  detail::shape_kernels kernels;
  carry_options options;
  transport_choice choice;

  std::vector<std::unique_ptr<lane>> lanes;
  std::unique_ptr<own_copies> own;                    // null: none
  std::optional<own_copies_kept> copies_of_snapshot;  // instead
  std::unique_ptr<carrier> checker;                   // with WHERRY_CHECK
  /// Those of the lanes, the checker and `own`, in the order in which they start a stage.
  struct carrying {
    carrier* by;
    int traced;  // what the trace knows the lane as, or -1
  };
  std::vector<carrying> carriers;
  std::vector<char> waits_in;  // does something arrive in a stage, or leave?
  bool may_owe = false;

  std::vector<void*> fields;
  std::vector<char> needed;  // a field that no block names may have no address
  std::uint64_t starts = 0;  // so far
  int traced = -1;           // what the trace knows it as

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
