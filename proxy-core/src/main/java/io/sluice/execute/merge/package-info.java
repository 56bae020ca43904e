/** Step 7 of 8: puts the answers to the parts of a read together to what one node would say. */
@NullMarked
package io.sluice.execute.merge;

import org.jspecify.annotations.NullMarked;
