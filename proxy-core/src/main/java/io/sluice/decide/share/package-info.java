/** Step 5 of 8: decides which queued reads go along with a read whose turn has come. */
@NullMarked
package io.sluice.decide.share;

import org.jspecify.annotations.NullMarked;
