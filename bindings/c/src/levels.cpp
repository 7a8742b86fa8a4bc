#include "wherry/c/levels.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "wherry/blocks/level_coupling.hpp"

#include "blocks.hpp"
#include "program_functions.hpp"

namespace wherry_c {

template <int N> using coupling_of = wherry::level_coupling<std::byte, N>;

struct level_coupling_object {
  std::shared_ptr<x_array_object> coarse, fine;
  in_any_dimensions<coupling_of> levels;
  std::string text{};  // the last one that was asked for

  template <int N>
  level_coupling_object(std::shared_ptr<x_array_object> below, std::shared_ptr<x_array_object> above,
                        coupling_of<N> made)
      : coarse(std::move(below)), fine(std::move(above)), levels(std::move(made)) {}
};
template <> inline constexpr kind kind_of<level_coupling_object> = kind::level_coupling;

namespace {

template <class Step>
wherry_status with_levels(wherry_level_coupling levels, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    auto& given = object_of<level_coupling_object>(levels, where, "levels");
    std::visit([&](auto& one) { step(given, one); }, given.levels);
  });
}

/// The same for a call that drives what is in flight.
template <class Step>
wherry_status driving_levels(wherry_level_coupling levels, std::string_view where, Step&& step) noexcept {
  return with_levels(levels, where, [&](level_coupling_object& given, auto& one) {
    refuse_in_program_function(where);
    step(given, one);
  });
}

/// A function of the program's, in the form that the C++ library calls. After it has failed it is not called again, but
/// the call goes on to its end, because other ranks take part in it.
class program_function {
 public:
  program_function(const level_coupling_object& of, wherry_level_function function, void* context)
      : array_(*of.fine), function_(function), context_(context) {}

  template <int N>
  void operator()(const wherry::grid_view<const std::byte, N>& from, const wherry::grid_view<std::byte, N>& to,
                  const wherry::box<N>& cells) {
    if (failure_ != 0 || function_ == nullptr) return;
    const auto space = std::visit([](const auto& one) { return one.shape().space; }, array_.array);
    const auto source = block_of<N>(array_, -1, from.cells(), from, space);
    const auto destination = block_of<N>(array_, -1, to.cells(), to, space);
    const auto where = box_of<N>(cells);
    failure_ = call_program(function_, &source, &destination, &where, context_);
  }
  void require_success(std::string_view where) const {
    if (failure_ != 0)
      throw wherry::error(wherry::error_kind::resource, where,
                          wherry::detail::text("the program's function returned ", failure_), array_.comm().rank());
  }

 private:
  const x_array_object& array_;
  wherry_level_function function_;
  void* context_;
  int failure_ = 0;
};

/// Runs a call with a function of the program's.
template <class Step>
wherry_status with_function(wherry_level_coupling levels, wherry_level_function function, void* context,
                            std::string_view where, Step&& step) noexcept {
  return driving_levels(levels, where, [&](level_coupling_object& given, auto& one) {
    program_function call(given, function, context);
    const auto check = [&] {
      if (function == nullptr) refuse(where, "'interpolate' is NULL");
    };
    step(given, one, call, check);
    call.require_success(where);
  });
}

/// The mean of the fine values above each coarse value, as `level_coupling::average_down` computes it.
template <class T, int N> class mean {
 public:
  mean(const x_array_object& array, const wherry::centring<N>& on, const wherry::point<N>& ratio)
      : numbers_(array.numbers), ratio_(ratio), wide_(ratio) {
    for (std::size_t d = 0; d < N; ++d) {
      if (on.on_planes[d]) wide_[d] = 1;
      share_ /= static_cast<T>(wide_[d]);
    }
  }
  void operator()(const wherry::grid_view<const std::byte, N>& fine, const wherry::grid_view<std::byte, N>& coarse,
                  const wherry::box<N>& cells) const {
    for (int c = 0; c < coarse.components(); ++c)
      for (int i = 0; i < numbers_; ++i)
        for_each_point(cells, [&](const wherry::point<N>& p) {
          wherry::box<N> above;
          for (std::size_t d = 0; d < N; ++d) above.upper[d] = (above.lower[d] = p[d] * ratio_[d]) + wide_[d];
          T sum = 0;
          for_each_point(above, [&](const wherry::point<N>& q) { sum += reinterpret_cast<const T*>(&fine(q, c))[i]; });
          reinterpret_cast<T*>(&coarse(p, c))[i] = sum * share_;
        });
  }

 private:
  int numbers_;
  wherry::point<N> ratio_, wide_;
  T share_ = 1;
};

