#include "check_functions.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

class function_checker {
 public:
  function_checker(const plans::schedule& plan, const plans::functions& code, int rank)
      : plan_(plan), code_(code), rank_(rank), leaving_(plan.shapes.size(), nobody), arriving_(leaving_) {
    for (std::uint32_t s = 0; s < plan.shapes.size() && !any_called_; ++s)
      any_called_ = plan.shapes.strided_words(s) == nullptr && plan.shapes[s].kind == plans::block::form::called;
  }

  void check(const plans::message& m, bool receives) {
    const auto whose = [&] { return detail::text("a message ", receives ? "from" : "to", " rank ", m.peer); };
    begin(m.operation, whose);
    if (nothing_to_call()) return;
    for (const auto& row : plan_.rows_of(m)) receives ? arrives(row, whose) : leaves(row);
  }

  void check(const plans::copy_list& list) {
    const auto whose = [] { return std::string("a copy"); };
    begin(list.operation, whose);
    std::pair<std::int32_t, std::int32_t> checked{-1, -1};  // the last fields whose types fit
    for (const auto& [from, to] : plan_.rows_of(list)) {
      if (!nothing_to_call()) {
        leaves(from);
        arrives(to, whose);
      }
      if (std::pair(from.field, to.field) == checked && types_are_the_fields_) continue;
      const auto source = plan_.what(from), target = plan_.what(to);
      const auto read = plans::leaving_type(source, plan_),
                 written = plans::arriving_type(target, operation_, plan_, code_);
      if (!plans::fits(read, written))
        fail(detail::text("a copy reads ", to_string(read), " from field ", from.field, " where field ", to.field,
                          " takes ", to_string(written)));
      checked = {from.field, to.field};
      if (nothing_to_call() && types_are_the_fields_ && plan_.fields.size() == 1) return;  // all other rows are alike
    }
  }

 private:
  static constexpr std::int32_t nobody = -1;

  bool nothing_to_call() const { return operation_ == detail::store && !any_called_; }

  template <class Whose> void begin(int operation, const Whose& whose) {
    if (operation != detail::store && (operation < 0 || static_cast<std::size_t>(operation) >= code_.reductions.size()))
      fail(detail::text(whose(), " names reduction ", operation, " of ", code_.reductions.size()));
    types_are_the_fields_ = operation == detail::store && code_.accessors.empty();
    if (operation != operation_) arriving_.assign(arriving_.size(), nobody);
    operation_ = operation;
  }

  /// `leaving_` and `arriving_` hold, for each shape, the field for which the shape was last checked.
  void leaves(const plans::block_row& row) {
    if (std::exchange(leaving_[row.shape], row.field) != row.field) check_accessor(plan_.what(row));
  }
  template <class Whose> void arrives(const plans::block_row& row, const Whose& whose) {
    if (std::exchange(arriving_[row.shape], row.field) == row.field) return;
    const auto b = plan_.what(row);
    check_accessor(b);
    if (operation_ != detail::store) check_operation(b, whose());
  }

  void check_accessor(const plans::block& b) const {
    const auto field = static_cast<std::size_t>(b.field);
    if (b.kind == plans::block::form::called &&
        (field >= code_.accessors.size() || !code_.accessors[field].gather || !code_.accessors[field].scatter))
      fail(detail::text("field ", field, " has no gather and scatter functions"));
  }

  void check_operation(const plans::block& b, const std::string& whose) const {
    const auto& all = code_.reductions[static_cast<std::size_t>(operation_)].by_block;
    if (!all.empty() && b.operation >= std::ssize(all))
      fail(detail::text(whose, " has a block of operation ", b.operation, " of ", all.size()));
    if (const auto* op = code_.on_arrival(operation_, b.operation))
      check_operation(b, *op, whose);
    else if (b.converts())
      fail(detail::text(whose, " has a block that converts elements but names no operation that does so"));
  }

  void check_operation(const plans::block& b, const plans::typed_reduction& op, const std::string& whose) const {
    const auto element = static_cast<std::int64_t>(op.element), arriving = static_cast<std::int64_t>(op.arriving());
    if (b.kind == plans::block::form::called)
      fail(detail::text("field ", b.field, " has gather and scatter functions, which cannot reduce"));
    if (b.run % element != 0)
      fail(detail::text("the reduction '", op.name, "' works on elements of ", element, " bytes, but ", whose,
                        " has rows of ", b.run));
    const auto& shape = plan_.fields[static_cast<std::size_t>(b.field)];
    if (!plans::fits(op.type, shape.type))
      fail(detail::text("the reduction '", op.name, "' works on ", to_string(op.type), ", but field ", b.field, " '",
                        shape.name, "' has ", to_string(shape.type)));
    const auto on_wire = b.converts() ? b.wire_element : b.element;
    if (on_wire * element != b.element * arriving)
      fail(detail::text("the reduction '", op.name, "' makes elements of ", element, " bytes from elements of ",
                        arriving, ", but ", whose, " has ", b.element, " from ", on_wire));
  }

  [[noreturn]] void fail(std::string_view what) const { throw error(error_kind::argument, plan_.pattern, what, rank_); }

  const plans::schedule& plan_;
  const plans::functions& code_;
  int rank_, operation_ = detail::store;
  bool types_are_the_fields_ = false, any_called_ = false;
  std::vector<std::int32_t> leaving_, arriving_;  // by shape
};

}  // namespace

void check_functions(const plans::schedule& plan, const plans::functions& code, int rank) {
  function_checker all(plan, code, rank);
  for (const auto& part : plan.stages) {
    for (const auto& m : part.sends) all.check(m, false);
    for (const auto& m : part.receives) all.check(m, true);
    for (const auto& list : part.copies) all.check(list);
  }
}

}  // namespace wherry
