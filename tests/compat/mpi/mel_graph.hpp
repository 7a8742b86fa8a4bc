// MEL's directed graphs: listings 27 and 28.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <stack>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mel/mel.hpp"

template <typename T> struct DiGraphNode {
  T value;
  std::vector<DiGraphNode<T>*> edges;

  DiGraphNode() {}
  explicit DiGraphNode(const T& _value) : value(_value) {}

  template <typename MSG> inline void DeepCopy(MSG& msg) {
    msg & edges;
    for (auto& e : edges) msg.packSharedPtr(e);
  }
};

using Nodes = std::vector<DiGraphNode<int>*>;

inline Nodes makeNodes(const int numNodes) {
  Nodes nodes;
  for (int i = 0; i < numNodes; ++i) nodes.push_back(MEL::MemConstruct<DiGraphNode<int>>(i));
  return nodes;
}
inline DiGraphNode<int>*& node(Nodes& nodes, int i) { return nodes[static_cast<std::size_t>(i)]; }

inline DiGraphNode<int>* MakeBTreeGraph(const int numNodes) {
  Nodes nodes = makeNodes(numNodes);
  if (numNodes > 1) nodes[0]->edges.push_back(nodes[1]);
  for (int i = 1; i < numNodes; ++i) {
    const int j = ((i - 1) * 2) + 2;
    node(nodes, i)->edges.reserve(2);
    if (j < numNodes) node(nodes, i)->edges.push_back(node(nodes, j));
    if ((j + 1) < numNodes) node(nodes, i)->edges.push_back(node(nodes, j + 1));
  }
  return nodes[0];
}

inline DiGraphNode<int>* MakeRingGraph(const int numNodes) {
  Nodes nodes = makeNodes(numNodes);
  for (int i = 0; i < numNodes; ++i) {
    node(nodes, i)->edges.reserve(2);
    node(nodes, i)->edges.push_back(node(nodes, (i + 1) % numNodes));
    node(nodes, i)->edges.push_back(node(nodes, (i == 0) ? (numNodes - 1) : (i - 1)));
  }
  return nodes[0];
}

inline DiGraphNode<int>* MakeRandomGraph(const int numNodes) {
  srand(1234567);
  Nodes nodes = makeNodes(numNodes);
  for (int i = 0; i < numNodes; ++i) {
    const int numEdges = rand() % numNodes;
    node(nodes, i)->edges.push_back(node(nodes, (i + 1) % numNodes));
    for (int j = 1; j < numEdges; ++j) node(nodes, i)->edges.push_back(node(nodes, rand() % numNodes));
  }
  return nodes[0];
}

inline DiGraphNode<int>* MakeFullyConnectedGraph(const int numNodes) {
  Nodes nodes = makeNodes(numNodes);
  for (int i = 0; i < numNodes; ++i) {
    node(nodes, i)->edges.reserve(nodes.size());
    for (int j = 0; j < numNodes; ++j) node(nodes, i)->edges.push_back(node(nodes, j));
  }
  return nodes[0];
}

inline DiGraphNode<int>* makeGraph(int graphType, int numNodes) {
  switch (graphType) {
    case 0:
      return MakeBTreeGraph(numNodes);
    case 1:
      return MakeRingGraph(numNodes);
    case 2:
      return MakeRandomGraph(numNodes);
    default:
      return MakeFullyConnectedGraph(numNodes);
  }
}

inline void VisitGraph(DiGraphNode<int>*& root, std::function<void(DiGraphNode<int>*& node)> func) {
  std::unordered_set<DiGraphNode<int>*> pointerMap;
  std::stack<DiGraphNode<int>*> stack;
  stack.push(root);
  while (!stack.empty()) {
    DiGraphNode<int>* node = stack.top();
    stack.pop();
    // If node has not been visited
    if (pointerMap.find(node) == pointerMap.end()) {
      pointerMap.insert(node);
      for (auto e : node->edges) stack.push(e);
      func(node);
    }
  }
}

inline void DestructGraph(DiGraphNode<int>*& root) {
  VisitGraph(root, [](DiGraphNode<int>*& node) -> void { MEL::MemDestruct(node); });
}

// The graph but for addresses: nodes have numbers in the order in which a breadth-first search meets them.
inline std::vector<int> shape(const DiGraphNode<int>* root) {
  std::unordered_map<const DiGraphNode<int>*, int> number{{root, 0}};
  std::vector<const DiGraphNode<int>*> queue{root};
  std::vector<int> all;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const DiGraphNode<int>* node = queue[at];
    all.insert(all.end(), {node->value, static_cast<int>(node->edges.size())});
    for (const auto* e : node->edges) {
      const auto [known, fresh] = number.emplace(e, static_cast<int>(number.size()));
      if (fresh) queue.push_back(e);
      all.push_back(known->second);
    }
  }
  return all;
}
