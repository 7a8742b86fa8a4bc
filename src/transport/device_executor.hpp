// Exchanges of fields in device memory. The device packs the messages of a stage before the host carries them, and
// unpacks the messages that have arrived (device_fields.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "executor.hpp"
#include "part_gates.hpp"

namespace wherry {

class device_executor final : public executor {
 public:
  explicit device_executor(exchange_binding& of) : executor(of), device_(*of.on_device) {}
  ~device_executor() override;

  /// A start in parts leaves as a whole, when every part is ready.
  void hold_for(part_gates& gates) override { gates_ = &gates; }

  void start() override { launch(nullptr); }
  void start_in_parts() override { launch(gates_); }
  bool advance() override;
  bool advance_by_others() override;
  bool is_delivered() override;
  /// Always false: a message that has come to the host is not yet in the fields on the device.
  bool has_arrived(std::size_t) const override { return false; }
  bool has_arrived(std::size_t, std::size_t, std::size_t) const override { return false; }
  bool owes() const override { return stage_ < stages_ && (leaves_device_ || executor::owes()); }
  bool has_news() const override { return held_by_ != nullptr && held_by_->has_news(); }
  void append_missing(std::vector<int>& peers) override;
  void let_go(bool are_there) noexcept override;
  void go_on_with_parts() override { goes_on(); }

 private:
  void launch(part_gates* gates);
  void start_stage() override;
  bool owes_from_fields() const override { return leaves_device_ || executor::owes_from_fields(); }
  bool lacks_parts() const { return held_by_ != nullptr && !held_by_->is_open(part_gates::every_part); }
  bool has_room(std::size_t stage);
  bool pack();
  bool goes_on();
  void wait_for_packing();
  void append_late_readers(std::vector<int>& peers);
  [[noreturn]] void throw_still_packing() const;
  void tell_read(std::uint64_t read);

  device_fields& device_;
  part_gates* gates_ = nullptr;
  part_gates* held_by_ = nullptr;  // of this start
  bool leaves_device_ = false;     // the messages of the stage are still to be packed
  bool is_packing_ = false;        // the device is packing them
  bool is_given_up_ = false;
  std::uint64_t told_read_ = 0;  // the last start that peers know has been read here
};

}  // namespace wherry
