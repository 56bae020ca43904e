/**
 * Keeps the index files of live SSTables in memory. Tables with most reads for each byte of their
 * indexes come first. The budget and the available memory limit it.
 */
package io.sluice.agent.pin;