bool has_mean(wherry_type type) {
  return type == WHERRY_FLOAT32 || type == WHERRY_FLOAT64 || type == WHERRY_LONG_DOUBLE;
}

/// Only with types that have no mean can the function be missing, so that steps of the others do not wait here: the
/// type is the same on all ranks, and a rank without a function would leave the other ranks waiting for its averages.
void require_average(const level_coupling_object& given, wherry_level_function average, std::string_view where) {
  if (has_mean(given.fine->type)) return;
  wherry::detail::collectively(given.fine->comm(), where, [&] {
    if (average == nullptr)
      refuse(where,
             "'average' is NULL, but the mean is only known for WHERRY_FLOAT32, WHERRY_FLOAT64 and "
             "WHERRY_LONG_DOUBLE");
  });
}

template <int N> void start_means(level_coupling_object& given, coupling_of<N>& levels, std::string_view where) {
  const auto run = [&]<class T>() {
    const auto on = in_dimensions<N>(given.fine->array, where, "fine").shape().centring;
    levels.start_average_down(mean<T, N>(*given.fine, on, levels.ratio()));
  };
  if (given.fine->type == WHERRY_FLOAT32)
    run.template operator()<float>();
  else if (given.fine->type == WHERRY_FLOAT64)
    run.template operator()<double>();
  else
    run.template operator()<long double>();
}

wherry_status start_average(wherry_level_coupling levels, wherry_level_function average, void* context,
                            std::string_view where, bool wait) noexcept {
  return driving_levels(levels, where, [&](level_coupling_object& given, auto& one) {
    require_average(given, average, where);
    program_function call(given, average, context);
    if (average == nullptr)
      start_means(given, one, where);
    else
      one.start_average_down(call);
    if (wait) one.wait_average_down();
    call.require_success(where);
  });
}

wherry::level_options level_options_of(const wherry_level_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  if (options.reach < WHERRY_NO_REACH) refuse(where, "'options.reach' is ", options.reach);
  wherry::level_options result;
  result.reach = options.reach == 0 ? 1 : options.reach == WHERRY_NO_REACH ? 0 : options.reach;
  result.only_rim = options.only_rim != 0;
  result.carry = carry_of(options.carry, where);
  return result;
}

