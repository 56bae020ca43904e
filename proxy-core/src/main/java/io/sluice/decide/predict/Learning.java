package io.sluice.decide.predict;

import io.sluice.time.NanoClock;

/**
 * The context of learning from answers.
 *
 * @param observer receives what is learned
 * @param clock measures when it is learned
 * @param newTables the sizes of tables that were unknown before
 */
record Learning(Densities.Observer observer, NanoClock clock, NewTables newTables) {}
