package io.sluice.exchange;

import static io.sluice.exchange.ExchangeFixture.id;
import static io.sluice.exchange.ExchangeFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests the choice of the nodes that a read tries. Node 1 is no replica. */
class FailoverTest {

  private static final NodeAnswer LOST = new NodeAnswer.LinkLost("it left", true);
  private static final NodeAnswer UNKNOWN_KEYSPACE =
      new NodeAnswer.Refused(ErrorCode.INVALID, "unknown");

  private final Ring ring = ExchangeFixture.view().ring();
  private final Failover failover = of(id(2), id(3));

  private Failover of(NodeId... replicas) {
    return new Failover(0, new TurnOwner(ring, List.of(replicas)));
  }

  @Test
  void a_read_starts_at_its_replicas_even_if_they_were_tried_and_without_replicas_at_any_node() {
    failover.markTried(id(2));
    assertThat(failover.all()).containsExactly(id(2), id(3));
    assertThat(of().all()).containsExactlyInAnyOrderElementsOf(ids());
  }

  @Test
  void after_a_lost_link_the_other_replicas_follow_and_then_other_nodes() {
    failover.markTried(id(2));
    assertThat(failover.after(LOST)).containsExactly(id(3));
    failover.markTried(id(3));
    assertThat(failover.otherReplicas()).isEmpty();
    assertThat(failover.after(LOST)).containsExactly(id(1));
    failover.markTried(id(1));
    assertThat(failover.after(LOST)).isEmpty();
  }

  @Test
  void after_a_node_has_shed_the_read_another_replica_follows_once() {
    failover.markTried(id(2));
    assertThat(failover.afterShedding()).containsExactly(id(3));
    assertThat(failover.afterShedding()).isEmpty();
    assertThat(failover.after(LOST)).as("after a lost link").containsExactly(id(3));
  }

  @Test
  void after_a_refusal_that_may_differ_elsewhere_another_node_follows_once() {
    failover.markTried(id(2));
    assertThat(failover.after(UNKNOWN_KEYSPACE)).containsExactly(id(3));
    assertThat(failover.after(UNKNOWN_KEYSPACE)).isEmpty();
    assertThat(of(id(2)).after(new NodeAnswer.Refused(ErrorCode.UNAUTHORIZED, "never"))).isEmpty();
  }

  @Test
  void a_second_request_shares_the_tried_nodes_and_has_its_own_replicas_and_refusals() {
    failover.markTried(id(2));
    Failover second = failover.beside(new TurnOwner(ring, ids()));
    assertThat(second.otherReplicas()).containsExactly(id(1), id(3));
    second.markTried(id(3));
    assertThat(failover.otherReplicas()).isEmpty();
    second.afterShedding();
    second.after(UNKNOWN_KEYSPACE);
    assertThat(failover.after(UNKNOWN_KEYSPACE)).containsExactly(id(1));
  }

  @Test
  void no_node_follows_after_32() {
    List<NodeId> many = LongStream.range(0, 40).mapToObj(n -> new NodeId(new UUID(1, n))).toList();
    Failover large = new Failover(0, new TurnOwner(ring, many));
    many.subList(0, 31).forEach(large::markTried);
    assertThat(large.otherReplicas()).hasSize(9);
    large.markTried(many.get(31));
    assertThat(large.otherReplicas()).isEmpty();
    assertThat(large.after(LOST)).isEmpty();
  }

  @Test
  void a_read_fails_with_the_reason_of_the_last_node() {
    assertThat(Failover.failure(LOST))
        .isEqualTo(new Failure.Unreachable("No replica could be reached: it left"));
    assertThat(Failover.failure(UNKNOWN_KEYSPACE))
        .isEqualTo(new Failure.Refused(ErrorCode.INVALID, "unknown"));
  }
}
