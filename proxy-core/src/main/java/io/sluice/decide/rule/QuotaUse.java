package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import java.util.Map;

/**
 * The use of one rule's limits at one moment.
 *
 * @param rangesUnderWay range reads now
 * @param requestTokens requests that may begin at once; NaN without such a limit
 * @param rowTokens rows that may be returned at once, below 0 if more were returned; NaN without
 *     such a limit
 * @param waiting requests that wait now
 * @param waited requests that have waited since the start
 * @param letIn requests that have begun since the start
 * @param rows rows returned since the start
 * @param refused requests refused since the start, by limit
 */
record QuotaUse(
    int rangesUnderWay,
    double requestTokens,
    double rowTokens,
    int waiting,
    long waited,
    long letIn,
    long rows,
    Map<Limit, Long> refused) {}
