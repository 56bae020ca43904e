/**
 * Steps 5 and 6 of 8, for the keyspace {@code system_proxy}: what the proxy knows, as virtual
 * tables, and what operators may change through them.
 */
@NullMarked
package io.sluice.console;

import org.jspecify.annotations.NullMarked;
