#include "bound_exchange.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>
#include <utility>

#include "wherry/halo/halo_exchange.hpp"

#include "errors.hpp"

namespace wherry_python {

kept_array::kept_array(nb::handle object, bool written, const array_shape* wanted, std::string_view where,
                       std::size_t number) {
  const field_base* field = nullptr;
  if (nb::try_cast(object, field, false)) {
    if (wanted != nullptr && !(field->shape == *wanted))
      refuse(where, "array ", number, " has ", field->shape, ", but the exchange was made for ", *wanted);
    field_ = field;
    owner_ = nb::borrow(object);
    return;
  }
  // The name of the argument costs more than the rest, so it is made for errors only.
  try {
    buffer_ = held_array(object, written, {}, {});
  } catch (const wherry::error&) {
    held_array(object, written, where, wherry::detail::text("array ", number));
    throw;
  }
  if (wanted != nullptr && !buffer_.fits(*wanted))
    refuse(where, "array ", number, " has ", buffer_.shape(where, "array"), ", but the exchange was made for ",
           *wanted);
}

kept_array kept_array::again() const {
  kept_array result;
  result.field_ = field_;
  result.owner_ = owner_;
  if (field_ == nullptr) result.buffer_ = held_array(buffer_.owner(), false, "only", "an array");
  return result;
}

std::byte* kept_array::data() const { return field_ != nullptr ? field_->held.data() : buffer_.data(); }
array_shape kept_array::shape(std::string_view where) const {
  return field_ != nullptr ? field_->shape : buffer_.shape(where, "array");
}

/// While a call works, others on the same exchange are refused; they would come from other threads.
class bound_exchange::call {
 public:
  explicit call(bound_exchange& of, bool starts) : of_(of) {
    require_no_child(of.of_.name);
    if (of.busy_) [[unlikely]]
      throw wherry::error(wherry::error_kind::state, of.of_.name, "another thread is in a call of this exchange");
    if (starts && of.in_flight_) [[unlikely]]
      throw wherry::error(wherry::error_kind::state, of.of_.name,
                          "the exchange was started, and has not ended: call 'wait' first");
    of.busy_ = true;
  }
  ~call() { of_.busy_ = false; }
  call(const call&) = delete;
  call& operator=(const call&) = delete;

 private:
  bound_exchange& of_;
};

bound_exchange::bound_exchange(std::shared_ptr<wherry::bound_pattern> pattern, parts of)
    : pattern_(std::move(pattern)), of_(std::move(of)), kept_(std::move(of_.first)), table_(of_.fields.size()) {
  of_.first.clear();
  if (kept_.empty()) return;
  set_table(kept_);
  pattern_->bound().set_fields(std::span<void* const>(table_));
  has_addresses_ = true;
}

void bound_exchange::set_table(const std::vector<kept_array>& arrays) {
  static std::byte nothing;
  for (std::size_t f = 0; f < table_.size(); ++f) {
    auto* const first = arrays[of_.fields[f].array].data();
    table_[f] = first == nullptr ? &nothing : first + of_.fields[f].offset;
  }
}

bound_exchange::~bound_exchange() {
  if (is_in_child()) {
    new std::shared_ptr<wherry::bound_pattern>(std::move(pattern_));
    return;
  }
  // An exchange that nobody can wait for any more is given up; its arrays go afterwards.
  if (in_flight_) pattern_->abandon();
  const nb::gil_scoped_release others_run;
  pattern_.reset();
}

std::vector<kept_array> bound_exchange::take(const nb::args& arrays) {
  if (arrays.size() != of_.shapes.size()) [[unlikely]]
    refuse(of_.name, "there are ", arrays.size(), " arrays, but the exchange was made for ", of_.shapes.size());
  std::vector<kept_array> kept;
  kept.reserve(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    kept.emplace_back(arrays[i], of_.written[i], &of_.shapes[i], of_.name, i);
  set_table(kept);
  return kept;
}

void bound_exchange::require_addresses() const {
  if (!has_addresses_ && !of_.shapes.empty())
    throw wherry::error(wherry::error_kind::state, of_.name, "the first start has no arrays: pass them");
}

void bound_exchange::start(const nb::args& arrays, bool in_parts) {
  const call one(*this, true);
  if (arrays.size() == 0) {
    require_addresses();
    const nb::gil_scoped_release others_run;
    in_parts ? pattern_->start_in_parts() : pattern_->start();
  } else {
    auto kept = take(arrays);
    {
      const nb::gil_scoped_release others_run;
      const std::span<void* const> table(table_);
      in_parts ? pattern_->bound().start_in_parts(table) : pattern_->bound().start(table);
    }
    kept_ = std::move(kept);
    has_addresses_ = true;
  }
  in_flight_ = true;
}

void bound_exchange::ready(int part) {
  require_no_child(of_.name);
  const nb::gil_scoped_release others_run;
  pattern_->ready(part);
}

std::unique_ptr<bound_exchange> bound_exchange::only(std::vector<std::size_t> arrays,
                                                     std::optional<wherry::index_t> depth) {
  require_no_child("only");
  if (of_.halo == nullptr) refuse("only", "this is no halo exchange, or one of some fields already");
  std::sort(arrays.begin(), arrays.end());
  parts some;
  some.name = of_.name;
  std::vector<int> fields;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] >= of_.shapes.size() || (i > 0 && arrays[i] == arrays[i - 1]))
      refuse("only", "'fields' names field ", arrays[i], ", expected each once, from 0 to ", of_.shapes.size() - 1);
    some.shapes.push_back(of_.shapes[arrays[i]]);
    some.written.push_back(true);
    some.first.push_back(kept_[arrays[i]].again());
    for (std::size_t f = 0; f < of_.fields.size(); ++f)
      if (of_.fields[f].array == arrays[i]) {
        fields.push_back(static_cast<int>(f));
        some.fields.push_back({i, of_.fields[f].offset});
      }
  }
  wherry::halo_exchange* found = nullptr;
  {
    const nb::gil_scoped_release others_run;
    found = &of_.halo->only(fields, depth.value_or(wherry::halo_exchange::whole_depth));
  }
  return std::make_unique<bound_exchange>(std::shared_ptr<wherry::bound_pattern>(of_.halo, found), std::move(some));
}

