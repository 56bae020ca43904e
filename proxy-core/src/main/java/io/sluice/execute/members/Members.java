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
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Answers SELECTs about the cluster's members with the proxies as members, so that drivers never
 * bypass the proxies. Stateless and safe for any thread.
 */
public final class Members {

  /** The table with the facts about the cluster. */
  public static final String LOCAL = "local";

  private Members() {}

  /**
   * Whether a node's own answer would show addresses of nodes to the client. If not, the node
   * answers the statement.
   */
  public static boolean concerns(Classified statement) {
    Select select = statement.select();
    if (select == null) {
      return true;
    } else if (!"system".equals(statement.keyspace())) {
      return false;
    }
    return !LOCAL.equals(statement.table())
        || select.projection().selectors().stream().anyMatch(each -> identifies(each.value()))
        || select.where().restrictions().stream().anyMatch(Members::identifies);
  }

  private static boolean identifies(Expression value) {
    return switch (value.kind()) {
      case STAR -> true;
      case COLUMN -> MemberRows.IDENTIFYING.contains(String.valueOf(value.name()));
      case FUNCTION -> !isCountOfAll(value) && value.parts().stream().anyMatch(Members::identifies);
      default -> value.parts().stream().anyMatch(Members::identifies);
    };
  }

  private static boolean isCountOfAll(Expression value) {
    return "count".equals(value.name())
        && value.parts().stream().allMatch(part -> part.kind() == Expression.Kind.STAR);
  }

  private static boolean identifies(Restriction restriction) {
    return restriction.columns().stream().anyMatch(MemberRows.IDENTIFYING::contains);
  }

  /**
   * Returns the answer.
   *
   * @param statement a SELECT from one of the three tables
   * @param values the bound values
   * @param members the proxies
   * @param local all rows of {@code system.local} of a node
   * @param table all rows of the selected table of the same node
   * @throws NotAnswerable when the proxy cannot evaluate the statement
   */
  public static RowSet answer(
      Classified statement, BoundValues values, ProxyMembers members, RowSet local, RowSet table)
      throws NotAnswerable {
    MemberRows rows = new MemberRows(members);
    boolean asksLocal = LOCAL.equals(statement.table());
    RowSet seen = asksLocal ? rows.local(local) : rows.peers(table, local);
    SmallTable all =
        new SmallTable(seen, asksLocal ? List.of("key") : List.of("peer", "peer_port"));
    return TableQuery.page(statement, values, all, TablePage.PageRequest.ALL).rows();
  }

  /** Returns the statements to run at a node first, in this order. */
  public static List<String> questions(Classified statement) {
    String local = "SELECT * FROM system." + LOCAL;
    return LOCAL.equals(statement.table())
        ? List.of(local)
        : List.of(local, "SELECT * FROM system." + statement.table());
  }

  /**
   * The proxies of one cluster, as clients see them. All proxies with the same addresses in their
   * settings give the same answer.
   *
   * @param clusterName the cluster's name
   * @param partitioner the class name of its partitioner
   * @param self the proxy that answers
   * @param peers the other proxies; {@code self} is removed
   * @param serving whether the proxies send requests to the node with this host id
   */
  public record ProxyMembers(
      String clusterName,
      String partitioner,
      InetSocketAddress self,
      List<InetSocketAddress> peers,
      Predicate<UUID> serving) {

    public ProxyMembers {
      InetSocketAddress answering = self;
      peers = peers.stream().filter(peer -> !peer.equals(answering)).toList();
    }

    boolean isServing(UUID node) {
      return serving.test(node);
    }

    /** Returns the host id of a proxy, derived from its address and the cluster's name. */
    UUID hostId(InetSocketAddress proxy) {
      String name = "sluice/" + clusterName + "/" + text(proxy);
      return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the tokens of {@code proxy}. The proxies share the ring evenly. */
    List<String> tokens(InetSocketAddress proxy) {
      List<InetSocketAddress> all = new ArrayList<>(peers);
      all.add(self);
      all.sort(Comparator.comparing(ProxyMembers::text));
      return EvenTokens.of(partitioner, all.indexOf(proxy), all.size());
    }

    private static String text(InetSocketAddress proxy) {
      return proxy.getAddress().getHostAddress() + ":" + proxy.getPort();
    }
  }
}
