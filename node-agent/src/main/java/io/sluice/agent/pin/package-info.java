/**
 * Keeps the index files of live SSTables in memory, those of the tables with most reads per index
 * byte first, below a budget and only while memory is not short.
 */
package io.sluice.agent.pin;
