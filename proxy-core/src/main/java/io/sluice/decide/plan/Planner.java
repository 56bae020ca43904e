package io.sluice.decide.plan;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides where a request goes. Pure; safe for any thread. */
public final class Planner {

  /** Assumed rows of a range read without LIMIT and page size. */
  static final int UNBOUNDED_ROWS = 10_000;

  /**
   * Number of candidate nodes for a read of the whole ring, which goes to the one with the least to
   * do.
   */
  static final int MAX_COORDINATORS = 8;

  /** Plans one request on the current cluster. */
  public Plan plan(PlanRequest asked, Ring ring) {
    if (ring.local().isEmpty() && asked.statement().shape() != StatementShape.PROXY) {
      return new Plan.Refuse(
          new Refusal(
              Refusal.Reason.UNAVAILABLE,
              "No node of data centre " + ring.localDatacenter() + " is known"));
    }
    return switch (asked.statement().shape()) {
      case POINT_READ -> point(asked, ring, 1);
      case MULTI_POINT_READ -> point(asked, ring, asked.statement().partitions(asked.values()));
      case RANGE_READ, UNKNOWN_SELECT -> range(asked, ring);
      case WRITE -> new Plan.Forward(owners(asked, token(asked, ring), ring));
      case SYSTEM_LOCAL -> new Plan.Members(homeFirst(asked.client(), ring));
      case UNKNOWN_WRITE, TRUNCATE, SCHEMA, USE, NODE_LOCAL, OTHER ->
          new Plan.Forward(homeFirst(asked.client(), ring));
      case PROXY -> new Plan.Proxy();
    };
  }

  /**
   * Plans a point read. A page that continues follows a full page, so it is assumed to be full too.
   */
  private static Plan point(PlanRequest asked, Ring ring, int partitions) {
    int limit = asked.statement().limit(asked.values());
    int page = limit < 0 ? asked.pageSize() : Math.min(limit, asked.pageSize());
    int atLeast = asked.continues() ? page : 1;
    Token token = token(asked, ring);
    return new Plan.Queue(
        owners(asked, token, ring),
        PriorityClass.POINT,
        Math.max(1, Math.max(atLeast, partitions)),
        limit < 0 ? Integer.MAX_VALUE : limit,
        token == null || asked.continues() ? 0 : fingerprint(asked.statement(), token));
  }

  private static long fingerprint(Classified statement, Token token) {
    long mixed = (statement.digest() ^ token.hash()) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 31);
  }

  private static Plan range(PlanRequest asked, Ring ring) {
    Classified statement = asked.statement();
    Token start = statement.startToken(asked.values());
    List<NodeId> replicas = start == null ? List.of() : ring.replicas(statement.keyspace(), start);
    int limit = statement.limit(asked.values());
    int page = asked.pageSize();
    int rows = limit >= 0 && page > 0 ? Math.min(limit, page) : Math.max(limit, page);
    return new Plan.Queue(
        replicas.isEmpty() ? coordinators(asked.client(), ring) : replicas,
        PriorityClass.RANGE,
        rows < 0 ? UNBOUNDED_ROWS : rows,
        limit < 0 ? Integer.MAX_VALUE : limit,
        0);
  }

  private static @Nullable Token token(PlanRequest asked, Ring ring) {
    ByteBuffer key = asked.statement().routingKey(asked.values());
    return key == null ? null : ring.partitioner().hash(key);
  }

  /** Returns the replicas of the request's partition, or all nodes if these are unknown. */
  private static List<NodeId> owners(PlanRequest asked, @Nullable Token token, Ring ring) {
    List<NodeId> replicas =
        token == null ? List.of() : ring.replicas(asked.statement().keyspace(), token);
    return replicas.isEmpty() ? homeFirst(asked.client(), ring) : replicas;
  }

  /**
   * Returns nodes that can coordinate a read of the whole ring, which any node can. They are few,
   * so that each can be examined, and differ by client.
   */
  private static List<NodeId> coordinators(long client, Ring ring) {
    List<NodeId> nodes = homeFirst(client, ring);
    return nodes.subList(0, Math.min(MAX_COORDINATORS, nodes.size()));
  }

  /**
   * Returns all nodes. The first is the client's home node, and stays so while other nodes come and
   * go. The others follow in the order of the ring's list. Takes one pass over the nodes.
   */
  public static List<NodeId> homeFirst(long client, Ring ring) {
    List<Node> local = ring.local();
    int first = 0;
    long closest = Long.MAX_VALUE;
    for (int i = 0; i < local.size(); i++) {
      long affinity = affinity(local.get(i).id(), client);
      if (affinity < closest) {
        first = i;
        closest = affinity;
      }
    }
    List<NodeId> nodes = new ArrayList<>(local.size());
    for (int i = 0; i < local.size(); i++) {
      nodes.add(local.get((first + i) % local.size()).id());
    }
    return nodes;
  }

  /** Returns the distance between a node and a client, by rendezvous hashing; the lowest wins. */
  private static long affinity(NodeId node, long client) {
    long mixed = node.hostId().getLeastSignificantBits() ^ (client * 0x9E3779B97F4A7C15L);
    mixed = (mixed ^ (mixed >>> 31)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 29);
  }

  /**
   * The facts about a request that the planner needs.
   *
   * @param statement the classified statement
   * @param values the values bound to its markers
   * @param pageSize rows per page, or −1 without paging
   * @param continues whether it continues where an earlier page ended
   * @param client a number that identifies the client, to keep it at the same node where that
   *     matters
   */
  public record PlanRequest(
      Classified statement, BoundValues values, int pageSize, boolean continues, long client) {

    /** Creates a request for the first page. */
    public PlanRequest(Classified statement, BoundValues values, int pageSize, long client) {
      this(statement, values, pageSize, false, client);
    }
  }
}
