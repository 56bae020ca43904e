package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what the later steps of the request path see of a client and do to it. */
class ConnectedClientTest {

  private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("app", 1);
  private static final InetSocketAddress PROXY = InetSocketAddress.createUnresolved("proxy", 9042);
  private static final int LIMIT = 1 << 20;

  private final EmbeddedChannel channel =
      new EmbeddedChannel() {
        @Override
        protected SocketAddress localAddress0() {
          return PROXY;
        }

        @Override
        protected SocketAddress remoteAddress0() {
          return ADDRESS;
        }
      };
  private final OwnLane lane = new OwnLane();
  private final MemoryBudget budget = new MemoryBudget(8L << 20);
  private final MemoryAccount memory = budget.open(new AnyHolder(lane));
  private final List<Frame> said = new ArrayList<>();
  private final Outbox outbox =
      Outboxes.of(channel, ReceiverBacklog.UNKNOWN, lane, LIMIT, memory, reason -> {});
  private int drained;
  private final ConnectedClient client =
      new ConnectedClient(
          new ClientConnection(7, channel, Instant.EPOCH),
          lane,
          new Login(
              channel,
              FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, LIMIT),
              new FakePath(),
              List.of()),
          memory,
          outbox,
          new ConnectedClient.Session() {
            @Override
            public void say(Frame frame) {
              said.add(frame);
            }

            @Override
            public void drain() {
              drained++;
            }
          });

  /** The client's lane, on which the test is not, and which may have shut down. */
  private static final class OwnLane implements Lane {
    private final TestLane time = new TestLane();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean current;
    private boolean ended;

    @Override
    public boolean isCurrent() {
      return current;
    }

    @Override
    public void execute(Runnable task) {
      if (ended) {
        throw new RejectedExecutionException("shut down");
      }
      tasks.add(task);
    }

    @Override
    public Timeout schedule(long delayNanos, Runnable task) {
      return time.schedule(delayNanos, task);
    }
  }

  @AfterEach
  void release() {
    memory.loggedIn();
    channel.finishAndReleaseAll();
    said.forEach(Frame::release);
  }

  /** Leaves this number of bytes in the channel. */
  private void leavesUnread(int bytes) {
    channel.write(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  @Test
  void a_new_client_is_nobody_in_the_latest_version() {
    assertThat(client.id()).isEqualTo(7);
    assertThat(client.address()).isEqualTo(ADDRESS);
    assertThat(client.connectedTo()).isEqualTo(PROXY);
    assertThat(client.lane()).isSameAs(lane);
    assertThat(client.identity()).isEqualTo(Identity.ANONYMOUS);
    assertThat(client.certified()).isNull();
    assertThat(client.version()).isEqualTo(5);
    assertThat(client.keyspace()).isNull();
    assertThat(client.note()).isNull();
    assertThat(client.events()).isEmpty();
    assertThat(client.driver()).isEqualTo(ClientFacts.Driver.UNKNOWN);
  }

  @Test
  void what_the_later_steps_set_is_kept() {
    client.authenticated(Identity.plain("alice", "secret"));
    client.keyspace("ks");
    client.keyspace("other");
    client.version(4);
    client.note("one");
    client.note("two");
    assertThat(client.identity()).isEqualTo(Identity.plain("alice", "secret"));
    assertThat(client.keyspace()).isEqualTo("other");
    assertThat(client.version()).isEqualTo(4);
    assertThat(client.note()).isEqualTo("two");
  }

  @Test
  void facts_are_a_snapshot() {
    client.authenticated(Identity.plain("alice", "secret"));
    client.keyspace("ks");
    client.version(4);
    memory.requests(1_000);
    leavesUnread(500);
    ClientFacts facts = client.facts(3);
    client.keyspace("other");
    assertThat(facts.unreadBytes()).isEqualTo(outbox.unread()).isGreaterThanOrEqualTo(500);
    assertThat(facts)
        .isEqualTo(
            new ClientFacts(
                7,
                ADDRESS,
                "alice",
                ClientFacts.Driver.UNKNOWN,
                4,
                "none",
                "ks",
                3,
                1_000,
                outbox.unread(),
                null,
                Instant.EPOCH));
    memory.requests(-1_000);
  }

  @Test
  void event_types_of_several_registers_add_up_in_sets_that_never_change() {
    client.addEvents(Set.of("STATUS_CHANGE"));
    Set<String> first = client.events();
    client.addEvents(Set.of("SCHEMA_CHANGE"));
    assertThat(first).containsExactly("STATUS_CHANGE");
    assertThat(client.events()).containsExactly("SCHEMA_CHANGE", "STATUS_CHANGE");
    assertThatThrownBy(() -> client.events().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void an_event_is_sent_on_the_clients_lane() {
    Frame event = CqlCodec.ready(4);
    client.push(event);
    assertThat(said).isEmpty();
    lane.tasks.remove().run();
    assertThat(said).containsExactly(event);
    assertThat(TestFrames.isReleased(event)).isFalse();
  }

  @Test
  void an_event_of_the_clients_own_lane_is_sent_at_once() {
    lane.current = true;
    Frame event = CqlCodec.ready(4);
    client.push(event);
    assertThat(said).containsExactly(event);
  }

  @Test
  void an_event_for_a_lane_that_has_shut_down_is_released() {
    lane.ended = true;
    Frame event = CqlCodec.ready(4);
    client.push(event);
    assertThat(said).isEmpty();
    assertThat(TestFrames.isReleased(event)).isTrue();
  }

  @Test
  void an_end_drains_the_session() {
    client.end();
    assertThat(drained).isOne();
  }

  @Test
  void a_client_that_reads_is_neither_congested_nor_full_and_its_tasks_run_at_once() {
    List<String> ran = new ArrayList<>();
    client.whenDrained(() -> ran.add("at once"));
    assertThat(ran).containsExactly("at once");
    assertThat(client.isCongested()).isFalse();
    assertThat(client.isFull()).isFalse();
  }

  @Test
  void a_client_that_does_not_read_is_congested_and_its_tasks_wait() {
    List<String> ran = new ArrayList<>();
    leavesUnread(LIMIT / 2);
    assertThat(client.isCongested()).isTrue();
    assertThat(client.isFull()).as("small responses may be added").isFalse();
    leavesUnread(LIMIT / 2);
    client.whenDrained(() -> ran.add("in its turn"));
    assertThat(client.isCongested()).isTrue();
    assertThat(client.isFull()).isTrue();
    assertThat(ran).isEmpty();
    outbox.close();
    assertThat(ran).containsExactly("in its turn");
  }

  /** Memory fills above five eighths of the limit, and reads hold others back at half of it. */
  @Test
  void a_client_is_congested_by_less_while_memory_is_filling() {
    channel.config().setWriteBufferHighWaterMark(LIMIT);
    leavesUnread(100_000);
    assertThat(client.isCongested()).isFalse();
    budget.count().accept(6L << 20);
    assertThat(client.isCongested()).isTrue();
  }

  @Test
  void buffered_answers_count_for_the_client_and_may_refuse_its_range_reads() {
    client.buffered(3L << 20);
    assertThat(memory.held()).isEqualTo(3L << 20);
    assertThat(client.rangeRefusal()).as("memory is not filling").isNull();
    budget.count().accept(4L << 20);
    assertThat(client.rangeRefusal()).contains("holds 3145728 bytes");
    client.buffered(-(3L << 20));
    assertThat(client.rangeRefusal()).isNull();
    assertThat(memory.held()).isZero();
  }

  @Test
  void a_client_has_one_account_of_point_reads() {
    assertThat(client.pointReads()).isSameAs(client.pointReads());
  }
}
