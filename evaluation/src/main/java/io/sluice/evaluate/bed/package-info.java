/**
 * The test bed of a measurement: a cluster, the proxies before it, and a session to each target.
 */
@NullMarked
package io.sluice.evaluate.bed;

import org.jspecify.annotations.NullMarked;
