package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Partitioner;
import org.jspecify.annotations.Nullable;

/** Reads CQL. Pure and stateless; safe for any thread. */
public final class Classifier {

  /**
   * Classifies a statement. Never throws: a statement that is not understood is {@link
   * StatementShape#UNKNOWN_SELECT}, {@link StatementShape#UNKNOWN_WRITE} or {@link
   * StatementShape#OTHER}.
   *
   * @param cql the statement's text
   * @param sessionKeyspace the keyspace of USE or of the request, as stored; null when none
   * @param catalog the tables known now
   * @param partitioner the partitioner of the cluster
   */
  public Classified classify(
      String cql, @Nullable String sessionKeyspace, Catalog catalog, Partitioner partitioner) {
    CqlSkimmer skimmer = new CqlSkimmer(cql, sessionKeyspace, catalog, partitioner);
    try {
      return skimmer.verdict();
    } catch (NotUnderstood e) {
      return Verdict.notUnderstood(skimmer.unknown(), false, skimmer.digest(false));
    }
  }
}
