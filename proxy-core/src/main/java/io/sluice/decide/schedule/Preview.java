package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A prediction of what would happen to a sub-request submitted at this moment. Immutable.
 *
 * @param node the replica that the sub-request would go to
 * @param mode whether the scheduler holds anything back
 * @param workMicros its work by the learned costs, µs; above 0
 * @param takesRangeSlots whether it takes a slot of range reads rather than any slot
 * @param starts whether it would start at once
 * @param waitNanos the expected wait that admission uses; 0 if it starts at once, and while the
 *     wait is unknown
 * @param refusal the reason why it would be refused; null if it would be admitted
 */
public record Preview(
    NodeId node,
    Mode mode,
    double workMicros,
    boolean takesRangeSlots,
    boolean starts,
    long waitNanos,
    @Nullable Refusal refusal) {}
