#include "runtime/device/ScratchPool.h"

#include "runtime/device/HalideHooks.h"
#include "runtime/device/HostMemory.h"
#include "runtime/device/Threads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <utility>

using namespace axloom::runtime;

namespace {

// Class 0 is for up to `smallest` bytes; then there are four classes for each power of two, so that
// at most a fifth of a block of one's own class is wasted, beside what huge pages round up.
constexpr size_t smallest = 1024;
constexpr size_t quarter = smallest / 4;
constexpr size_t classCount = 160; // beyond the address space of any machine
constexpr size_t fourTimes = 8;    // how many classes on blocks are four times as large

// Memory that kernels go through again and again gains from huge pages though it fills none: within
// one, no lines share their places in a cache by chance. Gradients of weights, which pack 0.5 and
// 2 MiB at a time, took 8 to 12 % longer without.
constexpr size_t hugeBlock = size_t(1) << 19;

size_t classOf(size_t bytes) {
  size_t quarters = (std::max(bytes, smallest) - 1) / quarter;
  if (quarters < 4)
    return 0;
  size_t exponent = size_t(std::bit_width(quarters)) - 3;
  return 1 + 4 * exponent + (quarters >> exponent & 3);
}

size_t bytesOf(size_t sizeClass) {
  if (sizeClass == 0)
    return smallest;
  size_t exponent = (sizeClass - 1) / 4, step = (sizeClass - 1) % 4;
  return quarter * ((4 + step + 1) << exponent);
}

// Lies in front of the memory that is handed out.
struct Block {
  Block *next;
  size_t sizeClass;
  bool insideLoop; // it was taken there
};
static_assert(sizeof(Block) <= scratchAlignment);

void *memoryOf(Block *block) { return reinterpret_cast<std::byte *>(block) + scratchAlignment; }

struct SizeClass {
  Block *free = nullptr;
  int maximumHeld = 0; // by one thread in parallel loops at a time
  int outside = 0;     // blocks that are held outside them
  int maximumOutside = 0;
  std::optional<size_t> servedBy; // the class of the blocks that it gets outside
};

struct Pool {
  std::mutex mutex;
  std::array<SizeClass, classCount> classes;
  size_t bytes = 0;
};
constinit Pool pool; // initializers of a program's variables may call models

void giveBack(Block *block) { // with the pool locked
  SizeClass &sizeClass = pool.classes[block->sizeClass];
  block->next = sizeClass.free;
  sizeClass.free = block;
}

// What a thread has in parallel loops. It keeps the blocks that it gives back, and takes those
// again: the memory is in its cache, and no other thread has to know.
struct OwnBlocks {
  std::array<int, classCount> held{};
  std::array<Block *, classCount> kept{}; // lists, the last one that was given back first
  bool isKnown = false; // to the pool, which takes the blocks when the thread ends
};
constinit thread_local OwnBlocks own;

Block *takeFirst(Block *&list) {
  Block *first = list;
  list = first->next;
  return first;
}

void takeKept(void *thread) {
  std::lock_guard lock(pool.mutex);
  for (Block *&list : static_cast<OwnBlocks *>(thread)->kept)
    while (list)
      giveBack(takeFirst(list));
}

// Lets the pool take a thread's blocks when it ends. A destructor of the thread's variables would
// need memory.
void knowThread() {
  static const std::optional<pthread_key_t> endOfThread = [] {
    pthread_key_t key;
    return pthread_key_create(&key, takeKept) == 0 ? std::optional(key) : std::nullopt;
  }();
  if (endOfThread)
    pthread_setspecific(*endOfThread, &own);
}

void keep(Block *block) {
  block->next = std::exchange(own.kept[block->sizeClass], block);
  if (!std::exchange(own.isKnown, true))
    knowThread();
}

// The class whose blocks a need outside of loops gets, with the pool locked: at the first such
// need, the smallest that has one which nobody holds, up to four times as large as needed; else its
// own. So a kernel's last chunk, which may be of any length, takes no memory beside that of a whole
// one. It is the same ever after: were each need to choose anew, blocks that a step has made late
// would serve others in the next one, which might then need more.
size_t classOutside(size_t number) {
  std::optional<size_t> &servedBy = pool.classes[number].servedBy;
  if (servedBy)
    return *servedBy;
  auto hasOne = [](const SizeClass &c) { return c.free && c.outside < c.maximumOutside; };
  size_t end = std::min(number + fourTimes + 1, classCount), larger = number + 1;
  while (larger < end && !hasOne(pool.classes[larger]))
    ++larger;
  servedBy = larger < end ? larger : number;
  return *servedBy;
}

bool addBlock(size_t sizeClass) {
  size_t bytes = scratchAlignment + bytesOf(sizeClass);
  void *memory = allocateHostMemory(bytes, scratchAlignment, hugeBlock);
  if (!memory)
    return false;
  pool.bytes += bytes;
  pool.classes[sizeClass].free = new (memory) Block{pool.classes[sizeClass].free, sizeClass, false};
  return true;
}

// Stops where the system has no more memory: what is there may do.
void grow(size_t sizeClass, int count) {
  for (int block = 0; block < count; ++block)
    if (!addBlock(sizeClass))
      break;
}

} // namespace

void *axloom::runtime::allocateScratch(size_t bytes) {
  size_t number = classOf(bytes);
  if (number >= classCount)
    return nullptr;
  bool insideLoop = insideParallelLoop();
  if (insideLoop && own.kept[number]) { // it held as many before
    ++own.held[number];
    return memoryOf(takeFirst(own.kept[number]));
  }
  std::lock_guard lock(pool.mutex);
  if (!insideLoop)
    number = classOutside(number);
  SizeClass &sizeClass = pool.classes[number];
  int &count = insideLoop ? own.held[number] : sizeClass.outside;
  int &maximum = insideLoop ? sizeClass.maximumHeld : sizeClass.maximumOutside;
  if (count + 1 > maximum) {
    maximum = count + 1;
    grow(number, insideLoop ? threadCount() : 1);
  }
  if (!sizeClass.free && !addBlock(number))
    return nullptr;
  ++count;
  Block *block = takeFirst(sizeClass.free);
  block->insideLoop = insideLoop;
  return memoryOf(block);
}

void axloom::runtime::releaseScratch(void *memory) {
  if (!memory)
    return;
  auto *block = reinterpret_cast<Block *>(static_cast<std::byte *>(memory) - scratchAlignment);
  if (block->insideLoop) {
    --own.held[block->sizeClass];
    return keep(block);
  }
  std::lock_guard lock(pool.mutex);
  --pool.classes[block->sizeClass].outside;
  giveBack(block);
}

size_t axloom::runtime::scratchBytes() {
  std::lock_guard lock(pool.mutex);
  return pool.bytes;
}
