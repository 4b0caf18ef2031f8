//===- Names.h - axes that modules use unless told otherwise ---------------------------===//
#pragma once

#include "frontend/Axis.h"

namespace axloom::nn {

struct Model : Axis<"model"> {};            // the width of the residual stream, d_model
struct Heads : Axis<"heads"> {};            // h
struct Member : Axis<"member"> {};          // heads of queries that share keys and values
struct Depth : Axis<"depth"> {};            // queries and keys of one head, d_k
struct ValueDepth : Axis<"value_depth"> {}; // values of one head, d_v
struct Hidden : Axis<"hidden"> {};          // inside the feed-forward network, d_ff
struct Place : Axis<"place"> {};            // rows of a table of learned positions

} // namespace axloom::nn
