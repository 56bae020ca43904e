/** Step 6 of 8: sends a request to a node and returns the outcome. */
@NullMarked
package io.sluice.execute.dispatch;

import org.jspecify.annotations.NullMarked;
