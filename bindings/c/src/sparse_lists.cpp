#include "sparse_lists.hpp"

namespace wherry_c {

void arrivals_object::finish() { offsets = ends_of(begins, static_cast<std::size_t>(count())); }

wherry_view arrivals_object::view(std::int64_t begin, std::int64_t end) {
  const auto extent = end - begin;
  auto result = wherry_c_array(all.data() + static_cast<std::size_t>(begin) * element, type, 1, &extent);
  result.components = components;
  return result;
}

wherry::detail::sparse_target target_of(const std::shared_ptr<arrivals_object>& lists) {
  wherry::detail::sparse_target target{lists,
                                       [](void* to, std::size_t elements) {
                                         auto& ours = *static_cast<arrivals_object*>(to);
                                         ours.all.resize(elements * ours.element);
                                         return ours.all.data();
                                       },
                                       &lists->sources, &lists->begins};
  target.reserve = [](void* to, std::size_t elements) {
    auto& ours = *static_cast<arrivals_object*>(to);
    ours.all.reserve(elements * ours.element);
  };
  target.append = [](void* to, const std::byte* from, std::size_t elements) {
    auto& ours = *static_cast<arrivals_object*>(to);
    ours.all.insert(ours.all.end(), from, from + elements * ours.element);
  };
  return target;
}

std::vector<std::int64_t> ends_of(const std::vector<std::size_t>& begins, std::size_t all) {
  std::vector<std::int64_t> result(begins.begin(), begins.end());
  result.push_back(static_cast<std::int64_t>(all));
  return result;
}

void read_sparse_options(const wherry_sparse_options* given, std::string_view where, wherry::sparse_options& result) {
  const auto options = options_of(given, where);
  if (options.algorithm != nullptr) result.algorithm = options.algorithm;
  if (options.knows_sources != 0) result.receive_from.emplace();
  const auto sources = list_of(options.receive_from, options.receive_from_count, where, "options.receive_from");
  if (options.knows_sources != 0)
    result.receive_from.emplace(sources.begin(), sources.end());
  else if (!sources.empty())
    refuse(where, "'options.receive_from' has ", sources.size(), " ranks, but 'options.knows_sources' is 0");
  if (options.limit_bytes < 0) refuse(where, "'options.limit_bytes' is ", options.limit_bytes);
  result.limit_bytes = static_cast<std::size_t>(options.limit_bytes);
}

}  // namespace wherry_c
