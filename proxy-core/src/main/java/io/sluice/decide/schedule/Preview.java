package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The fate of a sub-request, if it were submitted at this moment. Immutable.
 *
 * @param node the replica that it would go to
 * @param mode whether anything is held back
 * @param workMicros its work by what the node has shown, µs; above 0
 * @param takesRangeSlots whether it takes one of the slots of range reads, and not any
 * @param starts whether it would start at once
 * @param waitNanos the wait to expect, the figure that admission goes by; 0 when it starts at once,
 *     and while nothing is known
 * @param refusal the reason why it would not be let in; null when it would
 */
public record Preview(
    NodeId node,
    Mode mode,
    double workMicros,
    boolean takesRangeSlots,
    boolean starts,
    long waitNanos,
    @Nullable Refusal refusal) {}
