/**
 * The parts that YCSB and the evaluation share: sessions, arrival times, reasons of failures, and
 * the expected rows of the loaded data.
 */
@NullMarked
package io.sluice.load;

import org.jspecify.annotations.NullMarked;
