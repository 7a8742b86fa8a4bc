// A structure with one of everything that a deep-copy function of the paper may do.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "mel/mel.hpp"

namespace mel_tests {

struct StructA {
  std::vector<int> arr;
};
template <typename MSG> void StructA_DeepCopy(StructA& obj, MSG& msg) { msg & obj.arr; }

// In order: what a line brings, the next may use.
struct Table {
  int rows = 0;
  int* lengths = nullptr;    // `rows` of them
  double** cells = nullptr;  // `rows` pointers to `lengths[i]` numbers
  std::vector<char*> names;  // pointers of zero-terminated strings, which the next one has the lengths of
  std::vector<int> name_lengths;
  std::list<StructA> outside;
  StructA one_outside;
  StructA *owned_outside = nullptr, *shared_outside = nullptr, *again = nullptr;
  std::map<std::string, int> index;  // nothing the paper knows

  template <typename MSG> void DeepCopy(MSG& msg) {
    msg.packPtr(lengths, rows);
    msg.packPtr(cells, rows);
    for (int i = 0; i < rows; ++i) msg.packPtr(cells[i], lengths[i]);
    msg & names & name_lengths;
    for (std::size_t i = 0; i < names.size(); ++i) msg.packPtr(names[i], name_lengths[i] + 1);
    msg.template packSTL<StructA, StructA_DeepCopy>(outside);
    msg.template packVar<StructA, StructA_DeepCopy>(one_outside);
    msg.template packPtr<StructA, StructA_DeepCopy>(owned_outside, 2);
    msg.template packSharedPtr<StructA, StructA_DeepCopy>(shared_outside);
    msg.template packSharedPtr<StructA, StructA_DeepCopy>(again);
    msg & index;
  }
};

inline char* text_of(const std::string& s) {
  char* p = MEL::MemAlloc<char>(static_cast<int>(s.size()) + 1);
  s.copy(p, s.size());
  p[s.size()] = 0;
  return p;
}

inline Table make_table(int rows) {
  Table t;
  t.rows = rows;
  t.lengths = MEL::MemAlloc<int>(rows);
  t.cells = MEL::MemAlloc<double*>(rows);
  for (int i = 0; i < rows; ++i) {
    t.lengths[i] = i % 4;  // 0: nothing travels
    t.cells[i] = t.lengths[i] == 0 ? nullptr : MEL::MemAlloc<double>(t.lengths[i]);
    for (int j = 0; j < t.lengths[i]; ++j) t.cells[i][j] = 10 * i + j;
    const std::string name = "row " + std::to_string(i);
    t.names.push_back(text_of(name));
    t.name_lengths.push_back(static_cast<int>(name.size()));
    t.outside.push_back({std::vector<int>(static_cast<std::size_t>(i), i)});
    t.index[name] = i;
  }
  t.one_outside = {{1, 2}};
  t.owned_outside = MEL::MemAlloc<StructA>(2, {{3}});
  t.shared_outside = t.again = MEL::MemConstruct<StructA>(StructA{{4, 5}});
  return t;
}

inline void check_table(const Table& t, int rows) {
  REQUIRE(t.rows == rows && t.names.size() == static_cast<std::size_t>(rows) && t.outside.size() == t.names.size());
  auto outside = t.outside.begin();
  for (int i = 0; i < rows; ++i) {
    REQUIRE(t.lengths[i] == i % 4 && (t.cells[i] == nullptr) == (i % 4 == 0));
    for (int j = 0; j < t.lengths[i]; ++j) CHECK_EQUAL(t.cells[i][j], 10 * i + j);
    CHECK_EQUAL(std::string(t.names[static_cast<std::size_t>(i)]), "row " + std::to_string(i));
    CHECK(outside++->arr == std::vector<int>(static_cast<std::size_t>(i), i));
    CHECK_EQUAL(t.index.at("row " + std::to_string(i)), i);
  }
  CHECK(t.one_outside.arr == (std::vector{1, 2}));
  REQUIRE(t.owned_outside != nullptr && t.shared_outside != nullptr);
  CHECK(t.owned_outside[0].arr == std::vector{3} && t.owned_outside[1].arr == std::vector{3});
  CHECK(t.shared_outside == t.again && t.shared_outside->arr == (std::vector{4, 5}));
}

inline void free_table(Table& t) {
  for (int i = 0; i < t.rows; ++i) MEL::MemFree(t.cells[i]);
  MEL::MemFree(t.cells);
  MEL::MemFree(t.lengths);
  for (char* name : t.names) MEL::MemFree(name);
  MEL::MemDestruct(t.owned_outside, 2);
  MEL::MemDestruct(t.shared_outside);
  t = Table();
}

}  // namespace mel_tests
