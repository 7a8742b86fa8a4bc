#include "problem.hpp"

// These are the names that every version of OpenBLAS has; the C header may be that of another BLAS.
extern "C" {
void openblas_set_num_threads(int threads);
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);
}

namespace summa {

void multiply(const matrix& c, const matrix& a, const matrix& b, bool add) {
  // Each rank has one core, so threads of OpenBLAS would only take the cores of other ranks.
  static const bool one_thread = (openblas_set_num_threads(1), true);
  if (!one_thread || c.rows == 0 || c.columns == 0) return;
  const int m = static_cast<int>(c.rows), n = static_cast<int>(c.columns), k = static_cast<int>(a.columns);
  const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride), ldc = static_cast<int>(c.stride);
  const double one = 1, before = add ? 1 : 0;
  dgemm_("N", "N", &m, &n, &k, &one, a.first, &lda, b.first, &ldb, &before, c.first, &ldc);
}

}  // namespace summa
