/** Settings that are changed only while a node joins. */
@NullMarked
package io.sluice.host.join;

import org.jspecify.annotations.NullMarked;
