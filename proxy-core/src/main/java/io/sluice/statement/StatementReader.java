package io.sluice.statement;

import io.sluice.accept.Client;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Ruling;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.RequestKind;
import io.sluice.statement.Statement.Execution;
import io.sluice.watch.ClusterView;
import io.sluice.wire.Answers;
import io.sluice.wire.CappedRequest;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.CqlRequest.Parameters;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.ProtocolVersion;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses the frames of clients into statements. Safe for any thread. */
public final class StatementReader {

  private final PreparedCache prepared;
  private final TextReader texts;
  private final BatchReader batches;
  private final SentColumns sentColumns;

  public StatementReader(PreparedCache prepared, ScatterPlanner planner) {
    this.prepared = prepared;
    this.texts = new TextReader(planner);
    this.batches = new BatchReader(texts, prepared);
    this.sentColumns = new SentColumns(prepared);
  }

  /** Thrown when a request executes a statement that the cache does not hold. */
  public static final class UnknownStatement extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient PreparedId id;

    UnknownStatement(PreparedId id) {
      super(null, null, false, false);
      this.id = id;
    }

    public PreparedId id() {
      return id;
    }
  }

  /**
   * Reads {@code frame}, which stays the caller's.
   *
   * @throws ProtocolError when the frame is malformed
   * @throws UnknownStatement when it executes a statement that the cache does not hold
   */
  public Statement read(Frame frame, Client client, ClusterView view) throws UnknownStatement {
    CqlRequest request = CqlRequest.of(frame);
    if (request instanceof CqlRequest.Execute execute) {
      return execute(execute, client, view);
    }
    if (request instanceof CqlRequest.Query query) {
      return query(query, client, view);
    }
    if (request instanceof CqlRequest.Batch batch) {
      return batches.read(batch, client, view);
    }
    if (request instanceof CqlRequest.Prepare prepare) {
      return prepare(prepare, client, view);
    }
    throw ProtocolError.of(frame.stream(), "Unexpected opcode " + frame.opcode());
  }

  /**
   * Reads a frame that another proxy sends for its client. The other proxy checks the columns that
   * its client knows of a prepared statement.
   */
  public Statement readForProxy(Frame frame, Client client, ClusterView view)
      throws UnknownStatement {
    if (!(CqlRequest.of(frame) instanceof CqlRequest.Execute execute)) {
      return read(frame, client, view);
    }
    PreparedCache.Prepared known = prepared.get(execute.id(), view.catalog(), texts.under(view));
    if (known == null) {
      throw new UnknownStatement(execute.id());
    }
    return statement(
        known.read(), known.text(), execute.parameters(), client, null, ClientColumns.CURRENT);
  }

  private Statement execute(CqlRequest.Execute execute, Client client, ClusterView view)
      throws UnknownStatement {
    PreparedCache.Prepared known = prepared.get(execute.id(), view.catalog(), texts.under(view));
    if (known == null) {
      throw new UnknownStatement(execute.id());
    }
    Execution executes = sentColumns.execution(execute, known, client);
    ClientColumns columns =
        executes == null && client.version() >= ProtocolVersion.RESULT_METADATA_ID
            ? new ClientColumns(false, known.latest(client.version()))
            : ClientColumns.CURRENT;
    return statement(known.read(), known.text(), execute.parameters(), client, null, columns)
        .executing(executes);
  }

  /**
   * Whether a client would decode the rows of {@code answer} with outdated columns. The client must
   * then get UNPREPARED, so that it learns the new columns.
   */
  public boolean isOutOfDate(Statement statement, Client client, Frame answer) {
    return sentColumns.isOutOfDate(statement, client, answer);
  }

  private Statement query(CqlRequest.Query query, Client client, ClusterView view) {
    String named = query.parameters().keyspace();
    String keyspace = named == null ? client.keyspace() : named;
    ExplainHead head = ExplainHead.of(query.cql());
    String cql = head == null ? query.cql() : head.cql();
    TextReader.Understood read = texts.read(cql, keyspace, view);
    return statement(
        read,
        text(read, cql, keyspace),
        query.parameters(),
        client,
        head == null ? null : head.options(),
        ClientColumns.CURRENT);
  }

  private static PreparedText text(
      TextReader.Understood read, String cql, @Nullable String keyspace) {
    return new PreparedText(cql, read.classified().qualified() ? null : keyspace);
  }

  /**
   * A request whose LIMIT or page size was lowered by a rule.
   *
   * @param frame the changed frame
   * @param statement the changed statement
   */
  public record Capped(Frame frame, Statement statement) {}

  /**
   * Reads a request again, with another view. Returns it with the ruling and the warnings that it
   * had before. A range read stays in the keyspace in which it came, whatever its client uses now.
   */
  public Statement again(Frame frame, Statement before, Client client, ClusterView view)
      throws UnknownStatement {
    boolean usesSession =
        before.range() != null
            && CqlRequest.of(frame) instanceof CqlRequest.Query query
            && query.parameters().keyspace() == null;
    Statement read =
        usesSession ? inSameKeyspace(frame, before, client, view) : read(frame, client, view);
    return read.as(before);
  }

  /**
   * Returns the request with at most the rows that its rule allows; null when it needs no change.
   * An EXECUTE whose text must change becomes a QUERY.
   *
   * @param frame a request that has been read; stays the caller's
   * @param statement the statement of the frame, under a ruling
   */
  public @Nullable Capped capped(Frame frame, Statement statement, Client client, ClusterView view)
      throws UnknownStatement {
    Ruling ruling = statement.ruling();
    if (ruling == null || ruling.cap().equals(Rule.Cap.NONE) || statement.prepares() != null) {
      return null;
    }
    CqlRequest request = CqlRequest.of(frame);
    Parameters parameters =
        request instanceof CqlRequest.Query query
            ? query.parameters()
            : request instanceof CqlRequest.Execute execute ? execute.parameters() : null;
    CappedRequest changes =
        parameters == null ? null : RowCap.of(statement, parameters, ruling.cap());
    if (changes == null || !changes.changes()) {
      return null;
    }
    Frame made = changes.of(frame);
    try {
      boolean asQuery = request instanceof CqlRequest.Execute && changes.cql() != null;
      Statement read =
          asQuery ? inSameKeyspace(made, statement, client, view) : read(made, client, view);
      return new Capped(made, warned(read.as(statement), changes, ruling));
    } catch (RuntimeException | UnknownStatement | Error e) {
      made.release();
      throw e;
    }
  }

  private static Statement warned(Statement read, CappedRequest changes, Ruling ruling) {
    Statement warned = read;
    if (changes.cql() != null || changes.marker() >= 0) {
      warned = warned.warned(ruling.limited(Objects.requireNonNull(ruling.cap().limit())));
    }
    return changes.pageSize() > 0 && !read.continues()
        ? warned.warned(ruling.paged(changes.pageSize()))
        : warned;
  }

  /**
   * Reads a QUERY in the keyspace that its statement had before: as an EXECUTE, that in which it
   * was prepared.
   */
  private Statement inSameKeyspace(Frame frame, Statement before, Client client, ClusterView view) {
    CqlRequest.Query query = (CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(frame));
    RangeStatement range = before.range();
    String keyspace = range == null ? before.classified().keyspace() : range.text().keyspace();
    TextReader.Understood understood = texts.read(query.cql(), keyspace, view);
    Statement read =
        statement(
            understood,
            text(understood, query.cql(), keyspace),
            query.parameters(),
            client,
            null,
            ClientColumns.CURRENT);
    return read.classified().qualified() ? read : read.inKeyspace(keyspace);
  }

  private static Statement statement(
      TextReader.Understood understood,
      PreparedText text,
      Parameters parameters,
      Client client,
      Explain.@Nullable Options explain,
      ClientColumns columns) {
    TextReader.Understood read = understood.continuing(parameters.pagingState());
    Classified classified = read.classified();
    Splittable split = read.split();
    return new Statement(
        classified,
        text.cql(),
        new FrameValues(parameters.values()),
        parameters.pageSize(),
        parameters.pagingState() != null,
        parameters.consistency(),
        kind(classified),
        linkKeyspace(classified, client),
        split == null ? null : new RangeStatement(split, text, parameters, columns),
        explain,
        explain == null ? null : text,
        null,
        null,
        List.of(),
        classified.conditional());
  }

  private static @Nullable String linkKeyspace(Classified classified, Client client) {
    return switch (classified.shape()) {
      case USE -> classified.keyspace();
      default -> classified.qualified() ? null : nodeKeyspace(client);
    };
  }

  /** Returns the session's keyspace; null for the proxy's own keyspace. */
  static @Nullable String nodeKeyspace(Client client) {
    String keyspace = client.keyspace();
    return Classified.PROXY_KEYSPACE.equals(keyspace) ? null : keyspace;
  }

  private static RequestKind kind(Classified classified) {
    return switch (classified.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ, UNKNOWN_SELECT -> RequestKind.READ;
      case WRITE ->
          classified.conditional() ? RequestKind.CONDITIONAL_WRITE : RequestKind.SIMPLE_WRITE;
      case TRUNCATE -> RequestKind.TRUNCATE;
      case UNKNOWN_WRITE, SCHEMA, OTHER -> RequestKind.CHANGE;
      case NODE_LOCAL -> isLocalWrite(classified) ? RequestKind.CHANGE : RequestKind.OTHER;
      case USE, SYSTEM_LOCAL, PROXY -> RequestKind.OTHER;
    };
  }

  /** Whether a statement about a node's own tables is a write. DESCRIBE has no table. */
  private static boolean isLocalWrite(Classified classified) {
    return classified.select() == null && classified.table() != null;
  }

  /**
   * Reads a PREPARE. A text that depends on no keyspace is prepared and kept without one: nodes
   * return the same id for it in all keyspaces, so clients of several keyspaces share its entry.
   */
  private Statement prepare(CqlRequest.Prepare prepare, Client client, ClusterView view) {
    String named = prepare.keyspace();
    String cql = prepare.cql();
    Classified classified = texts.classify(cql, named == null ? client.keyspace() : named, view);
    String link = named == null && !classified.qualified() ? nodeKeyspace(client) : null;
    String own = classified.shape() == StatementShape.PROXY ? client.keyspace() : link;
    PreparedText text = new PreparedText(cql, named == null ? own : named);
    return Statement.preparing(classified, text, link);
  }

  /**
   * Records a statement that a node has prepared for a client.
   *
   * @param answer a RESULT of kind Prepared
   * @return the error message when the statement does not fit into the cache, else null
   */
  public @Nullable String prepared(
      Statement statement, Client client, Frame answer, ClusterView view) {
    PreparedText text = statement.prepares();
    if (text == null) {
      return null;
    }
    if (!prepared.fits(text, statement.classified())) {
      return "Prepared statement of "
          + text.cql().length()
          + " characters needs more than the "
          + prepared.maxEntryBytes()
          + " bytes that one may take (half of preparedStatementsBytes)";
    }
    PreparedId id = Answers.preparedId(answer);
    prepared.remember(id, text, view.catalog(), texts.under(view));
    prepared.recordSent(id, client.version(), client.id(), Answers.statementMetadata(answer));
    return null;
  }
}
