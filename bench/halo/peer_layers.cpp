// Hand-written exchanges of fields with ghosts in layers.
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

#include "halo/layers.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
template <class T> std::byte* pack(const std::vector<T>& values, const std::vector<int>& at, std::byte* out) {
  for (const int i : at) {
    std::memcpy(out, &values[static_cast<std::size_t>(i)], sizeof(T));
    out += sizeof(T);
  }
  return out;
}
template <class T> const std::byte* unpack(std::vector<T>& values, const std::vector<int>& at, const std::byte* in) {
  for (const int i : at) {
    std::memcpy(&values[static_cast<std::size_t>(i)], in, sizeof(T));
    in += sizeof(T);
  }
  return in;
}

/// The plan of one field.
template <class T> class field_plan {
 public:
  field_plan(MPI_Comm comm, int tag, const std::vector<neighbor_indices>& lists, std::vector<T>& values)
      : comm_(comm), tag_(tag), lists_(lists), values_(values), requests_(2 * lists.size()) {
    for (const auto& list : lists) {
      in_.emplace_back(list.received.size() * sizeof(T));
      out_.emplace_back(list.sent.size() * sizeof(T));
    }
  }

  void start() {
    auto* next = requests_.data();
    for (std::size_t i = 0; i < lists_.size(); ++i)
      MPI_Irecv(in_[i].data(), static_cast<int>(in_[i].size()), MPI_BYTE, lists_[i].peer, tag_, comm_, next++);
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      pack(values_, lists_[i].sent, out_[i].data());
      MPI_Isend(out_[i].data(), static_cast<int>(out_[i].size()), MPI_BYTE, lists_[i].peer, tag_, comm_, next++);
    }
  }
  void wait() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < lists_.size(); ++i) unpack(values_, lists_[i].received, in_[i].data());
  }

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<neighbor_indices> lists_;
  std::vector<T>& values_;
  std::vector<std::vector<std::byte>> in_, out_;
  std::vector<MPI_Request> requests_;
};

class plan_each : public peer {
 public:
  plan_each(MPI_Comm comm, const std::vector<neighbor_indices>& lists, layered_fields& fields)
      : pressure_(comm, 1, lists, fields.pressure),
        energy_(comm, 2, lists, fields.energy),
        moisture_(comm, 3, lists, fields.moisture),
        velocity_(comm, 4, lists, fields.velocity) {}

  void exchange() override {
    pressure_.start();
    energy_.start();
    moisture_.start();
    velocity_.start();
    pressure_.wait();
    energy_.wait();
    moisture_.wait();
    velocity_.wait();
  }

 private:
  field_plan<double> pressure_, energy_;
  field_plan<float> moisture_;
  field_plan<std::array<double, 3>> velocity_;
};

class packed_together : public peer {
 public:
  packed_together(MPI_Comm comm, const std::vector<neighbor_indices>& lists, layered_fields& fields)
      : comm_(comm), lists_(lists), fields_(fields), requests_(lists.size()), sends_(lists.size()) {
    constexpr std::size_t bytes = 5 * sizeof(double) + sizeof(float);
    for (const auto& list : lists) {
      in_.emplace_back(list.received.size() * bytes);
      out_.emplace_back(list.sent.size() * bytes);
    }
  }

  void exchange() override {
    for (std::size_t i = 0; i < lists_.size(); ++i)
      MPI_Irecv(in_[i].data(), static_cast<int>(in_[i].size()), MPI_BYTE, lists_[i].peer, 0, comm_, &requests_[i]);
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const auto& at = lists_[i].sent;
      auto* out = pack(fields_.pressure, at, out_[i].data());
      out = pack(fields_.energy, at, out);
      out = pack(fields_.velocity, at, out);
      pack(fields_.moisture, at, out);
      MPI_Isend(out_[i].data(), static_cast<int>(out_[i].size()), MPI_BYTE, lists_[i].peer, 0, comm_, &sends_[i]);
    }
    for (std::size_t n = 0; n < lists_.size(); ++n) {
      int i = 0;
      MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &i, MPI_STATUS_IGNORE);
      const auto which = static_cast<std::size_t>(i);
      const auto& at = lists_[which].received;
      const auto* in = unpack(fields_.pressure, at, in_[which].data());
      in = unpack(fields_.energy, at, in);
      in = unpack(fields_.velocity, at, in);
      unpack(fields_.moisture, at, in);
    }
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  MPI_Comm comm_;
  std::vector<neighbor_indices> lists_;
  layered_fields& fields_;
  std::vector<std::vector<std::byte>> in_, out_;
  std::vector<MPI_Request> requests_, sends_;
};
// end

}  // namespace

std::unique_ptr<peer> make_plan_each(MPI_Comm comm, const std::vector<neighbor_indices>& lists,
                                     layered_fields& fields) {
  return std::make_unique<plan_each>(comm, lists, fields);
}
std::unique_ptr<peer> make_packed_together(MPI_Comm comm, const std::vector<neighbor_indices>& lists,
                                           layered_fields& fields) {
  return std::make_unique<packed_together>(comm, lists, fields);
}

}  // namespace bench::halo
