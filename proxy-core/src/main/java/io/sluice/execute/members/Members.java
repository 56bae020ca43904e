package io.sluice.execute.members;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.SmallTable;
import io.sluice.execute.table.TablePage;
import io.sluice.execute.table.TableQuery;
import io.sluice.wire.RowSet;
import java.util.List;

/**
 * Answers what clients ask about the cluster's members, so that they see the proxies and never go
 * round them. Stateless and safe for any thread.
 */
public final class Members {

  /** The table that is asked for what is true of the cluster. */
  public static final String LOCAL = "local";

  private Members() {}

  /**
   * Whether an answer of a node's own would tell a client where nodes are. If not, the node's
   * answer is the better one.
   */
  public static boolean concerns(Classified statement) {
    Select select = statement.select();
    if (select == null) {
      return true;
    } else if (!"system".equals(statement.keyspace())) {
      return false;
    }
    return !LOCAL.equals(statement.table())
        || select.projection().selectors().stream().anyMatch(each -> telltale(each.value()))
        || select.where().restrictions().stream().anyMatch(Members::telltale);
  }

  private static boolean telltale(Expression value) {
    return switch (value.kind()) {
      case STAR -> true;
      case COLUMN -> MemberRows.TELLTALE.contains(String.valueOf(value.name()));
      case FUNCTION -> !isCountOfAll(value) && value.parts().stream().anyMatch(Members::telltale);
      default -> value.parts().stream().anyMatch(Members::telltale);
    };
  }

  private static boolean isCountOfAll(Expression value) {
    return "count".equals(value.name())
        && value.parts().stream().allMatch(part -> part.kind() == Expression.Kind.STAR);
  }

  private static boolean telltale(Restriction restriction) {
    return restriction.columns().stream().anyMatch(MemberRows.TELLTALE::contains);
  }

  /**
   * The answer.
   *
   * @param statement a SELECT from one of the three tables
   * @param values what is bound to it
   * @param members the proxies
   * @param local all of {@code system.local}, from a node
   * @param table all of the table that was asked, from the same node
   * @throws NotAnswerable when the statement asks for more than can be said
   */
  public static RowSet answer(
      Classified statement, BoundValues values, ProxyMembers members, RowSet local, RowSet table)
      throws NotAnswerable {
    MemberRows rows = new MemberRows(members);
    boolean asksLocal = LOCAL.equals(statement.table());
    RowSet seen = asksLocal ? rows.local(local) : rows.peers(table, local);
    SmallTable all =
        new SmallTable(seen, asksLocal ? List.of("key") : List.of("peer", "peer_port"));
    return TableQuery.page(statement, values, all, TablePage.Asked.ALL).rows();
  }

  /** What has to be asked of a node first, in this order. */
  public static List<String> questions(Classified statement) {
    String local = "SELECT * FROM system." + LOCAL;
    return LOCAL.equals(statement.table())
        ? List.of(local)
        : List.of(local, "SELECT * FROM system." + statement.table());
  }
}
