package io.sluice.statement;

import io.sluice.accept.Client;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Ruling;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.reply.Consistency;
import io.sluice.execute.reply.RequestKind;
import io.sluice.link.LinkKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as the path understands it.
 *
 * @param shape what its statement is
 * @param cql its text; of a batch, that of its first write; null when that is not known
 * @param values what is bound to it; valid as long as its frame
 * @param pageSize rows a page, or −1
 * @param continues whether it goes on where an earlier page ended
 * @param consistency the code of its consistency level
 * @param kind how its errors look
 * @param keyspace the keyspace its link must be in, or null where that makes no difference
 * @param range what is needed to split it; null unless it is a range read
 * @param explain how it is to be explained; null when it is not. {@code prepares} is its text then
 * @param prepares what it prepares, or null
 * @param executes what its rows have to look like, because the client is not told; or null
 * @param ruling what it is subject to by a rule of the operator; null when no rule is for it
 * @param warnings what the client is told beside its answer
 */
public record Statement(
    Classified shape,
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
    List<String> warnings) {

  /** The same as an EXECUTE. */
  Statement executing(@Nullable Execution execution) {
    return with(execution, ruling, warnings);
  }

  /** The same, subject to a rule. */
  public Statement under(Ruling rule) {
    return with(executes, rule, warnings);
  }

  /** The same, whose client is told one thing more. */
  public Statement warned(String warning) {
    List<String> all = new ArrayList<>(warnings);
    all.add(warning);
    return with(executes, ruling, List.copyOf(all));
  }

  /** The same on a link in this keyspace. */
  Statement inKeyspace(@Nullable String other) {
    return new Statement(
        shape,
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
        warnings);
  }

  /** The same with what {@code other} is subject to, and with its warnings. */
  Statement as(Statement other) {
    return with(executes, other.ruling, other.warnings);
  }

  private Statement with(
      @Nullable Execution executes, @Nullable Ruling ruling, List<String> warnings) {
    return new Statement(
        shape,
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
        warnings);
  }

  /** Whose share of a node its reads use. */
  public String tenant(Client client) {
    String own = ruling == null ? null : ruling.tenant();
    return own == null ? client.identity().role() : own;
  }

  /** The share of its tenant; 0 for the one that is set for the role. */
  public double weight() {
    return ruling == null || ruling.tenant() == null ? 0 : ruling.weight();
  }

  /** Whether its reads wait behind all others of their tenant. */
  public boolean isLast() {
    return ruling != null && ruling.last();
  }

  /** Whether it is to be explained. */
  public boolean explained() {
    return explain != null;
  }

  /** Whether it reads rows of user tables. */
  public boolean isRead() {
    return switch (shape.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
      default -> false;
    };
  }

  /** Whether it reads a token range, or a whole table. */
  public boolean isRangeRead() {
    return shape.shape() == StatementShape.RANGE_READ;
  }

  /** Whether it is a BATCH of the protocol, of which {@link #shape} tells the first write. */
  public boolean isBatch() {
    return switch (kind) {
      case LOGGED_BATCH, UNLOGGED_BATCH, COUNTER_BATCH, CONDITIONAL_BATCH -> true;
      default -> false;
    };
  }

  /** What a link must be like to serve it for {@code client}. */
  public LinkKey linkKey(Client client) {
    return new LinkKey(client.identity(), client.version(), keyspace);
  }

  /** Whether it reads what conditional writes agree on: at consistency SERIAL or LOCAL_SERIAL. */
  public boolean isSerial() {
    return Consistency.isSerial(consistency);
  }

  /** Whether it may be sent to a second node although the first may have seen it. */
  public boolean isIdempotent() {
    if (prepares != null) {
      return true;
    }
    return switch (shape.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ, SYSTEM_LOCAL, USE, PROXY -> true;
      case NODE_LOCAL -> shape.select() != null;
      case WRITE, TRUNCATE, SCHEMA, OTHER -> false;
    };
  }
}
