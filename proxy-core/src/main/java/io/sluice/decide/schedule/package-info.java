/** Step 5 of 8: holds sub-requests back per replica and decides which one runs next. */
@NullMarked
package io.sluice.decide.schedule;

import org.jspecify.annotations.NullMarked;
