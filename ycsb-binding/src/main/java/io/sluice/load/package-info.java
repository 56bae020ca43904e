/**
 * The common parts of YCSB and the evaluation: sessions, arrival times, reasons for failures, and
 * the expected rows of the loaded data.
 */
@NullMarked
package io.sluice.load;

import org.jspecify.annotations.NullMarked;
