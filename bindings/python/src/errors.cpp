#include "errors.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry_python {
namespace {

bool is_child = false;

/// Sets wherry.Error as Python's exception.
void set_python_error(const wherry::error& failure) {
  PyObject* const module = PyImport_ImportModule("wherry._errors");
  if (module == nullptr) return;
  const std::string kind(wherry::to_string(failure.kind()));
  PyObject* const peers = PyTuple_New(static_cast<Py_ssize_t>(failure.peers().size()));
  for (std::size_t i = 0; peers != nullptr && i < failure.peers().size(); ++i)
    PyTuple_SetItem(peers, static_cast<Py_ssize_t>(i), PyLong_FromLong(failure.peers()[i]));
  PyObject* const made = PyObject_CallMethod(module, "Error", "sssiO", failure.text().c_str(), kind.c_str(),
                                             failure.where().c_str(), failure.rank(), peers);
  if (made != nullptr) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made)), made);
  Py_XDECREF(made);
  Py_XDECREF(peers);
  Py_DECREF(module);
}

wherry::error_kind kind_named(std::string_view name) {
  using wherry::error_kind;
  for (const auto kind : {error_kind::argument, error_kind::mismatch, error_kind::state, error_kind::resource,
                          error_kind::timeout, error_kind::mpi, error_kind::lost})
    if (wherry::to_string(kind) == name) return kind;
  return error_kind::argument;
}

/// All ranks call it; if one has an error, it becomes an error of all.
void agree(const wherry::communicator& comm, const std::string& where, bool failed, const std::string& kind,
           const std::string& text, std::uint32_t fingerprint, const std::string& on_disagreement) {
  require_no_child(where);
  std::optional<wherry::error> mine;
  if (failed) mine.emplace(kind_named(kind), where, text, comm.rank());
  const nb::gil_scoped_release others_run;
  wherry::detail::agree_or_throw(comm, where, mine ? &*mine : nullptr, fingerprint, on_disagreement);
}

}  // namespace

bool is_in_child() { return is_child; }

void require_no_child(std::string_view where) {
  if (is_child) [[unlikely]]
    throw wherry::error(wherry::error_kind::state, where,
                        "this process is a child of fork(), which takes no part in MPI: use the method 'spawn' of "
                        "multiprocessing for processes beside the ranks");
}

void bind_errors(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const wherry::error& failure) {
      set_python_error(failure);
    }
  });
  m.def("agree", &agree, nb::arg("comm"), nb::arg("where"), nb::arg("failed"), nb::arg("kind"), nb::arg("text"),
        nb::arg("fingerprint"), nb::arg("on_disagreement"));
  m.def("now_in_child", [] { is_child = true; });
}

}  // namespace wherry_python