void bound_exchange::wait() {
  const call one(*this, false);
  {
    const nb::gil_scoped_release others_run;
    pattern_->wait();
  }
  in_flight_ = false;
}

bool bound_exchange::test() {
  const call one(*this, false);
  bool done = false;
  {
    const nb::gil_scoped_release others_run;
    done = pattern_->test();
  }
  if (done) in_flight_ = false;
  return done;
}

void bound_exchange::run(const nb::args& arrays) {
  const call one(*this, true);
  if (arrays.size() == 0) {
    require_addresses();
    in_flight_ = true;  // so that it is given up if it ends by a timeout and is then collected
    const nb::gil_scoped_release others_run;
    (*pattern_)();
  } else {
    auto kept = take(arrays);
    {
      const nb::gil_scoped_release others_run;
      pattern_->bound().start(std::span<void* const>(table_));
    }
    kept_ = std::move(kept);
    has_addresses_ = in_flight_ = true;
    const nb::gil_scoped_release others_run;
    pattern_->wait();
  }
  in_flight_ = false;
}

void bound_exchange::abandon() {
  const call one(*this, false);
  {
    const nb::gil_scoped_release others_run;
    pattern_->abandon();
  }
  in_flight_ = false;
}

void bind_exchange(nb::module_& m) {
  const auto returned = [](const nb::args& arrays) -> nb::object {
    if (arrays.size() == 1) return nb::borrow(arrays[0]);
    if (arrays.size() > 1) return nb::borrow(arrays);
    return nb::none();
  };
  nb::class_<bound_exchange>(
      m, "Exchange",
      "An exchange that is planned and bound. Grid.halo and IndexHalo.bind make it.\n\n"
      "The arrays of a call may differ from those that it was made with, but not in shape, dtype "
      "and strides.\nEach rank must call it as often as its neighbours do.")
      .def(
          "__call__",
          [returned](bound_exchange& self, const nb::args& arrays) {
            self.run(arrays);
            return returned(arrays);
          },
          "Exchanges, and returns the array, or a tuple of the arrays. Without arguments: in the memory of the last "
          "start, or of the arrays that it was made with; returns None.\n\nRaises Error: argument (an array of another "
          "shape), state (it is in flight), timeout, lost.")
      .def(
          "start",
          [](nb::handle self, const nb::args& arrays) {
            nb::inst_ptr<bound_exchange>(self)->start(arrays);
            return nb::borrow(self);
          },
          nb::sig("def start(self, *arrays: typing.Any) -> Exchange"),
          "Begins to exchange, and does not wait. Until the end, what is sent must not be written, and what is "
          "received "
          "must not be read. As a block, `with fill.start(u): ...` waits at its end.")
      .def(
          "start_in_parts",
          [](nb::handle self, const nb::args& arrays) {
            nb::inst_ptr<bound_exchange>(self)->start(arrays, true);
            return nb::borrow(self);
          },
          nb::sig("def start_in_parts(self, *arrays: typing.Any) -> Exchange"),
          "Begins as `start` does, but each of the `parts` that the exchange was made with may be written until "
          "`ready`.")
      .def("ready", &bound_exchange::ready, nb::arg("part"),
           "Says that the part with this number is written. Any thread may call it, once for each part and start.")
      .def("only", &bound_exchange::only, nb::arg("fields"), nb::arg("depth").none() = nb::none(),
           "The exchange of some of the fields, by their numbers, and of at most `depth` layers of their halos. It "
           "takes "
           "these fields in ascending order. Collective the first time; kept.")
      .def("wait", &bound_exchange::wait, "Returns when all data has arrived, and what is sent may be written again.")
      .def("test", &bound_exchange::test, "Makes progress. Returns True when the exchange is complete.")
      .def("abandon", &bound_exchange::abandon,
           "Gives up the exchange in flight: the arrays are yours again, partly filled. Every later call is an error.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def(
          "__exit__",
          [](bound_exchange& self, nb::handle type, nb::handle, nb::handle) {
            if (!type.is_none())
              self.abandon();
            else if (self.in_flight())
              self.wait();
          },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none())
      .def_prop_ro("in_flight", &bound_exchange::in_flight, "True between `start` and the end.")
      .def_prop_ro(
          "transport", [](const bound_exchange& self) { return self.pattern().transport(); },
          "The transports in use, such as \"shared\".")
      .def(
          "explain", [](const bound_exchange& self) { return self.pattern().explain(); },
          "The plan, the transport of each message and the reason for it, as a text.")
      .def(
          "plan_as_json", [](const bound_exchange& self) { return self.pattern().schedule().to_json(); },
          "The plan of this rank, for tools.")
      .def_prop_ro(
          "statistics",
          [](const bound_exchange& self) {
            const auto moved = self.pattern().statistics();
            nb::dict result;
            result["exchanges"] = moved.exchanges;
            result["bytes_sent"] = moved.bytes_sent;
            result["bytes_received"] = moved.bytes_received;
            result["bytes_copied"] = moved.bytes_copied;
            result["seconds_waiting"] = moved.seconds_waiting;
            return result;
          },
          "What this rank has moved: exchanges, bytes_sent, bytes_received, bytes_copied, seconds_waiting.");
}

}  // namespace wherry_python
