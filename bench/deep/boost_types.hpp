/// @file
/// The description of our types for Boost.Serialization, in the fastest way for each: arrays of plain types in one
/// piece, no class information, and object tracking only for shared objects.
#pragma once

#include <boost/serialization/array_wrapper.hpp>
#include <boost/serialization/binary_object.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/tracking.hpp>
#include <boost/serialization/vector.hpp>

#include "deep/graph.hpp"
#include "deep/scene.hpp"

// begin: what a user writes (Boost, scene)
BOOST_CLASS_IMPLEMENTATION(bench::deep::tree_node, boost::serialization::object_serializable)
BOOST_CLASS_TRACKING(bench::deep::tree_node, boost::serialization::track_never)
BOOST_IS_BITWISE_SERIALIZABLE(bench::deep::triangle)
BOOST_IS_BITWISE_SERIALIZABLE(bench::deep::material)
namespace boost::serialization {
template <class Archive> void serialize(Archive& archive, bench::deep::tree_node& node, unsigned) {
  archive& make_binary_object(&node, bench::deep::node_head);
  archive & node.left & node.right;
}
template <class Archive> void serialize(Archive& archive, bench::deep::scene& s, unsigned) {
  archive& make_binary_object(&s.view, sizeof s.view);
  archive & s.mesh & s.materials & s.root;
}
}  // namespace boost::serialization
// end

// begin: what a user writes (Boost, graph)
BOOST_CLASS_IMPLEMENTATION(bench::deep::graph_node, boost::serialization::object_serializable)
namespace boost::serialization {
template <class Archive> void serialize(Archive& archive, bench::deep::graph_node& node, unsigned) {
  archive & node.value & node.edges;
}
template <class Archive> void serialize(Archive& archive, bench::deep::graph& g, unsigned) { archive & g.start; }
}  // namespace boost::serialization
// end
