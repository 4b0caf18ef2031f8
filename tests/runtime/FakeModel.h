// A model written by hand: what a bundle exports, with C++ functions in place of generated code.
//
// Sizes B (at most 8), S and T (at most 16). Variables:
//   weight  parameter  [out: 4, in: 3]   f32  uniform
//   table   parameter  [token: 10]       f32  normal(0, 1)
//   count   state      []                i32  zeros
//   heard   session    [batch: B, position: S]  i32
//   said    session    [batch: B, time: T]      i32
// Functions:
//   scale(x [B, S], factor []) -> y [B, S]          y = factor * x, in parallel over pairs of rows
//   train_step(source [B, S] below 10, seed, step) -> loss
//       pulls table[token] towards the token; count += 1. loss = mean (table[token] - token)²
//   evaluate(source [B, S]) -> loss
//   encode(source [B, S])                           heard = source
//   decode_step(token [B], position []) -> next [B] says again what it has heard; said keeps tokens
//   broken() -> y []                                its kernel reports an error
#pragma once

#include "runtime/abi/axloom.h"

namespace fake {

extern const axl_model model;

// Tokens that make the model's numbers infinite: train_step divides by (token - poison). -1: none.
extern int poison;

// What the last call of train_step was given.
extern int stepOfLastCall, seedOfLastCall;

} // namespace fake
