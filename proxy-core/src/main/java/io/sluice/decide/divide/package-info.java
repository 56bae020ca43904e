/**
 * Step 5 of 8, under the rules and the queues: the part that this proxy has of what all proxies of
 * a fleet share. Proxies tell each other their demand and their parts with their heartbeats.
 */
@NullMarked
package io.sluice.decide.divide;

import org.jspecify.annotations.NullMarked;
