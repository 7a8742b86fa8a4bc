#include "communicator.hpp"

#include <mpi.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"

#include "errors.hpp"

namespace wherry_python {
namespace {

bool mpi_has_begun() {
  int begun = 0;
  PMPI_Initialized(&begun);
  return begun != 0;
}
bool mpi_has_ended() {
  int ended = 0;
  PMPI_Finalized(&ended);
  return ended != 0;
}

/// Starts MPI where nobody has.
void start_mpi() {
  int provided = 0;
  if (!mpi_has_begun()) PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
}
void end_mpi() {
  if (!is_in_child() && mpi_has_begun() && !mpi_has_ended()) PMPI_Finalize();
}
/// A rank that is alone ends without MPI's text.
void abort_job(int status) {
  if (is_in_child() || !mpi_has_begun() || mpi_has_ended()) return;
  int size = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) PMPI_Abort(MPI_COMM_WORLD, status);
}

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  return text;
}

/// Bytes that the ranks of the node can read, as a numpy array of numbers of one byte.
auto node_bytes(const wherry::communicator& comm, std::size_t bytes) {
  require_no_child("zeros");
  auto memory = std::make_unique<wherry::node_memory>(comm, bytes > 0 ? bytes : 1);
  auto* const data = memory->data();
  const nb::capsule owner(memory.release(),
                          [](void* made) noexcept { delete static_cast<wherry::node_memory*>(made); });
  return nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {bytes}, owner);
}

}  // namespace

void bind_communicator(nb::module_& m) {
  m.def("start_mpi", &start_mpi);
  m.def("end_mpi", &end_mpi);
  m.def("abort_job", &abort_job);
  m.def("mpi_has_begun", &mpi_has_begun);
  m.def("mpi_has_ended", &mpi_has_ended);
  m.def("library_version", &library_version);
  m.def("node_bytes", &node_bytes, nb::arg("comm"), nb::arg("bytes"));
  nb::class_<wherry::communicator>(m, "Communicator")
      .def(
          "__init__",
          [](wherry::communicator* self, std::optional<int> handle) {
            require_no_child("communicator");
            wherry::detail::require_mpi("communicator", -1);
            const auto users = handle ? PMPI_Comm_f2c(static_cast<MPI_Fint>(*handle)) : MPI_COMM_WORLD;
            const nb::gil_scoped_release others_run;
            new (self) wherry::communicator(users);
          },
          nb::arg("handle").none() = nb::none())
      .def_prop_ro("rank", &wherry::communicator::rank)
      .def_prop_ro("size", &wherry::communicator::size)
      .def_prop_ro("node_ranks", [](const wherry::communicator& self) { return self.node_ranks(); })
      .def_prop_ro("shared_memory_shortfall",
                   [](const wherry::communicator& self) { return self.shared_memory_shortfall(); })
      .def("__eq__", [](const wherry::communicator& a, const wherry::communicator& b) { return a == b; });
}

}  // namespace wherry_python