template <class Ask>
wherry_status text_of_levels(wherry_level_coupling levels, const char** text, std::string_view where,
                             Ask&& ask) noexcept {
  return with_levels(levels, where, [&](level_coupling_object& given, const auto& one) {
    require_result(text, where, "text");
    given.text = ask(one);
    *text = given.text.c_str();
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_level_coupling_create(wherry_x_array coarse, wherry_x_array fine, const wherry_domain* space,
                                           const int64_t* ratio, const wherry_level_options* options,
                                           wherry_level_coupling* result) {
  constexpr auto where = "wherry_level_coupling_create";
  return creating(result, where, [&] {
    const auto above = object_of<x_array_object>(fine, where, "fine").shared_from_this();
    return std::visit(
        [&]<int N>(byte_array<N>& values) {
          std::shared_ptr<x_array_object> below;
          wherry::domain<N> cells;
          wherry::point<N> times{};
          wherry::level_options how;
          wherry::detail::collectively(
              above->comm(), where,
              [&] {
                require_result(result, where, "result");
                require_result(space, where, "space");
                below = object_of<x_array_object>(coarse, where, "coarse").shared_from_this();
                in_dimensions<N>(below->array, where, "coarse");
                if (!(below->comm() == above->comm())) refuse(where, "'coarse' has another communicator than 'fine'");
                if (below->type != above->type || below->numbers != above->numbers)
                  refuse(where, "'coarse' has elements of another type than 'fine'");
                cells = domain_in<N>(space, where);
                times = point_in<N>(ratio, where, "ratio");
                how = level_options_of(options, where);
              },
              above->type, "ranks have levels of different types");
          return std::make_shared<level_coupling_object>(
              below, above, coupling_of<N>(in_dimensions<N>(below->array, where, "coarse"), values, cells, times, how));
        },
        above->array);
  });
}
wherry_status wherry_level_coupling_free(wherry_level_coupling* levels) {
  constexpr auto where = "wherry_level_coupling_free";
  return guarded(where, [&] { free_handle<level_coupling_object>(levels, where, "levels"); });
}

wherry_status wherry_level_start_ghosts(wherry_level_coupling levels) {
  return driving_levels(levels, "wherry_level_start_ghosts", [](auto&, auto& one) { one.start_ghosts(); });
}
wherry_status wherry_level_test_ghosts(wherry_level_coupling levels, int* done) {
  constexpr auto where = "wherry_level_test_ghosts";
  return driving_levels(levels, where, [&](auto&, auto& one) {
    require_result(done, where, "done");
    *done = one.test_ghosts() ? 1 : 0;
  });
}
wherry_status wherry_level_wait_ghosts(wherry_level_coupling levels, wherry_level_function interpolate, void* context) {
  return with_function(levels, interpolate, context, "wherry_level_wait_ghosts",
                       [](auto&, auto& one, auto& call, const auto& check) {
                         check();  // the ghosts stay in flight
                         one.wait_ghosts(call);
                       });
}
wherry_status wherry_level_fill_ghosts(wherry_level_coupling levels, wherry_level_function interpolate, void* context) {
  return with_function(levels, interpolate, context, "wherry_level_fill_ghosts",
                       [](auto&, auto& one, auto& call, const auto& check) {
                         one.fill_ghosts(call);  // without a function the other ranks get their cells all the same
                         check();
                       });
}
wherry_status wherry_level_fill_all(wherry_level_coupling levels, wherry_level_function interpolate, void* context) {
  constexpr auto where = "wherry_level_fill_all";
  return with_function(levels, interpolate, context, where, [](auto& given, auto& one, auto& call, const auto& check) {
    wherry::detail::collectively(given.fine->comm(), where, check);
    one.fill_all(call);
  });
}

wherry_status wherry_level_start_average_down(wherry_level_coupling levels, wherry_level_function average,
                                              void* context) {
  return start_average(levels, average, context, "wherry_level_start_average_down", false);
}
wherry_status wherry_level_test_average_down(wherry_level_coupling levels, int* done) {
  constexpr auto where = "wherry_level_test_average_down";
  return driving_levels(levels, where, [&](auto&, auto& one) {
    require_result(done, where, "done");
    *done = one.test_average_down() ? 1 : 0;
  });
}
wherry_status wherry_level_wait_average_down(wherry_level_coupling levels) {
  return driving_levels(levels, "wherry_level_wait_average_down", [](auto&, auto& one) { one.wait_average_down(); });
}
wherry_status wherry_level_average_down(wherry_level_coupling levels, wherry_level_function average, void* context) {
  return start_average(levels, average, context, "wherry_level_average_down", true);
}

wherry_status wherry_level_ghosts(wherry_level_coupling levels, int capacity, wherry_box_part* parts, int* count) {
  constexpr auto where = "wherry_level_ghosts";
  return with_levels(levels, where, [&]<int N>(auto&, const wherry::level_coupling<std::byte, N>& one) {
    give_list(one.ghosts(), capacity, parts, count, where, "parts",
              [](const auto& part) { return wherry_box_part{part.number, box_of<N>(part.cells)}; });
  });
}
wherry_status wherry_level_statistics(wherry_level_coupling levels, wherry_statistics* result) {
  constexpr auto where = "wherry_level_statistics";
  return with_levels(levels, where, [&](auto&, const auto& one) {
    require_result(result, where, "result");
    *result = statistics_of(one.statistics());
  });
}
wherry_status wherry_level_explain(wherry_level_coupling levels, const char** text) {
  return text_of_levels(levels, text, "wherry_level_explain", [](const auto& one) { return one.explain(); });
}
wherry_status wherry_level_transport(wherry_level_coupling levels, const char** text) {
  return text_of_levels(levels, text, "wherry_level_transport", [](const auto& one) { return one.transport(); });
}
}
