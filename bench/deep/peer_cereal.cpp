// cereal's binary archives.
#include "deep/peers.hpp"

#if defined(BENCH_WITH_CEREAL)

#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/vector.hpp>

#include <sstream>

#include "deep/codec_contenders.hpp"

namespace bench::deep {

// begin: what a user writes (cereal, scene)
// As for cereal's unique_ptr: a flag for a pointer that is not null, then its object.
template <class Archive> void save_child(Archive& archive, const tree_node* child) {
  archive(child != nullptr);
  if (child != nullptr) archive(*child);
}
template <class Archive> void load_child(Archive& archive, tree_node*& child) {
  bool there = false;
  archive(there);
  if (!there) return;
  child = new tree_node;
  archive(*child);
}
template <class Archive> void save(Archive& archive, const tree_node& node) {
  archive(::cereal::binary_data(&node, node_head));
  save_child(archive, node.left);
  save_child(archive, node.right);
}
template <class Archive> void load(Archive& archive, tree_node& node) {
  archive(::cereal::binary_data(&node, node_head));
  load_child(archive, node.left);
  load_child(archive, node.right);
}
template <class Archive, class Value> void save_plain(Archive& archive, const std::vector<Value>& values) {
  archive(values.size(), ::cereal::binary_data(values.data(), values.size() * sizeof(Value)));
}
template <class Archive, class Value> void load_plain(Archive& archive, std::vector<Value>& values) {
  std::size_t size = 0;
  archive(size);
  values.resize(size);
  archive(::cereal::binary_data(values.data(), size * sizeof(Value)));
}
template <class Archive> void save(Archive& archive, const scene& s) {
  archive(::cereal::binary_data(&s.view, sizeof s.view));
  save_plain(archive, s.mesh);
  save_plain(archive, s.materials);
  save_child(archive, s.root);
}
template <class Archive> void load(Archive& archive, scene& s) {
  archive(::cereal::binary_data(&s.view, sizeof s.view));
  load_plain(archive, s.mesh);
  load_plain(archive, s.materials);
  load_child(archive, s.root);
}
// end

// begin: what a user writes (cereal, graph)
template <class Archive> void serialize(Archive& archive, shared_node& node) { archive(node.value, node.edges); }
template <class Archive> void serialize(Archive& archive, shared_graph& g) { archive(g.start); }
// end

namespace {

template <class Structure> contenders all(const std::string& name, const job<Structure>& work) {
  return make_contenders<Structure>(name, work,
                                    {[](const Structure& from, std::streambuf& to) {
                                       std::ostream stream(&to);
                                       ::cereal::BinaryOutputArchive archive(stream);
                                       archive(from);
                                     },
                                     [](std::streambuf& from, Structure& to) {
                                       std::istream stream(&from);
                                       ::cereal::BinaryInputArchive archive(stream);
                                       archive(to);
                                     }});
}

}  // namespace

contenders cereal(const job<scene>& work) { return all("cereal", work); }
contenders cereal(const job<shared_graph>& work) { return all("cereal (shared_ptr)", work); }
std::vector<left_out> absent_cereal() { return {}; }

}  // namespace bench::deep

#else

namespace bench::deep {

contenders cereal(const job<scene>&) { return {}; }
contenders cereal(const job<shared_graph>&) { return {}; }
std::vector<left_out> absent_cereal() { return {{"cereal", "not found when CMake ran (Debian: libcereal-dev)"}}; }

}  // namespace bench::deep

#endif
