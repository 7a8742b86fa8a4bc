// How often an exchange calls what carries it, by virtual functions: once to start a stage, and once to end it where
// all has come.
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

int calls = 0;

/// `shared`, and a count of the calls that an exchange makes between its start and its end.
class counted_carrier final : public wherry::transports::carrier {
 public:
  explicit counted_carrier(std::unique_ptr<wherry::transports::carrier> by) : by_(std::move(by)) {}

  void start_stage(std::size_t stage, wherry::plans::field_table fields) override {
    ++calls, by_->start_stage(stage, fields);
  }
  bool sends_one_by_one() const override { return ++calls, by_->sends_one_by_one(); }
  void start_receiving(std::size_t stage, wherry::plans::field_table fields) override {
    ++calls, by_->start_receiving(stage, fields);
  }
  void send_one(std::size_t stage, std::size_t message, wherry::plans::field_table fields) override {
    ++calls, by_->send_one(stage, message, fields);
  }
  bool has_delivered(std::size_t stage, std::size_t message) const override {
    return ++calls, by_->has_delivered(stage, message);
  }
  bool test_stage(std::size_t stage, wherry::plans::field_table fields) override {
    return ++calls, by_->test_stage(stage, fields);
  }
  void append_missing(std::size_t stage, std::vector<int>& peers) const override {
    ++calls, by_->append_missing(stage, peers);
  }
  bool owes(std::size_t stage) const override { return ++calls, by_->owes(stage); }
  bool may_owe() const override { return ++calls, by_->may_owe(); }
  bool owes_from_fields(std::size_t stage) const override { return ++calls, by_->owes_from_fields(stage); }
  void let_go(std::size_t stage, wherry::plans::field_table fields, wherry::plans::field_table substitutes) override {
    ++calls, by_->let_go(stage, fields, substitutes);
  }

 private:
  std::unique_ptr<wherry::transports::carrier> by_;
};

void register_once() {
  static const bool once = [] {
    auto row = wherry::transports::find_transport("shared");
    row.name = "counted";
    row.estimate = nullptr;
    row.bind = [](const wherry::transports::bind_request& request) -> std::unique_ptr<wherry::transports::carrier> {
      return std::make_unique<counted_carrier>(wherry::transports::find_transport("shared").bind(request));
    };
    wherry::transports::register_transport(std::move(row));
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

WHERRY_TEST(an_exchange_calls_its_carrier_twice_a_stage, ranks(2, 3, 4).not_simulated("node-shared memory")) {
  register_once();
  const wherry::process_grid grid(test.comm, {.periodic = {true, true, true}, .extents = {test.size, 1, 1}});
  if (std::ssize(grid.comm().node_ranks()) != test.size) test.skip("`shared` does not reach all ranks");
  wherry::field<double, 3> u(grid.comm(), {8, 8, 8}, 1);
  wherry::halo_exchange exchange(grid, {.carry = {.transport = "counted"}}, u);
  const auto stages = static_cast<int>(exchange.schedule().stages.size());
  for (int round = 0; round < 10; ++round) {
    MPI_Barrier(test.comm);
    calls = 0;
    exchange.start();
    CHECK_EQUAL(calls, 1);
    MPI_Barrier(test.comm);  // all has come
    exchange.wait();
    CHECK(calls <= 2 * stages);
  }
}
