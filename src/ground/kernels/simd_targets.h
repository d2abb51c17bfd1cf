// Include before any Highway header: which targets every kernel is compiled
// for. All kernels must agree, or forcing a target would mean different things.
#ifndef TWINSET_SRC_GROUND_KERNELS_SIMD_TARGETS_H_
#define TWINSET_SRC_GROUND_KERNELS_SIMD_TARGETS_H_

#define HWY_WANT_AVX3_DL 1
// Keeps the fallback target, which calls the reference, whatever the baseline.
#define HWY_COMPILE_ALL_ATTAINABLE 1

#include "hwy/detect_targets.h"

// True (in a kernel file, for the target being compiled) when the target has no
// vectors worth using: the kernel then calls its reference.
#define TWINSET_SCALAR_TARGET \
  (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
// True when the target has AVX-512 F, BW, DQ, VL.
#define TWINSET_AVX512_TARGET \
  (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

#endif  // TWINSET_SRC_GROUND_KERNELS_SIMD_TARGETS_H_
