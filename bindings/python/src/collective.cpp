#include "collective.hpp"

#include <mpi.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "wherry/collective/mpi_operations.hpp"
#include "wherry/collective/run.hpp"

#include "arrays.hpp"
#include "errors.hpp"

namespace wherry_python {
namespace {

using wherry::collective::call;
using wherry::collective::kind;
using wherry::plans::element_kind;

/// MPI's datatype for elements that are combined.
MPI_Datatype number_of(const wherry::plans::element_type& type, const std::string& where, const std::string& format) {
  const auto place = static_cast<std::size_t>(std::bit_width(type.bytes)) - 1;
  const MPI_Datatype with_sign[] = {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T},
                     without[] = {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T};
  switch (type.kind) {
    case element_kind::boolean:
      return MPI_C_BOOL;
    case element_kind::signed_integer:
      return with_sign[place];
    case element_kind::unsigned_integer:
      return without[place];
    case element_kind::floating:
      if (type.bytes == sizeof(float)) return MPI_FLOAT;
      if (type.bytes == sizeof(double)) return MPI_DOUBLE;
      if (type.bytes == sizeof(long double)) return MPI_LONG_DOUBLE;
      break;
    case element_kind::complex:
      if (type.bytes == 2 * sizeof(float)) return MPI_C_FLOAT_COMPLEX;
      if (type.bytes == 2 * sizeof(double)) return MPI_C_DOUBLE_COMPLEX;
      break;
    default:
      break;
  }
  refuse(where, "elements of the format '", format, "' cannot be combined");
}

MPI_Op operation_named(const std::string& name) {
  static const std::pair<const char*, MPI_Op> all[] = {
      {"add", MPI_SUM},          {"multiply", MPI_PROD},    {"minimum", MPI_MIN},
      {"maximum", MPI_MAX},      {"bitwise_and", MPI_BAND}, {"bitwise_or", MPI_BOR},
      {"bitwise_xor", MPI_BXOR}, {"logical_and", MPI_LAND}, {"logical_or", MPI_LOR}};
  for (const auto& [known, op] : all)
    if (name == known) return op;
  return MPI_OP_NULL;
}

kind kind_named(const std::string& name) {
  for (int i = 0; i < wherry::collective::kinds; ++i)
    if (wherry::collective::name_of(static_cast<kind>(i)) == name) return static_cast<kind>(i);
  refuse("collective", "there is no collective '", name, "'");
}

/// A collective under way, and its arrays.
struct running {
  held_array send, receive;
  wherry::collective::running_call under_way;
  bool busy = false;

  ~running() {
    if (is_in_child()) {
      new wherry::collective::running_call(std::move(under_way));
      return;
    }
    const nb::gil_scoped_release others_run;
    under_way = {};
  }
};

/// The call of `name` for contiguous arrays; `send_count` and `receive_count` are MPI's, in elements.
call call_of(const wherry::communicator& comm, const std::string& name, const held_array& send, std::int64_t send_count,
             const held_array& receive, std::int64_t receive_count, bool receives, const std::string& op, int root) {
  call result;
  result.kind = kind_named(name);
  result.comm = wherry::any_communicator(comm);
  result.root = root;
  const auto shape = (receives ? receive : send).shape(name, "array");
  result.send = send.data();
  result.receive = receive.data();
  result.op = operation_named(op);
  if (op.empty()) {  // bytes that are moved
    result.send_type = result.receive_type = MPI_BYTE;
    result.send_count = send_count * shape.item;
    result.receive_count = receive_count * shape.item;
  } else {
    result.send_type = result.receive_type = number_of(shape.type, name, shape.format);
    result.send_count = send_count;
    result.receive_count = receive_count;
  }
  return result;
}

std::unique_ptr<running> collective(const wherry::communicator& comm, const std::string& name, nb::handle send,
                                    std::int64_t send_count, nb::handle receive, std::int64_t receive_count,
                                    const std::string& op, int root, bool blocking) {
  require_no_child(name);
  auto result = std::make_unique<running>();
  if (!send.is_none()) result->send = held_array(send, false, name, "'values'");
  if (!receive.is_none()) result->receive = held_array(receive, true, name, "'out'");
  const auto what =
      call_of(comm, name, result->send, send_count, result->receive, receive_count, !receive.is_none(), op, root);
  const nb::gil_scoped_release others_run;
  if (blocking)
    wherry::collective::run(what);
  else
    result->under_way = wherry::collective::start(what);
  return result;
}

/// Runs a step of a collective that no other thread is working on.
template <class Step> auto step_of(running& self, Step&& step) {
  require_no_child("wait");
  if (self.busy)
    throw wherry::error(wherry::error_kind::state, "wait", "another thread is in a call of this collective");
  struct flag {
    bool& on;
    explicit flag(bool& of) : on(of) { on = true; }
    ~flag() { on = false; }
  } const one(self.busy);
  const nb::gil_scoped_release others_run;
  return step();
}

}  // namespace

void bind_collective(nb::module_& m) {
  nb::class_<running>(m, "RunningCollective")
      .def("test", [](running& self) { return step_of(self, [&] { return self.under_way.test(); }); })
      .def("wait", [](running& self) { step_of(self, [&] { self.under_way.wait(); }); })
      .def("explain", [](const running& self) { return self.under_way.explain(); });
  m.def("collective", &collective, nb::arg("comm"), nb::arg("name"), nb::arg("send").none(), nb::arg("send_count"),
        nb::arg("receive").none(), nb::arg("receive_count"), nb::arg("op"), nb::arg("root"), nb::arg("blocking"));
  m.def("barrier", [](const wherry::communicator& comm) {
    require_no_child("barrier");
    const auto what = call::barrier(comm);
    const nb::gil_scoped_release others_run;
    wherry::collective::run(what);
  });
}

}  // namespace wherry_python
