package io.sluice.statement;

import io.sluice.accept.Client;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.RequestKind;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Values;
import org.jspecify.annotations.Nullable;

/** Parses batches, by their first write. Safe for any thread. */
final class BatchReader {

  private final TextReader texts;
  private final PreparedCache prepared;

  BatchReader(TextReader texts, PreparedCache prepared) {
    this.texts = texts;
    this.prepared = prepared;
  }

  /** Reads a BATCH. Its values are valid as long as the frame. */
  Statement read(CqlRequest.Batch batch, Client client, ClusterView view) {
    Classified first = null;
    String cql = null;
    Values values = null;
    boolean needsKeyspace = false;
    boolean conditional = false;
    boolean isUnderstood = true;
    for (CqlRequest.Child child : batch.children()) {
      Classified classified = child(child, batch, client, view);
      needsKeyspace |= classified == null || !classified.qualified();
      conditional |= classified != null && classified.conditional();
      isUnderstood &= classified != null && classified.shape() == StatementShape.WRITE;
      // A SELECT in a batch is an error, which a node reports.
      if (first == null && classified != null && classified.shape() == StatementShape.WRITE) {
        first = classified;
        cql = text(child);
        values = child.values();
      }
    }
    return Statement.batch(
        first == null ? texts.classify("BEGIN", null, view) : first,
        cql,
        values == null ? BoundValues.NONE : new FrameValues(values),
        batch.consistency(),
        kind(batch, conditional),
        needsKeyspace ? StatementReader.nodeKeyspace(client) : null,
        conditional || !isUnderstood);
  }

  private @Nullable Classified child(
      CqlRequest.Child child, CqlRequest.Batch batch, Client client, ClusterView view) {
    if (child.id() != null) {
      PreparedCache.Prepared known = prepared.get(child.id(), view.catalog(), texts.under(view));
      return known == null ? null : known.read().classified();
    }
    String keyspace = batch.keyspace() == null ? client.keyspace() : batch.keyspace();
    return child.cql() == null ? null : texts.classify(child.cql(), keyspace, view);
  }

  private @Nullable String text(CqlRequest.Child child) {
    PreparedText text = child.id() == null ? null : prepared.text(child.id());
    return text == null ? child.cql() : text.cql();
  }

  private static RequestKind kind(CqlRequest.Batch batch, boolean conditional) {
    if (conditional) {
      return RequestKind.CONDITIONAL_BATCH;
    }
    return switch (batch.type()) {
      case 0 -> RequestKind.LOGGED_BATCH;
      case 2 -> RequestKind.COUNTER_BATCH;
      default -> RequestKind.UNLOGGED_BATCH;
    };
  }
}
