package io.sluice.statement;

import io.sluice.accept.Client;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Ruling;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Consistency;
import io.sluice.execute.reply.RequestKind;
import io.sluice.link.LinkKey;
import io.sluice.ring.Ring;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed request.
 *
 * @param classified the classified statement
 * @param cql its text, for a batch that of its first write; null when unknown
 * @param values the bound values; valid as long as the request's frame
 * @param pageSize rows per page, or −1
 * @param continues whether the request has a paging state
 * @param consistency the code of its consistency level
 * @param kind the kind of the request, which determines its errors
 * @param keyspace the keyspace of its link; null when any will do
 * @param range the parts that splitting needs; null unless the statement is a range read
 * @param explain the options of EXPLAIN; null without. {@code prepares} is then the explained text
 * @param prepares the text that it prepares, or null
 * @param executes the columns that its rows must have, because the client skips metadata; or null
 * @param ruling the ruling of the operator's rule; null when no rule matches
 * @param warnings warnings for the client, besides those of nodes
 * @param transacts whether it is a lightweight transaction, or a batch that may be one
 */
public record Statement(
    Classified classified,
    @Nullable String cql,
    BoundValues values,
    int pageSize,
    boolean continues,
    int consistency,
    RequestKind kind,
    @Nullable String keyspace,
    @Nullable RangeStatement range,
    Explain.@Nullable Options explain,
    @Nullable PreparedText prepares,
    @Nullable Execution executes,
    @Nullable Ruling ruling,
    List<String> warnings,
    boolean transacts) {

  /**
   * Creates the statement of a BATCH.
   *
   * @param first its first write
   * @param cql the text of the first write; null when unknown
   * @param transacts whether any of its statements has IF or is not understood
   */
  static Statement batch(
      Classified first,
      @Nullable String cql,
      BoundValues values,
      int consistency,
      RequestKind kind,
      @Nullable String keyspace,
      boolean transacts) {
    return new Statement(
        first,
        cql,
        values,
        -1,
        false,
        consistency,
        kind,
        keyspace,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        transacts);
  }

  /** Creates the statement of a PREPARE. */
  static Statement preparing(Classified classified, PreparedText text, @Nullable String keyspace) {
    return new Statement(
        classified,
        text.cql(),
        BoundValues.NONE,
        -1,
        false,
        0,
        RequestKind.OTHER,
        keyspace,
        null,
        null,
        text,
        null,
        null,
        List.of(),
        classified.conditional());
  }

  /** Returns this statement with the columns of an EXECUTE. */
  Statement executing(@Nullable Execution execution) {
    return execution == null ? this : with(execution, ruling, warnings);
  }

  /** Returns this statement under a ruling. */
  public Statement under(Ruling rule) {
    return with(executes, rule, warnings);
  }

  /** Returns this statement with one more warning. */
  public Statement warned(String warning) {
    List<String> all = new ArrayList<>(warnings);
    all.add(warning);
    return with(executes, ruling, List.copyOf(all));
  }

  /** Returns this statement for a link in this keyspace. */
  Statement inKeyspace(@Nullable String other) {
    return new Statement(
        classified,
        cql,
        values,
        pageSize,
        continues,
        consistency,
        kind,
        other,
        range,
        explain,
        prepares,
        executes,
        ruling,
        warnings,
        transacts);
  }

  /** Returns this statement with the ruling and the warnings of {@code other}. */
  Statement as(Statement other) {
    return with(executes, other.ruling, other.warnings);
  }

  private Statement with(
      @Nullable Execution executes, @Nullable Ruling ruling, List<String> warnings) {
    return new Statement(
        classified,
        cql,
        values,
        pageSize,
        continues,
        consistency,
        kind,
        keyspace,
        range,
        explain,
        prepares,
        executes,
        ruling,
        warnings,
        transacts);
  }

  /**
   * Returns the data centre to which its rule sends it; null for the local one. Lightweight
   * transactions and serial reads stay in the local one, because LOCAL_SERIAL orders only the
   * transactions of one data centre.
   */
  public @Nullable String datacenter() {
    boolean isMovable = isRead() || classified.shape() == StatementShape.WRITE;
    return ruling == null || !isMovable || transacts || isSerial() ? null : ruling.datacenter();
  }

  /** Returns the snapshot of the cluster in which the data centre that serves it is local. */
  public Ring ring(Ring cluster) {
    String datacenter = datacenter();
    return datacenter == null ? cluster : cluster.in(datacenter);
  }

  /** Returns the suffix for an error of a node's absence; empty in the local data centre. */
  public String datacenterSource() {
    String datacenter = datacenter();
    return ruling == null || datacenter == null
        ? ""
        : " (data centre " + datacenter + " of rule " + ruling.rule() + ")";
  }

  /** Returns the tenant whose share of a node its reads use. */
  public String tenant(Client client) {
    String own = ruling == null ? null : ruling.tenant();
    return own == null ? client.identity().role() : own;
  }

  /** Returns the share of its tenant; 0 for the share that is set for the role. */
  public double weight() {
    return ruling == null || ruling.tenant() == null ? 0 : ruling.weight();
  }

  /** Whether its reads wait behind all others of their tenant. */
  public boolean isLast() {
    return ruling != null && ruling.last();
  }

  /** Whether its rule has a timeout. */
  public boolean hasTimeout() {
    return ruling != null && ruling.timeoutNanos() != Long.MAX_VALUE;
  }

  /** Returns {@code nanos}, or the timeout of its rule if that is shorter. */
  public long timeoutNanos(long nanos) {
    return ruling == null ? nanos : Math.min(nanos, ruling.timeoutNanos());
  }

  /** Returns the suffix for the error of a timeout that its rule has set; else an empty text. */
  public String timeoutSource(long nanos) {
    return ruling == null || nanos < ruling.timeoutNanos()
        ? ""
        : " (timeout of rule " + ruling.rule() + ")";
  }

  /**
   * Returns the approximate memory of this object besides the frame of its request, in bytes.
   *
   * @param executed whether its text and classification belong to the cache of prepared statements
   */
  public long heapBytes(boolean executed) {
    long bound = values instanceof FrameValues inFrame ? inFrame.values().heapBytes() : 0;
    long text = cql == null ? 0 : 2L * cql.length();
    return executed ? bound : bound + text + classified.heapBytes();
  }

  /** Whether it is an EXPLAIN. */
  public boolean explained() {
    return explain != null;
  }

  /** Whether it certainly reads rows of user tables. */
  public boolean isRead() {
    return switch (classified.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
      default -> false;
    };
  }

  /** Whether it reads a token range or a whole table, or may. */
  public boolean isRangeRead() {
    return classified.shape() == StatementShape.RANGE_READ
        || classified.shape() == StatementShape.UNKNOWN_SELECT;
  }

  /** Whether it is a BATCH of the protocol; {@link #classified} is then that of its first write. */
  public boolean isBatch() {
    return switch (kind) {
      case LOGGED_BATCH, UNLOGGED_BATCH, COUNTER_BATCH, CONDITIONAL_BATCH -> true;
      default -> false;
    };
  }

  /** Whether it is a USE, or the PREPARE of one, whose keyspace is not understood. */
  public boolean isUnclearUse() {
    return classified.shape() == StatementShape.USE && classified.keyspace() == null;
  }

  /** Returns the key of the links that can serve it for {@code client}. */
  public LinkKey linkKey(Client client) {
    return new LinkKey(client.identity(), client.version(), keyspace);
  }

  /** Whether its consistency level is SERIAL or LOCAL_SERIAL. */
  public boolean isSerial() {
    return Consistency.isSerial(consistency);
  }

  /** Whether it may be sent to a second node although the first may have seen it. */
  public boolean isIdempotent() {
    if (prepares != null) {
      return true;
    }
    return switch (classified.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ, UNKNOWN_SELECT -> true;
      case SYSTEM_LOCAL, USE, PROXY -> true;
      case NODE_LOCAL -> classified.select() != null;
      case WRITE, UNKNOWN_WRITE, TRUNCATE, SCHEMA, OTHER -> false;
    };
  }

  /**
   * An EXECUTE that skips the result metadata because the client knows the columns.
   *
   * @param id the prepared statement
   * @param sent the columns that the client knows
   */
  public record Execution(PreparedId id, StatementMetadata sent) {}
}
