/**
 * Step 6 of 8, for SELECTs about the cluster's members: answers them with the proxies as members
 * and the cluster's own facts.
 */
@NullMarked
package io.sluice.execute.members;

import org.jspecify.annotations.NullMarked;
