/** What a simulation says to people and programs: tables, charts, JSON. */
@NullMarked
package io.sluice.simulator.report;

import org.jspecify.annotations.NullMarked;
