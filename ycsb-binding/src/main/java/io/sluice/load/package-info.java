/**
 * What YCSB and the evaluation have in common: sessions, when requests start, why they fail, and
 * what an answer must be, given what was loaded.
 */
@NullMarked
package io.sluice.load;

import org.jspecify.annotations.NullMarked;
