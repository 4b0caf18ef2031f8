// Everything that a generated header needs: models, sessions, tensors and errors.
#pragma once

#include "runtime/abi/axloom.h"
#include "runtime/core/Error.h"
#include "runtime/core/Model.h"
#include "runtime/core/Session.h"
#include "runtime/core/Tensor.h"
#include "runtime/core/Types.h"
#include "runtime/core/View.h"
