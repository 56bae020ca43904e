/**
 * Step 6 of 8, for questions about the cluster's members: answers them for the proxies, with what
 * is true of the cluster.
 */
@NullMarked
package io.sluice.execute.members;

import org.jspecify.annotations.NullMarked;
