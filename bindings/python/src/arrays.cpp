#include "arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "wherry/core/hash.hpp"

#include "errors.hpp"

namespace wherry_python {
namespace {

using wherry::plans::element_kind;
using wherry::plans::element_type;

element_type type_of(std::string_view format, Py_ssize_t item) {
  const auto numbers = [item](element_kind kind) { return element_type{kind, static_cast<std::uint32_t>(item), 0}; };
  auto code = format;
  if (!code.empty() && (code.front() == '@' || code.front() == '=' || code.front() == '<')) code.remove_prefix(1);
  if (code.size() == 1) {
    if (code == "?") return numbers(element_kind::boolean);
    if (std::strchr("bhilqn", code.front()) != nullptr) return numbers(element_kind::signed_integer);
    if (std::strchr("BHILQN", code.front()) != nullptr) return numbers(element_kind::unsigned_integer);
    if (std::strchr("efdg", code.front()) != nullptr) return numbers(element_kind::floating);
  }
  if (code == "Zf" || code == "Zd" || code == "Zg") return numbers(element_kind::complex);
  // A structure, a string, or numbers in another byte order: it is moved, and ranks compare what it is.
  return {element_kind::users, static_cast<std::uint32_t>(item), wherry::detail::name_hash(format)};
}

nb::object main_ndarray() { return nb::module_::import_("numpy").attr("ndarray"); }

/// The text that `str` makes of an object.
std::string text_of(const nb::object& of) { return nb::cast<std::string>(nb::steal<nb::str>(PyObject_Str(of.ptr()))); }

/// Explains why an object gives no buffer.
[[noreturn]] void refuse_object(nb::handle object, bool written, std::string_view where, std::string_view argument) {
  PyErr_Clear();
  const std::string type = nb::cast<std::string>(nb::handle(Py_TYPE(object.ptr())).attr("__name__"));
  if (PyObject_HasAttrString(object.ptr(), "__cuda_array_interface__"))
    refuse(where, argument, " is a ", type,
           " in the memory of a device, which the Python package does not support yet");
  if (written && PyObject_CheckBuffer(object.ptr())) {
    Py_buffer probe;
    if (PyObject_GetBuffer(object.ptr(), &probe, PyBUF_FULL_RO) == 0) {
      PyBuffer_Release(&probe);
      refuse(where, argument, " is read-only, but it receives elements");
    }
    PyErr_Clear();
  }
  if (nb::isinstance(object, main_ndarray()))
    refuse(where, argument, " has the dtype ", text_of(object.attr("dtype")), ", whose elements are no plain bytes");
  refuse(where, argument, " is a ", type, ", expected a numpy array, a wherry.Field, or another object with a buffer");
}

}  // namespace

bool array_shape::empty() const {
  for (std::size_t d = 0; d < dimensions; ++d)
    if (extents[d] == 0) return true;
  return false;
}

held_array::held_array(nb::handle object, bool written, std::string_view where, std::string_view argument) {
  static PyTypeObject* const plain = reinterpret_cast<PyTypeObject*>(main_ndarray().release().ptr());
  if (Py_TYPE(object.ptr()) != plain && PyObject_HasAttrString(object.ptr(), "mask") &&
      nb::isinstance(object, nb::module_::import_("numpy.ma").attr("MaskedArray")))
    refuse(where, argument, " is a masked array: pass its 'data', and the mask as another array");
  if (PyObject_GetBuffer(object.ptr(), &buffer_, written ? PyBUF_FULL : PyBUF_FULL_RO) != 0) {
    buffer_ = {};
    PyErr_Clear();
    const auto imported = from_dlpack(object);
    if (!imported.is_valid()) refuse_object(object, written, where, argument);
    *this = held_array(imported, written, where, argument);
    return;
  }
  if (buffer_.suboffsets != nullptr) {
    release();
    refuse(where, argument, " is an array of pointers to rows, which has no strides");
  }
  if (static_cast<std::size_t>(buffer_.ndim) > most_dimensions) {
    const int given = buffer_.ndim;
    release();
    refuse(where, argument, " has ", given, " dimensions, expected at most ", most_dimensions);
  }
  if (buffer_.format != nullptr && std::strchr(buffer_.format, 'O') != nullptr) {
    release();
    refuse(where, argument, " has Python objects as elements, which are no plain bytes");
  }
}

nb::object from_dlpack(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) || !PyObject_HasAttrString(object.ptr(), "__dlpack__")) return {};
  nb::ndarray<> imported;
  if (!nb::try_cast(object, imported) || imported.device_type() != nb::device::cpu::value) return {};
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  for (std::size_t d = 0; d < imported.ndim(); ++d) {
    shape.push_back(imported.shape(d));
    strides.push_back(imported.stride(d));
  }
  void* const data = imported.data();
  const auto type = imported.dtype();
  // The tensor stays as long as the array.
  const nb::capsule owner(new nb::ndarray<>(std::move(imported)),
                          [](void* made) noexcept { delete static_cast<nb::ndarray<>*>(made); });
  return nb::cast(nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, strides.data(), type));
}

