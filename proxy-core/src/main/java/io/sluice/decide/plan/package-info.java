/** Step 4 of 8: says where a request goes and whether it has to wait. */
@NullMarked
package io.sluice.decide.plan;

import org.jspecify.annotations.NullMarked;
