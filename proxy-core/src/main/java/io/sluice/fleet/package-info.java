/** Foundation: the proxies of one cluster, and which of them is the home of a node. */
@NullMarked
package io.sluice.fleet;

import org.jspecify.annotations.NullMarked;
