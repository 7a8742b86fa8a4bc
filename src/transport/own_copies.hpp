// The copies of a rank to itself.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

#include "meeting_fields.hpp"

namespace wherry {

/// Copies directly from field to field when a stage starts. It is a carrier beside those of the transports, in which
/// nothing arrives.
class own_copies final : public transports::carrier {
 public:
  own_copies(const plans::schedule& plan, detail::shape_kernels& kernels, const plans::functions& code);
  bool empty() const;
  /// Sets the pointers of the starts that follow.
  void set_fields(plans::field_table fields);
  /// @param starts the number of starts so far, for the trace
  void show_in_trace(int subject, const std::uint64_t& starts) {
    traced_ = subject;
    starts_ = &starts;
  }

  void start_stage(std::size_t stage, plans::field_table fields) override;
  bool test_stage(std::size_t, plans::field_table) override { return true; }
  void append_missing(std::size_t, std::vector<int>&) const override {}
  bool owes(std::size_t) const override { return false; }
  bool may_owe() const override { return false; }

 private:
  const plans::schedule& plan_;
  detail::shape_kernels& kernels_;
  const plans::functions& code_;
  std::vector<detail::direct_copies> copies_;   // one for each stage
  std::vector<detail::direct_copies> careful_;  // for fields in the same memory; made at the first need
  meeting_fields may_meet_;
  bool fields_meet_ = false;
  int traced_ = -1;  // the number of its exchange in the trace
  const std::uint64_t* starts_ = nullptr;
};

/// The copies of a snapshot: out of the fields when it starts, and into them when everything else has arrived.
class own_copies_kept {
 public:
  own_copies_kept(const plans::schedule& plan, detail::shape_kernels& kernels, const plans::functions& code);
  bool empty() const { return copies_.empty(); }
  void take(plans::field_table fields);
  void deliver(plans::field_table fields);
  /// Drops the copies, which nobody wants any more.
  void drop() { copies_.clear(); }

 private:
  struct kept_copy {
    detail::message_packing out, in;
    std::vector<std::byte> buffer;
  };
  std::vector<kept_copy> copies_;
};

}  // namespace wherry
