#include "wherry/collective/operation.hpp"

#include "wherry/core/mpi.hpp"

#include "mpi_calls.hpp"

namespace wherry::collective {

class operation::work {
 public:
  explicit work(const call& what) { check_mpi(begin_mpi(what, what.comm, request_), name_of(what.kind)); }
  bool test() {
    int done = 0;
    check_mpi(PMPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
  void end() { check_mpi(PMPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

operation::operation(std::unique_ptr<work> made) : work_(std::move(made)) {}
operation::operation(operation&&) noexcept = default;
operation& operation::operator=(operation&&) noexcept = default;
operation::~operation() = default;

bool operation::test() {
  if (work_ && !work_->test()) return false;
  work_.reset();
  return true;
}

void operation::end() {
  if (work_) work_->end();
  work_.reset();
}

void run(const call& what) { check_mpi(call_mpi(what, what.comm), name_of(what.kind)); }

operation begin(const call& what, const begin_options&) { return operation(std::make_unique<operation::work>(what)); }

std::string explain(const call&) { return "mpi"; }

}  // namespace wherry::collective
