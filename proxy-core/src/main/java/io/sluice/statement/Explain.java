package io.sluice.statement;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ScatterPlan;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: answers what Sluice would do with a statement, line by line. Stateless. */
public final class Explain {

  private static final String KEYWORD = "EXPLAIN";
  private static final RowSet.Column COLUMN =
      new RowSet.Column("sluice", "explain", "plan", ColumnType.VARCHAR);

  private Explain() {}

  /** What stands behind EXPLAIN; null when the text does not begin with it. */
  static @Nullable String explained(String cql) {
    String text = cql.stripLeading();
    boolean asked =
        text.regionMatches(true, 0, KEYWORD, 0, KEYWORD.length())
            && text.length() > KEYWORD.length()
            && Character.isWhitespace(text.charAt(KEYWORD.length()));
    return asked ? text.substring(KEYWORD.length() + 1) : null;
  }

  /**
   * Answers a request.
   *
   * @param scatter the plan of a range read; null for any other
   */
  public static void answer(
      ClientRequest request,
      Statement statement,
      Plan plan,
      @Nullable ScatterPlan scatter,
      Ring ring) {
    String shape = statement.shape().shape().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String text = shape + "\n" + (scatter instanceof ScatterPlan.Scatter ? "" : where(plan) + "\n");
    text += scatter == null ? "" : scatter.explain();
    for (Node node : ring.nodes().values()) {
      String address = node.address().getHostString() + ":" + node.address().getPort();
      text = text.replace(node.id().toString(), address);
    }
    List<List<@Nullable ByteBuffer>> rows =
        text.lines()
            .map(line -> List.<@Nullable ByteBuffer>of(StandardCharsets.UTF_8.encode(line)))
            .collect(Collectors.toList());
    int version = request.client().version();
    request.frame().release();
    request.replyTo().reply(CqlCodec.rows(version, new RowSet(List.of(COLUMN), rows)));
  }

  private static String where(Plan plan) {
    if (plan instanceof Plan.Queue queue) {
      return "waits for its turn at one of " + names(queue.replicas());
    } else if (plan instanceof Plan.Forward forward) {
      return "goes at once to the first that can be reached of " + names(forward.nodes());
    } else if (plan instanceof Plan.Refuse refuse) {
      return "is refused: " + refuse.refusal().message();
    }
    return "is answered for the proxies";
  }

  private static String names(List<NodeId> nodes) {
    return nodes.stream().map(NodeId::toString).collect(Collectors.joining(", "));
  }
}
