// Stands where the generated header of the real model stands.
#pragma once

#include "runtime/abi/axloom.h"

// NOLINTNEXTLINE(readability-identifier-naming): so it is called in generated headers
extern "C" const axl_model translate_model;
