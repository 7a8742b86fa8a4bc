// Starts whose data becomes ready in parts.
#pragma once

#include <functional>
#include <vector>

#include "executor.hpp"
#include "part_gates.hpp"

namespace wherry {

/// Appends the parts whose data this row of the schedule needs.
using parts_of_row = std::function<void(const plans::block_row&, std::vector<int>&)>;

/// A message leaves when all its parts are ready. If a carrier can only send a whole stage at once, the stage leaves
/// when all its parts are ready.
class parts_executor final : public executor {
 public:
  /// Adds to `gates` one gate for each message or stage that waits for parts.
  /// @throws error(argument) if a part does not exist
  parts_executor(exchange_binding& of, part_gates& gates, const parts_of_row& append_parts);

  void start() override;
  bool advance() override;
  using executor::has_arrived;
  bool has_arrived(std::size_t stage, std::size_t lane, std::size_t message) const override {
    return has_started(lane) && executor::has_arrived(stage, lane, message);
  }
  bool has_news() const override { return gates_.has_news(); }
  void append_missing(std::vector<int>& peers) override;
  void let_go(bool are_there) noexcept override;
  void go_on_with_parts() override { let_pass(); }

 private:
  /// A message of a carrier, or all that a carrier starts a stage with, that waits at a gate.
  struct held_back {
    static constexpr std::size_t all = ~std::size_t{0};
    std::size_t carrier, message, gate;
    bool has_passed;
  };

  void start_stage() override;
  bool has_started(std::size_t carrier) const override;
  bool owes_from_fields() const override { return !has_all_passed() || executor::owes_from_fields(); }
  void let_pass();
  bool has_all_passed() const;

  part_gates& gates_;
  std::vector<std::vector<held_back>> held_back_;  // by stage
};

/// Throws the error(timeout) that names this rank's parts that are not ready.
[[noreturn]] void throw_not_ready(const exchange_binding& of, const part_gates& gates);

}  // namespace wherry
