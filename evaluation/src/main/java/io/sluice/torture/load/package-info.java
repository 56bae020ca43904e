/**
 * The clients of a torture run: stock drivers that write, read, scan and transact, and the record
 * of their requests and outcomes.
 */
@NullMarked
package io.sluice.torture.load;

import org.jspecify.annotations.NullMarked;
