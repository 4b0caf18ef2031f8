//===- Axloom.h - everything a model needs -------------------------------------------===//
#pragma once

#include "frontend/Options.h"
#include "frontend/Program.h"
#include "frontend/ops/Along.h"
#include "frontend/ops/Contract.h"
#include "frontend/ops/Create.h"
#include "frontend/ops/CrossEntropy.h"
#include "frontend/ops/LayerNorm.h"
#include "frontend/ops/Pointwise.h"
#include "frontend/ops/Reduce.h"
#include "frontend/ops/Rename.h"
#include "frontend/ops/Softmax.h"
#include "frontend/ops/Where.h"
