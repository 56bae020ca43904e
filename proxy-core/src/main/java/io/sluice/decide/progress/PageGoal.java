package io.sluice.decide.progress;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;

/**
 * The rows that one page of a range read wants.
 *
 * @param range the range that has not been delivered yet
 * @param minimum the partitioner's minimum token
 * @param rows rows of the page, or of LIMIT without paging; {@link SubRequest#ALL} for all
 * @param expected rows that nodes will probably read for it; at least 0
 * @param returnsWhatIsRead whether a node returns exactly the rows that it reads
 * @param resumed whether the first piece continues where an earlier page ended
 */
public record PageGoal(
    TokenRange range,
    Token minimum,
    int rows,
    double expected,
    boolean returnsWhatIsRead,
    boolean resumed) {}
