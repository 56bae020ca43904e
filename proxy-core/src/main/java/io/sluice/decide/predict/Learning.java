package io.sluice.decide.predict;

import io.sluice.time.NanoClock;

/**
 * The context of learning from answers.
 *
 * @param observer receives what is learned
 * @param clock measures when it is learned
 */
record Learning(Densities.Observer observer, NanoClock clock) {}