held_array& held_array::operator=(held_array&& other) noexcept {
  if (this != &other) {
    release();
    buffer_ = std::exchange(other.buffer_, {});
  }
  return *this;
}

void held_array::release() noexcept {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  buffer_ = {};
}

array_shape held_array::shape(std::string_view, std::string_view) const {
  array_shape result;
  result.item = buffer_.itemsize;
  result.format = buffer_.format == nullptr ? "B" : buffer_.format;
  result.type = type_of(result.format, buffer_.itemsize);
  result.dimensions = static_cast<std::size_t>(buffer_.ndim);
  for (std::size_t d = 0; d < result.dimensions; ++d) {
    result.extents[d] = buffer_.shape[d];
    // The stride of a single element means nothing.
    result.strides[d] = buffer_.shape[d] > 1 ? buffer_.strides[d] : buffer_.itemsize;
  }
  return result;
}

bool held_array::fits(const array_shape& wanted) const {
  if (buffer_.itemsize != wanted.item || static_cast<std::size_t>(buffer_.ndim) != wanted.dimensions) return false;
  for (std::size_t d = 0; d < wanted.dimensions; ++d)
    if (buffer_.shape[d] != wanted.extents[d] || (buffer_.shape[d] > 1 && buffer_.strides[d] != wanted.strides[d]))
      return false;
  const char* const format = buffer_.format == nullptr ? "B" : buffer_.format;
  return wanted.format == format || type_of(format, buffer_.itemsize) == wanted.type;
}

std::string to_text(const array_shape& shape) {
  const auto list = [&](const auto& numbers) {
    std::string result = "(";
    for (std::size_t d = 0; d < shape.dimensions; ++d) {
      if (d > 0) result += ", ";
      result += std::to_string(numbers[d]);
    }
    return result + (shape.dimensions == 1 ? ",)" : ")");
  };
  return wherry::detail::text("shape ", list(shape.extents), ", strides ", list(shape.strides), ", format '",
                              shape.format, "'");
}

std::vector<component> components_of(const array_shape& shape, std::size_t from, std::size_t count) {
  wherry::index_t element = shape.item;
  std::size_t until = from + count;
  // From the last dimension on, as long as they lie one behind the other.
  while (until > from && (shape.extents[until - 1] == 1 || shape.strides[until - 1] == element)) {
    element *= shape.extents[until - 1];
    --until;
  }
  std::vector<component> result{{0, element}};
  for (std::size_t d = from; d < until; ++d) {
    std::vector<component> more;
    for (const auto& one : result)
      for (wherry::index_t i = 0; i < shape.extents[d]; ++i)
        more.push_back({one.offset + i * shape.strides[d], element});
    result = std::move(more);
  }
  return result;
}

}  // namespace wherry_python
