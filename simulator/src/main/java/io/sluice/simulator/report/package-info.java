/** The output of a simulation for people and programs: tables, charts, JSON. */
@NullMarked
package io.sluice.simulator.report;

import org.jspecify.annotations.NullMarked;
