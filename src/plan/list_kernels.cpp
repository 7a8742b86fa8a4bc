#include "list_kernels.hpp"

#include <cstdint>

#include "kernels.hpp"

namespace wherry::kernels {
namespace {

enum class way { to_wire, from_wire };

/// Moves the parts of a list, one after the other.
template <class Run, way Where> class mover {
 public:
  mover(const detail::listed_places& what, std::byte* field, std::byte* wire)
      : run_(what.run), unit_(what.unit), field_(field), wire_(wire) {}

  void operator()(const plans::place_rows& part) {
    const std::int64_t run = Run::bytes(run_), step = part.step * unit_, row_step = part.row_step * unit_;
    auto* const first = field_ + part.first * unit_;
    if (step == run || part.points == 1)
      move_rows<any_run>({1, 0, 0}, {part.rows, row_step, run * part.points}, first, run * part.points);
    else
      move_rows<Run>({part.points, step, run}, {part.rows, row_step, run * part.points}, first, run);
    wire_ += part.count() * run;
  }
  template <class Number> void operator()(std::span<const Number> places) {
    // The unit of a place is mostly the element itself; the scale is then part of the instruction.
    if (const std::int64_t run = Run::bytes(run_); unit_ == run)
      move_each(places, run);
    else
      move_each(places, unit_);
  }

 private:
  /// The strides of the field and of the wire.
  template <class Any>
  void move_rows(detail::joint_loop inner, detail::joint_loop outer, std::byte* first, std::int64_t bytes) {
    if constexpr (Where == way::to_wire) {
      rows<Any>(inner, outer, first, wire_, bytes);
    } else {
      std::swap(inner.from, inner.to);
      std::swap(outer.from, outer.to);
      rows<Any>(inner, outer, wire_, first, bytes);
    }
  }
  template <class Number> void move_each(std::span<const Number> places, const std::int64_t unit) {
    const std::int64_t run = Run::bytes(run_);
    auto *const field = field_, *wire = wire_;
    for (const std::int64_t place : places) {
      if constexpr (Where == way::to_wire)
        Run::copy(wire, field + place * unit, run);
      else
        Run::copy(field + place * unit, wire, run);
      wire += run;
    }
    wire_ = wire;
  }

  std::int64_t run_, unit_;
  std::byte *field_, *wire_;
};

template <way Where>
void move(const plans::index_table& lists, const detail::listed_places& what, std::byte* field, std::byte* wire) {
  with_run(what.run, [&]<class Run>() {
    lists.for_each_part(what.list, what.skipped, what.count, mover<Run, Where>(what, field, wire));
  });
}

}  // namespace

void gather(const plans::index_table& lists, const detail::listed_places& what, const std::byte* field,
            std::byte* wire) {
  move<way::to_wire>(lists, what, const_cast<std::byte*>(field), wire);  // the field is not written
}

void scatter(const plans::index_table& lists, const detail::listed_places& what, const std::byte* wire,
             std::byte* field) {
  move<way::from_wire>(lists, what, field, const_cast<std::byte*>(wire));
}

}  // namespace wherry::kernels
