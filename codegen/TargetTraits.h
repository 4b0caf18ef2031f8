//===- TargetTraits.h - What fits where on a target -------------*- C++ -*-===//
//
// The numbers that decide between two correct ways to compute something. Passes and schedules ask
// this table and never assume a CPU: a target with other limits differs in its table only. Test:
// tests/codegen/TargetTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <cstdint>

namespace axloom::codegen {
struct TargetTraits {
  /// f32 elements in a vector register, and how many such registers there are.
  int64_t vectorLanes = 8;
  int64_t vectorRegisters = 16;

  /// Bytes of cache that one core has to itself (level 2) and that all share (level 3).
  int64_t privateCacheBytes = 1 << 19;
  int64_t sharedCacheBytes = 32 << 20;

  /// Rows and columns of the squares in which matrices are transposed in registers: a power of two,
  /// which divides vectorLanes. AVX-512 combines whole vectors in one instruction, AVX2 only within
  /// halves of four lanes.
  int64_t squareSide = 4;

  /// Columns of a packed panel, and rows of the register tile that walks along it. Panels of whole
  /// vectors, two at least, may be narrower; their tiles have more rows.
  int64_t panel = 16;
  int64_t tileRows = 6;

  /// The same for products of bf16 factors. Rows of a tile below the last one of a batch are
  /// computed, too: where tiles of fewer rows are as fast, small batches gain by them.
  int64_t tileRowsOfPairs = 6;

  /// Register tiles of `tileRows` one above the other in a block of rows; of tiles with other rows
  /// as many as there is room for in so many rows. The rows of the left operand that they read have
  /// to stay in the private cache while panels pass by.
  int64_t blockTiles = 2;

  /// Terms of a sum that one iteration of a product's register tile adds: the fewer
  /// multiply-adds a tile has, the more of them one iteration should have beside its own count and
  /// compare. More than one only where these are one instruction: compilers would reorder sums of
  /// products.
  int64_t termsOfIteration = 1;

  /// How many terms ahead a product asks for the rows of the panel that it walks, which then come
  /// from the private cache without a wait. Its iterations then also ask, share by share, for the
  /// next panel, which comes from the shared one. 0: it leaves both to the processor.
  int64_t termsAhead = 0;

  /// Terms of a sum for which a product packs both of its operands at once, if it packs both; 0:
  /// all of them. A panel of so many should fit the first cache, or, where rows are asked for
  /// ahead, the private one; the parts that are packed need not be written to memory then. If it is
  /// not 0, blocks of columns also pack their own panels of a chunk, whose sum is short, where the
  /// blocks are enough for all threads.
  int64_t packedTerms = 256;

  /// Bytes of the largest result whose sum is cut into two parts if a product packs both of its
  /// operands, so that half of what is packed is read by the thread that has packed it; 0: none. To
  /// add up the parts of a larger one takes longer than that saves.
  int64_t partedBytes = 0;

  /// Blocks that a product has at least, where its result allows: a quarter as many threads get
  /// equal shares of them, or nearly. Larger ones, and so fewer, read less.
  int64_t blocksForThreads = 32;

  /// Keys whose weights and values attention adds up before it goes on to the next; 0: all at once.
  /// The smaller register tiles are, the more they read for each multiply-add, so that what a
  /// stretch of keys has should fit the first cache.
  int64_t keysOfStretch = 128;

  /// How many products of bf16 factors one instruction adds to an f32 sum; 0: there is no such
  /// instruction, or none that is faster, and products are computed in f32.
  int64_t brainFloatFactors = 0;

  /// The longest row that a LayerNorm epilogue may span: whole rows of one block stay in the
  /// private cache.
  int64_t layerNormRowLimit = 1024;

  /// Whether one wide contraction of a tensor is faster than several narrow ones, so that the
  /// projections to queries, keys and values are worth one.
  bool wideContractions = false;

  /// The most hidden activations of one token that a fused feed-forward block may hold between its
  /// contractions.
  int64_t hiddenLimit = 4096;
};
} // namespace axloom::codegen
