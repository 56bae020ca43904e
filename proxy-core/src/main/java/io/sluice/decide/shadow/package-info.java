/**
 * Step 5 of 8, beside the path: simulates what the scheduler would do with the traffic that it only
 * observes. The door is {@link io.sluice.decide.shadow.Shadow}.
 */
@org.jspecify.annotations.NullMarked
package io.sluice.decide.shadow;
