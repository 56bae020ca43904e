package io.sluice.decide.predict;

import io.sluice.time.NanoClock;

/**
 * The surroundings of what is learned from answers.
 *
 * @param observer told of it
 * @param clock tells when
 */
record Learning(Densities.Observer observer, NanoClock clock) {}
