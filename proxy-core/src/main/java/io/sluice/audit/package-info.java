/** Foundation: who logged in, what was refused, ended and changed, as lines of a log of its own. */
@NullMarked
package io.sluice.audit;

import org.jspecify.annotations.NullMarked;
