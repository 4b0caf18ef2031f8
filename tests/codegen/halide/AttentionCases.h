//===- AttentionCases.h - Kernels of attention in text ----------*- C++ -*-===//
//
// What layers write, forward and backward, with the masks and dropout of decoders; and the pieces
// that further cases are made of.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/codegen/support/KernelCases.h"

namespace axloom::test::attention {
inline const std::string q = "b: B, d: 16, h: 2, q: S, f32", k = "b: B, d: 16, h: 2, k: T, f32",
                         v = "b: B, e: 32, h: 2, k: T, f32",
                         context = "b: B, e: 32, h: 2, q: S, f32",
                         normalizer = "b: B, h: 2, q: S, f32", bias = "h: 2, k: T, q: S, f32",
                         mask = "b: B, k: T, i1";

inline std::string layout(const std::string &order) { return "#axloom.layout<[" + order + "]>"; }
inline const std::string qkvLayouts =
    layout("b, q, h, d") + ", " + layout("b, h, k, d") + ", " + layout("b, k, h, e");
inline const std::string resultLayouts = layout("b, q, h, e") + ", " + layout("b, q, h");

inline const std::string qkvTypes = "T<" + q + ">, T<" + k + ">, T<" + v + ">";
inline const std::string results = " -> T<" + context + ">, T<" + normalizer + ">";
inline const std::string axes = " depth \"d\" key \"k\" scale 0.35 : ";

/// The mask of a decoder where a query sees the last 41 positions, and its dropout: x3 are the ids
/// [b, q], x4 seed, step and site.
std::string slidingPrologue();

std::vector<KernelCase> cases();
} // namespace axloom::test::attention
