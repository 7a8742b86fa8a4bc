#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "wherry/blocks/array_series.hpp"
#include "wherry/c/array_file.h"

#include "blocks.hpp"

namespace wherry_c {

struct array_series_object {
  wherry::communicator comm;
  wherry::array_series series;
};
template <> inline constexpr kind kind_of<array_series_object> = kind::array_series;

struct array_writer_object {
  std::shared_ptr<x_array_object> array;
  wherry::array_writer writer;
  std::string text{};  // the last one that was asked for
};
template <> inline constexpr kind kind_of<array_writer_object> = kind::array_writer;

namespace {

/// The name of the element type in files: that which C++ programs use for the same numbers.
std::string file_type_of(const x_array_object& array) {
  const wherry::plans::element_type type{static_cast<wherry::plans::element_kind>(array.type >> 24),
                                         array.type & 0xffffffu, 0};
  const std::string number(wherry::detail::name_of_number(type));
  if (number.empty())
    return wherry::detail::text("bytes[", std::uint64_t{type.bytes} * static_cast<std::uint64_t>(array.numbers), ']');
  return array.numbers == 1 ? number : wherry::detail::text(number, '[', array.numbers, ']');
}

wherry::array_file_options file_options_of(const wherry_array_file_options* given, const x_array_object& array,
                                           std::string_view where) {
  const auto options = options_of(given, where);
  wherry::array_file_options result;
  result.type = options.type != nullptr && *options.type != '\0' ? options.type : file_type_of(array);
  result.snapshot = options.snapshot != 0;
  if (options.buffer_bytes != 0) result.buffer_bytes = options.buffer_bytes;
  if (options.piece != 0) result.piece = options.piece;
  if (options.hints != nullptr) result.hints = *options.hints;
  return result;
}

/// Checks on this rank that an array is as a call on a file wants it.
struct file_call {
  std::shared_ptr<x_array_object> array;
  wherry::array_file_options options;

  file_call() = default;
  file_call(std::shared_ptr<x_array_object> of, const wherry_box* section, const wherry_array_file_options* how,
            std::string_view where)
      : array(std::move(of)), options(file_options_of(how, *array, where)) {
    if (section != nullptr && section->dimensions != array->dimensions())
      refuse(where, "'section' has ", section->dimensions, " dimensions, expected ", array->dimensions());
  }
  /// Calls `step(array, section...)`: with the section if there is one.
  template <class Step> auto run(const wherry_box* section, Step&& step) const {
    return std::visit(
        [&]<int N>(byte_array<N>& values) {
          return section == nullptr ? step(values) : step(values, box_of<N>(*section));
        },
        array->array);
  }
};

std::shared_ptr<x_array_object> array_in_call(wherry_x_array array, std::string_view where) {
  return object_of<x_array_object>(array, where, "array").shared_from_this();
}

/// Sets up a call that is collective over the communicator of an array.
template <class Check>
file_call file_call_of(wherry_x_array array, const wherry_box* section, const wherry_array_file_options* options,
                       std::string_view where, Check&& check) {
  const auto given = array_in_call(array, where);
  file_call result;
  wherry::detail::collectively(given->comm(), where, [&] {
    check();
    result = file_call(given, section, options, where);
  });
  return result;
}

void give_description(const wherry::array_file_description& known, wherry_array_file_description& result) {
  result = {};
  result.dimensions = known.dimensions;
  result.components = known.components;
  result.boxes = known.boxes;
  result.element = known.element;
  result.bytes = known.bytes;
  known.type.copy(result.type, sizeof result.type - 1);
}

array_writer_object& writer_in(wherry_array_writer writer, std::string_view where) {
  return object_of<array_writer_object>(writer, where, "writer");
}
array_series_object& series_in(wherry_array_series series, std::string_view where) {
  return object_of<array_series_object>(series, where, "series");
}
/// Sets up a call that is collective over the communicator of a series.
file_call call_of_series(const array_series_object& series, const char* name, wherry_x_array array,
                         const wherry_box* section, const wherry_array_file_options* options, std::string_view where) {
  file_call result;
  wherry::detail::collectively(series.comm, where, [&] {
    require_result(name, where, "name");
    result = file_call(array_in_call(array, where), section, options, where);
    if (!(result.array->comm() == series.comm)) refuse(where, "'array' has another communicator than 'series'");
  });
  return result;
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_write_array(const char* path, wherry_x_array array, const wherry_box* section,
                                 const wherry_array_file_options* options) {
  constexpr auto where = "wherry_write_array";
  return guarded(where, [&] {
    auto call = file_call_of(array, section, options, where, [&] { require_result(path, where, "path"); });
    call.run(section, [&](const auto& values, const auto&... cells) {
      wherry::write_array(path, values, cells..., call.options);
    });
  });
}
wherry_status wherry_read_array(const char* path, wherry_x_array array, const wherry_box* section,
                                const wherry_array_file_options* options, int64_t* filled) {
  constexpr auto where = "wherry_read_array";
  return guarded(where, [&] {
    auto call = file_call_of(array, section, options, where, [&] { require_result(path, where, "path"); });
    const auto cells_filled = call.run(section, [&](auto& values, const auto&... cells) {
      return wherry::read_array(path, values, cells..., call.options);
    });
    if (filled != nullptr) *filled = cells_filled;
  });
}

wherry_status wherry_describe_array_file(wherry_communicator comm, const char* path,
                                         wherry_array_file_description* result) {
  constexpr auto where = "wherry_describe_array_file";
  return guarded(where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::detail::collectively(ours, where, [&] {
      require_result(path, where, "path");
      require_result(result, where, "result");
    });
    give_description(wherry::describe_array_file(ours, path), *result);
  });
}
wherry_status wherry_read_floor_plan(wherry_communicator comm, const char* path, wherry_floor_plan* result) {
  constexpr auto where = "wherry_read_floor_plan";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::detail::collectively(ours, where, [&] {
      require_result(path, where, "path");
      require_result(result, where, "result");
    });
    const int dimensions = wherry::describe_array_file(ours, path).dimensions;
    return with_dimensions<most_box_dimensions>(
        dimensions, where, [&]<int N>() { return new_plan<N>(wherry::read_floor_plan<N>(ours, path)); });
  });
}

