package io.sluice.statement;

import io.sluice.accept.Client;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.statement.Statement.Execution;
import io.sluice.statement.StatementReader.UnknownStatement;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolVersion;
import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Checks that clients decode the rows of prepared statements with the columns that they were sent.
 * Safe for any thread.
 */
final class SentColumns {

  private final PreparedCache prepared;

  SentColumns(PreparedCache prepared) {
    this.prepared = prepared;
  }

  /**
   * Returns the columns that the rows must have for a client that skips metadata. Returns null when
   * a node handles this, by the result metadata id (v5) or because it sends the metadata.
   */
  @Nullable Execution execution(
      CqlRequest.Execute execute, PreparedCache.Prepared known, Client client)
      throws UnknownStatement {
    int version = client.version();
    if (version >= ProtocolVersion.RESULT_METADATA_ID) {
      StatementMetadata latest = known.latest(version);
      return latest == null || !latest.resultId().equals(execute.resultId())
          ? null
          : new Execution(execute.id(), latest);
    }
    if (!execute.parameters().skipsMetadata()) {
      return null;
    }
    StatementMetadata sent = prepared.sent(execute.id(), known, version, client.id());
    if (sent == null) {
      throw new UnknownStatement(execute.id());
    }
    return new Execution(execute.id(), sent);
  }

  /**
   * Whether a client would decode the rows that a read returned with outdated columns. Never true
   * for a write: the client would execute a conditional write again that has taken effect.
   */
  boolean isOutOfDate(Statement statement, Client client, Frame answer) {
    Execution executes = statement.executes();
    if (executes == null || !isSelect(statement.classified()) || !Answers.isRows(answer)) {
      return false;
    }
    int version = client.version();
    boolean changedSince =
        version < ProtocolVersion.RESULT_METADATA_ID
            && !prepared.isCurrent(executes.id(), version, executes.sent());
    return changedSince || !matchesSent(executes, client, answer);
  }

  private static boolean isSelect(Classified statement) {
    return statement.select() != null || statement.shape() == StatementShape.UNKNOWN_SELECT;
  }

  private boolean matchesSent(Execution executes, Client client, Frame answer) {
    boolean hasMetadata = !Answers.skipsMetadata(answer);
    if (Answers.matchesSent(answer, executes.sent())) {
      prepared.confirm(executes.id(), client.version(), client.id());
      return true;
    }
    if (hasMetadata && prepared.isUnconfirmed(executes.id(), client.id(), executes.sent())) {
      return true;
    }
    prepared.doubt(executes.id(), client.version(), client.id());
    return false;
  }
}
