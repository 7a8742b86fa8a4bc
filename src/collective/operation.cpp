#include "wherry/collective/operation.hpp"

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "mpi_calls.hpp"

namespace wherry::collective {

namespace {

constexpr std::string_view mpi = "mpi", nonblocking = "nonblocking";

std::string_view known(std::string_view implementation) {
  for (const auto name : {mpi, nonblocking})
    if (implementation == name) return name;
  for (const auto name : {"one_sided", "pgas"})
    if (implementation == name) return mpi;  // until they are here
  throw error(error_kind::argument, "collective", text("there is no implementation named '", implementation, "'"));
}

}  // namespace

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

std::string_view operation::implementation() const { return work_ ? nonblocking : std::string_view(); }

bool operation::test() {
  if (work_ && !work_->test()) return false;
  work_.reset();
  return true;
}

void operation::end() {
  if (work_) work_->end();
  work_.reset();
}

std::string_view run(const call& what) {
  check_mpi(call_mpi(what, what.comm), name_of(what.kind));
  return mpi;
}

std::string_view run(const call& what, std::string_view implementation) {
  if (known(implementation) == mpi) return run(what);
  begin(what).end();
  return nonblocking;
}

operation begin(const call& what, const begin_options& options) {
  if (!options.implementation.empty()) known(options.implementation);
  return operation(std::make_unique<operation::work>(what));
}

std::string explain(const call&) { return "mpi"; }

}  // namespace wherry::collective
