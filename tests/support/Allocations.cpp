#include "tests/support/Allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void note() {
  if (counting)
    ++allocations;
}
} // namespace

void axloom::test::startCounting() {
  allocations = 0;
  counting = true;
}

int axloom::test::stopCounting() {
  counting = false;
  return allocations;
}

extern "C" {
void *malloc(size_t bytes) { return note(), __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return note(), __libc_calloc(count, bytes); }
void *realloc(void *memory, size_t bytes) { return note(), __libc_realloc(memory, bytes); }
void *memalign(size_t alignment, size_t bytes) { return note(), __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
}
