/** Foundation: the proxies of one cluster, and the home proxy of each node. */
@NullMarked
package io.sluice.fleet;

import org.jspecify.annotations.NullMarked;
