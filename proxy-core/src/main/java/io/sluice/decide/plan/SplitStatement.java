package io.sluice.decide.plan;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Restriction;
import java.util.List;

/**
 * A statement that can be split.
 *
 * @param statement the classified statement
 * @param tokens its restrictions of the key's token, at most one on each side
 * @param merge the rule that combines the answers
 * @param texts the texts of sub-requests
 * @param rows which rows of its table it returns
 * @param indexed whether Cassandra may search an index for it. It is not split then, unless its
 *     earlier pages were
 */
record SplitStatement(
    Classified statement,
    List<Restriction> tokens,
    MergeRule merge,
    SubStatements texts,
    ResultRows rows,
    boolean indexed)
    implements Splittable {}
