// The transport `device_shared`: carries messages inside a node between devices, through memory that they lend each
// other.
#include <cstdint>
#include <memory>
#include <vector>

#include "lent_messages.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

class lent_carrier final : public transports::carrier {
 public:
  explicit lent_carrier(const communicator& comm) : messages_(comm) {}

  void bind(const transports::bind_request& request) { messages_.bind(request, request); }

  bool has_room(std::size_t number, std::uint64_t start) override { return messages_.has_room(number, start); }
  void start_stage(std::size_t number, plans::field_table) override {
    if (number == 0) ++start_;
    messages_.tell(number, start_);
  }
  bool test_stage(std::size_t number, plans::field_table) override { return messages_.has_arrived(number, start_); }
  void has_read(std::uint64_t start) override { messages_.take(start); }
  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    messages_.append_late_readers(number, peers);
    messages_.append_late_senders(number, start_, peers);
  }

 private:
  lent_messages messages_;
  std::uint64_t start_ = 0;
};

}  // namespace

std::unique_ptr<transports::carrier> bind_device_shared(const transports::bind_request& request) {
  auto made = std::make_unique<lent_carrier>(request.comm);
  made->bind(request);
  return made;
}

}  // namespace wherry
