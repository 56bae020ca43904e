/**
 * Defers the syncs of streamed files until their transaction commits, and automatic compaction
 * until a bootstrap ends.
 */
package io.sluice.agent.join;