wherry_status wherry_array_series_create(wherry_communicator comm, const char* path, wherry_array_series* result) {
  constexpr auto where = "wherry_array_series_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::detail::collectively(ours, where, [&] {
      require_result(path, where, "path");
      require_result(result, where, "result");
    });
    return std::make_shared<array_series_object>(array_series_object{ours, wherry::array_series(ours, path)});
  });
}
wherry_status wherry_array_series_free(wherry_array_series* series) {
  constexpr auto where = "wherry_array_series_free";
  return guarded(where, [&] { free_handle<array_series_object>(series, where, "series"); });
}
wherry_status wherry_array_series_write(wherry_array_series series, const char* name, int64_t step,
                                        wherry_x_array array, const wherry_box* section,
                                        const wherry_array_file_options* options) {
  constexpr auto where = "wherry_array_series_write";
  return guarded(where, [&] {
    auto& given = series_in(series, where);
    const auto call = call_of_series(given, name, array, section, options, where);
    call.run(section, [&](const auto& values, const auto&... cells) {
      given.series.write(name, step, values, cells..., call.options);
    });
  });
}
wherry_status wherry_array_series_read(wherry_array_series series, const char* name, int64_t step, wherry_x_array array,
                                       const wherry_box* section, const wherry_array_file_options* options,
                                       int64_t* filled) {
  constexpr auto where = "wherry_array_series_read";
  return guarded(where, [&] {
    array_series_object* given = nullptr;
    const auto comm = array_in_call(array, where)->comm();
    const auto call = file_call_of(array, section, options, where, [&] {
      given = &series_in(series, where);
      require_result(name, where, "name");
      if (!(comm == given->comm)) refuse(where, "'array' has another communicator than 'series'");
    });
    const auto cells_filled = call.run(section, [&](auto& values, const auto&... cells) {
      return given->series.read(name, step, values, cells..., call.options);
    });
    if (filled != nullptr) *filled = cells_filled;
  });
}
wherry_status wherry_array_series_size(wherry_array_series series, int64_t* size) {
  constexpr auto where = "wherry_array_series_size";
  return guarded(where, [&] {
    require_result(size, where, "size");
    *size = static_cast<std::int64_t>(series_in(series, where).series.entries().size());
  });
}
wherry_status wherry_array_series_get(wherry_array_series series, int64_t index, wherry_array_series_entry* result) {
  constexpr auto where = "wherry_array_series_get";
  return guarded(where, [&] {
    const auto& all = series_in(series, where).series.entries();
    require_result(result, where, "result");
    if (index < 0 || static_cast<std::uint64_t>(index) >= all.size())
      refuse(where, "'index' is ", index, ", but the file has ", all.size(), " arrays");
    const auto& one = all[static_cast<std::size_t>(index)];
    *result = {one.name.c_str(), one.step, one.begin, one.bytes};
  });
}
wherry_status wherry_array_series_steps(wherry_array_series series, const char* name, int capacity, int64_t* steps,
                                        int* count) {
  constexpr auto where = "wherry_array_series_steps";
  return guarded(where, [&] {
    const auto& given = series_in(series, where);
    require_result(name, where, "name");
    give_list(given.series.steps(name), capacity, steps, count, where, "steps", [](std::int64_t step) { return step; });
  });
}
wherry_status wherry_array_series_describe(wherry_array_series series, const char* name, int64_t step,
                                           wherry_array_file_description* result) {
  constexpr auto where = "wherry_array_series_describe";
  return guarded(where, [&] {
    const auto& given = series_in(series, where);
    wherry::detail::collectively(given.comm, where, [&] {
      require_result(name, where, "name");
      require_result(result, where, "result");
    });
    give_description(given.series.describe(name, step), *result);
  });
}

