/** Steps 1 and 2 of 8: accepts client connections and decodes what they send. */
@NullMarked
package io.sluice.accept;

import org.jspecify.annotations.NullMarked;
