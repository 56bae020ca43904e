package io.sluice.usage;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.classify.StatementText;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.ring.TableName;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The use that the clients of one lane make of statements. A known statement costs two lookups and
 * no memory. Not safe for several threads: its lane.
 */
public final class LaneUsage {

  /** Maximum length of a shown text, in characters. */
  public static final int MAX_TEXT = 1_000;

  private final Lane lane;
  private final StatementTable statements;
  private final TableUsage tables = new TableUsage();

  private final SlowLog slow;

  LaneUsage(Lane lane, StatementTable statements, SlowLog slow) {
    this.slow = slow;
    this.lane = lane;
    this.statements = statements;
  }

  Lane lane() {
    return lane;
  }

  /**
   * Adds a request that a node has answered.
   *
   * @param answer the response; its owner keeps it
   * @param took time since the request arrived, in ns
   * @param queued the part of that time in queues, in ns
   * @param now the time, in ns
   */
  public void answered(
      Statement statement, String role, Frame answer, long took, long queued, long now) {
    if (!counts(statement)) {
      return;
    }
    int error = Answers.errorCode(answer);
    boolean known = error != ErrorCode.SYNTAX_ERROR;
    Entry entry = known ? entry(statement, role, took, now) : null;
    int rows = rows(answer);
    answered(entry == null ? statements.others() : entry.cost, answer, rows, error, took, queued);
    if (slow.isSlow(statement, took)) {
      String name = error < 0 ? null : ErrorCode.name(error);
      slow.write(
          statement, role, new SlowLog.Call(took, queued, rows, answer.length(), name, known));
    }
    Cost table =
        error < 0 ? table(entry, statement.classified()) : entry == null ? null : entry.table;
    if (table != null) {
      answered(table, answer, rows, error, took, queued);
    }
  }

  private static void answered(
      Cost cost, Frame answer, int rows, int error, long took, long queued) {
    cost.called(took, queued);
    cost.returned(rows, answer.length());
    if (error >= 0) {
      cost.failed(error, true);
    }
  }

  private @Nullable Cost table(@Nullable Entry entry, Classified classified) {
    if (entry == null) {
      return tables.cost(classified);
    }
    if (entry.table == null) {
      entry.table = tables.cost(classified);
    }
    return entry.table;
  }

  /**
   * Adds a request that the proxy has answered with an error. The parameters are those of {@link
   * #answered}.
   */
  public void failed(
      Statement statement, String role, Failure failure, long took, long queued, long now) {
    if (!counts(statement)) {
      return;
    }
    // No node has confirmed the text. A text that is not understood may be anything.
    boolean understood = statement.classified().markers() >= 0;
    Entry entry = understood ? entry(statement, role, took, now) : null;
    int code = Replier.code(statement.kind(), failure);
    failed(entry == null ? statements.others() : entry.cost, code, took, queued);
    if (slow.isSlow(statement, took)) {
      String name = ErrorCode.name(code);
      slow.write(statement, role, new SlowLog.Call(took, queued, 0, 0, name, understood));
    }
    if (entry != null && entry.table != null) {
      failed(entry.table, code, took, queued);
    }
  }

  private static void failed(Cost cost, int code, long took, long queued) {
    cost.called(took, queued);
    cost.failed(code, false);
  }

  private static boolean counts(Statement statement) {
    return statement.prepares() == null && statement.classified().shape() != StatementShape.PROXY;
  }

  private static int rows(Frame answer) {
    try {
      return Answers.rowCount(answer);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      // The response is malformed. Its reader reports that.
      return 0;
    }
  }

  private @Nullable Entry entry(Statement statement, String role, long took, long now) {
    long text = statement.classified().digest();
    long digest = statement.isBatch() ? ~text : text;
    Entry known = statements.find(digest, role, took, now);
    return known != null
        ? known
        : statements.enter(digest, role, took, () -> named(digest, role, statement));
  }

  private static StatementFacts named(long digest, String role, Statement statement) {
    Classified classified = statement.classified();
    return new StatementFacts(
        digest,
        role,
        text(statement),
        name(classified.keyspace()),
        name(classified.table()),
        classified.shape().name().toLowerCase(Locale.ROOT),
        new Cost());
  }

  private static String text(Statement statement) {
    String cql = statement.cql();
    String text = cql == null ? "" : StatementText.shown(cql, MAX_TEXT);
    return statement.isBatch() ? "BEGIN BATCH " + text + "; ... APPLY BATCH" : text;
  }

  private static @Nullable String name(@Nullable String name) {
    return name == null || name.length() > TableName.MAX_LENGTH ? null : name;
  }

  List<StatementFacts> statements() {
    return statements.facts();
  }

  List<TableFacts> tables() {
    return tables.facts();
  }

  /**
   * The statements of one shape on a table, with their cost, at one moment.
   *
   * @param keyspace its keyspace; empty for all tables that are not kept individually
   * @param table its name; empty when the keyspace is
   * @param shape the shape of the statements, in lower case
   * @param cost the cost of all of them so far
   */
  public record TableFacts(String keyspace, String table, String shape, Cost cost) {}
}
