// An operation of a user's own, for nvcc, and where there is none, by way of farther.cpp, for everybody.
#include "farther.hpp"

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

namespace {

struct farther_from_zero {
  ON_BOTH double operator()(double there, double arrived) const {
    return arrived * arrived > there * there ? arrived : there;
  }
};

struct weigh {
  ON_BOTH wherry_test::weighed operator()(const wherry_test::weighed& there,
                                          const wherry_test::weighed& arrived) const {
    const double weight = there.weight + arrived.weight;
    return {(there.value * there.weight + arrived.value * arrived.weight) / weight, weight,
            there.count + arrived.count};
  }
};

}  // namespace

wherry::plans::typed_reduction wherry_test::farther() {
  return wherry::make_device_reduction<double, farther_from_zero>("farther from zero");
}
wherry::plans::typed_reduction wherry_test::weighed_mean() {
  return wherry::make_device_reduction<weighed, weigh>("weighed mean");
}
