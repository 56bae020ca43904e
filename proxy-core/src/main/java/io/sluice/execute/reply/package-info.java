/** Step 8 of 8: turns a failure into the error that Cassandra would give. */
@NullMarked
package io.sluice.execute.reply;

import org.jspecify.annotations.NullMarked;
