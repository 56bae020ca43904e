/**
 * Steps 5 and 6 of 8, for the keyspace {@code system_proxy}: the proxy's state as virtual tables,
 * and the changes that operators may make through them.
 */
@NullMarked
package io.sluice.console;

import org.jspecify.annotations.NullMarked;
