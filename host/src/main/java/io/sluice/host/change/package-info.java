/** Changes of a host's settings: recorded before they are made, and undone from the record. */
@NullMarked
package io.sluice.host.change;

import org.jspecify.annotations.NullMarked;
