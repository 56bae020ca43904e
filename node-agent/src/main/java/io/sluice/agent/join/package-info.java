/**
 * Syncs of files that streaming writes, put off until their stream's transaction commits, and
 * automatic compaction, put off until a bootstrap ends.
 */
package io.sluice.agent.join;
