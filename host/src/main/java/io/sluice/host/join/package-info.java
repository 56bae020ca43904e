/** Settings for the time of a node's join only. */
@NullMarked
package io.sluice.host.join;

import org.jspecify.annotations.NullMarked;
