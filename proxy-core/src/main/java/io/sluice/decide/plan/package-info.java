/** Step 4 of 8: decides where a request goes and whether it has to wait. */
@NullMarked
package io.sluice.decide.plan;

import org.jspecify.annotations.NullMarked;
