// Hand-written exchanges by index lists.
#include <memory>

#include "halo/lists.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class hand_lists : public peer {
 public:
  hand_lists(const list_problem& p, double* x) : p_(p), x_(x), buffer_(p.sent.size()) {
    MPI_Comm_dup(p.comm, &comm_);
    requests_.resize(2 * p.neighbors.size());
  }
  ~hand_lists() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    MPI_Request* next = requests_.data();
    double* external = x_ + p_.rows;
    for (std::size_t i = 0; i < p_.neighbors.size(); ++i) {
      MPI_Irecv(external, p_.receive_lengths[i], MPI_DOUBLE, p_.neighbors[i], 0, comm_, next++);
      external += p_.receive_lengths[i];
    }
    double* out = buffer_.data();
    for (std::size_t i = 0, first = 0; i < p_.neighbors.size(); ++i) {
      const auto length = static_cast<std::size_t>(p_.send_lengths[i]);
      for (std::size_t k = 0; k < length; ++k) out[k] = x_[p_.sent[first + k]];
      MPI_Isend(out, p_.send_lengths[i], MPI_DOUBLE, p_.neighbors[i], 0, comm_, next++);
      out += length;
      first += length;
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const list_problem& p_;
  double* x_;
  std::vector<double> buffer_;
  std::vector<MPI_Request> requests_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};
// end

/// Exchanges like `ExchangeHalo` of HPCG 3.1.
class lists_of_hpcg : public peer {
 public:
  lists_of_hpcg(const list_problem& p, double* x)
      : p_(p), x_(x), buffer_(p.sent.size()), requests_(p.neighbors.size()) {
    MPI_Comm_dup(p.comm, &comm_);
  }
  ~lists_of_hpcg() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    double* external = x_ + p_.rows;
    for (std::size_t i = 0; i < p_.neighbors.size(); ++i) {
      MPI_Irecv(external, p_.receive_lengths[i], MPI_DOUBLE, p_.neighbors[i], 99, comm_, &requests_[i]);
      external += p_.receive_lengths[i];
    }
    for (std::size_t i = 0; i < p_.sent.size(); ++i) buffer_[i] = x_[p_.sent[i]];
    const double* out = buffer_.data();
    for (std::size_t i = 0; i < p_.neighbors.size(); ++i) {
      MPI_Send(out, p_.send_lengths[i], MPI_DOUBLE, p_.neighbors[i], 99, comm_);
      out += p_.send_lengths[i];
    }
    for (auto& request : requests_) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

 private:
  const list_problem& p_;
  double* x_;
  std::vector<double> buffer_;
  std::vector<MPI_Request> requests_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

std::unique_ptr<peer> make_hand_lists(const list_problem& p, double* x) { return std::make_unique<hand_lists>(p, x); }
std::unique_ptr<peer> make_lists_of_hpcg(const list_problem& p, double* x) {
  return std::make_unique<lists_of_hpcg>(p, x);
}

}  // namespace bench::halo
