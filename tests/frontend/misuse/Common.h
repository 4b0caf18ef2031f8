// Axes and tensors for the cases of misuse.
#pragma once

#include "frontend/Axloom.h"
#include "frontend/nn/Attention.h"
#include "frontend/nn/FeedForward.h"
#include "frontend/nn/Normalization.h"

using namespace axloom;

struct Batch : Axis<"batch"> {};
struct Heads : Axis<"heads"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};
struct Depth : Axis<"depth"> {};
struct Vocabulary : Axis<"vocabulary"> {};

struct Tensors {
  Tensor<Batch, Query, Depth> q;
  Tensor<Batch, Key, Depth> k;
  Tensor<Batch, Query, Key> scores;
  Mask<Batch, Key> visible;
  IntTensor<Batch, Key> ids;
  Tensor<Vocabulary, Depth> table;
};