wherry_status wherry_array_writer_create(wherry_x_array array, const wherry_box* section,
                                         const wherry_array_file_options* options, wherry_array_writer* result) {
  constexpr auto where = "wherry_array_writer_create";
  return creating(result, where, [&] {
    auto call = file_call_of(array, section, options, where, [&] { require_result(result, where, "result"); });
    return call.run(section, [&](const auto& values, const auto&... cells) {
      return std::make_shared<array_writer_object>(
          array_writer_object{call.array, wherry::array_writer(values, cells..., call.options)});
    });
  });
}
wherry_status wherry_array_writer_free(wherry_array_writer* writer) {
  constexpr auto where = "wherry_array_writer_free";
  return guarded(where, [&] { free_handle<array_writer_object>(writer, where, "writer"); });
}
wherry_status wherry_array_writer_start(wherry_array_writer writer, const char* path) {
  constexpr auto where = "wherry_array_writer_start";
  return guarded(where, [&] {
    auto& given = writer_in(writer, where);
    wherry::detail::collectively(given.array->comm(), where, [&] { require_result(path, where, "path"); });
    given.writer.start(path);
  });
}
wherry_status wherry_array_writer_start_series(wherry_array_writer writer, wherry_array_series series, const char* name,
                                               int64_t step) {
  constexpr auto where = "wherry_array_writer_start_series";
  return guarded(where, [&] {
    auto& given = writer_in(writer, where);
    array_series_object* into = nullptr;
    wherry::detail::collectively(given.array->comm(), where, [&] {
      into = &series_in(series, where);
      require_result(name, where, "name");
      if (!(into->comm == given.array->comm())) refuse(where, "'series' has another communicator than the array");
    });
    given.writer.start(into->series, name, step);
  });
}
wherry_status wherry_array_writer_test(wherry_array_writer writer, int* done) {
  constexpr auto where = "wherry_array_writer_test";
  return guarded(where, [&] {
    auto& given = writer_in(writer, where);
    require_result(done, where, "done");
    *done = given.writer.test() ? 1 : 0;
  });
}
wherry_status wherry_array_writer_wait(wherry_array_writer writer) {
  constexpr auto where = "wherry_array_writer_wait";
  return guarded(where, [&] { writer_in(writer, where).writer.wait(); });
}
wherry_status wherry_array_writer_statistics(wherry_array_writer writer, wherry_statistics* result) {
  constexpr auto where = "wherry_array_writer_statistics";
  return guarded(where, [&] {
    const auto& given = writer_in(writer, where);
    require_result(result, where, "result");
    *result = statistics_of(given.writer.statistics());
  });
}
wherry_status wherry_array_writer_explain(wherry_array_writer writer, const char** text) {
  constexpr auto where = "wherry_array_writer_explain";
  return guarded(where, [&] {
    auto& given = writer_in(writer, where);
    require_result(text, where, "text");
    given.text = given.writer.explain();
    *text = given.text.c_str();
  });
}
}
