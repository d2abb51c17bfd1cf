// How likely methods find a pair: the laws behind their parameters
// (docs/methods/tune.md). Only + - * / and sqrt, so that every machine chooses
// the same parameters.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_LAWS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_LAWS_H_

#include "twinset/methods.h"

namespace twinset {

// Pr[at least `least` of `trials` independent events of probability p].
// trials <= 1024.
double AtLeast(double p, int trials, int least);

// The angle whose cosine is x, x in [0, 1], as a share of pi: error below
// 1e-14.
double AngleShare(double x);

// Pr[SimHash fingerprints of `bits` bits differ in at most `distance`] for sets
// of equal sizes with Jaccard similarity s: each bit differs with the share of
// the angle between the feature vectors, whose cosine is 2 s / (1 + s)
// (Charikar 2002; Goemans and Williamson 1995). Holds for many features of like
// weight.
double HammingRecall(double similarity, int bits, int distance);

// Pr[at least `agree` of `groups` super-shingles of `size` values are equal]:
// each is with s^size (Broder 2000).
double GroupRecall(double similarity, int groups, int size, int agree);

// Pr[`agree` of `lexicons` lexica or more make two texts equal that differ in
// `terms` terms of the main lexicon], each of which drops a term with
// probability `drop`; of one: 1 - (1 - drop^terms)^lexicons (Kolcz, Chowdhury
// and Alspector 2004).
double LexiconRecall(double drop, int lexicons, int terms, int agree = 1);

// The sum of false positives below the threshold and false negatives above it,
// half of each, over uniform similarities (Simpson's rule).
double BandError(double threshold, int bands, int rows);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_LAWS_H_
