/**
 * The clients of a torture run: stock drivers that write, read, scan and transact, and the record
 * of what they asked and were told.
 */
@NullMarked
package io.sluice.torture.load;

import org.jspecify.annotations.NullMarked;
