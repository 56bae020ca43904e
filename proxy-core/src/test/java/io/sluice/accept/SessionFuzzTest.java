package io.sluice.accept;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.datastax.oss.protocol.internal.request.Prepare;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.TestClient;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
import io.sluice.time.TestLane;
import io.sluice.watch.ClusterView;
import io.sluice.wire.Choices;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.FuzzLimits;
import io.sluice.wire.FuzzedPeer;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.ReadTemplate;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz test of a client's connection, from its bytes to the parsed request. The client sends,
 * reads and waits as the fuzzer chooses. Only protocol errors are thrown, a closed connection holds
 * no memory, and the log has one line in ten seconds at most.
 */
class SessionFuzzTest {

  /** One allocator for all runs, because it returns its memory late. */
  private static final CountedBuffers BUFFERS = new CountedBuffers();

  @RegisterExtension static final FuzzLimits LIMITS = new FuzzLimits(BUFFERS);

  private static final int MAX_HELD_BYTES = 8 << 20;
  private static final int MAX_TURNS = 200;
  private static final long NANOS_A_LINE = TimeUnit.SECONDS.toNanos(10);

  private static final ListenConfig CONFIG =
      new ListenConfig("h", 0, 1, 1 << 20, 4, 1 << 20, Duration.ofSeconds(10), 50);

  private static final ClusterView VIEW =
      new ClusterView(
          new Ring(TestPartitioner.ANY, "dc1", Map.of(), Map.of()),
          (keyspace, table) ->
              table.equals("t")
                  ? new Table(keyspace, "t", List.of(new Table.KeyColumn("k", "int")))
                  : null,
          Map.of(),
          Map.of());

  private static final StatementReader READER = reader();

  /**
   * Returns a reader that knows one prepared statement, whose id is {@link FuzzedPeer#PREPARED}.
   */
  private static StatementReader reader() {
    StatementReader reader =
        new StatementReader(
            new PreparedCache(10, 1 << 20), new ScatterPlanner(SplitConfig.defaults()));
    TestClient client = new TestClient(4);
    Frame prepare = TestFrames.request(4, 0, new Prepare("SELECT * FROM ks.t WHERE k = ?"));
    Frame answer = TestFrames.prepared(4, TestFrames.id(FuzzedPeer.PREPARED), "k");
    try {
      reader.prepared(reader.read(prepare, client, VIEW), client, answer, VIEW);
    } catch (StatementReader.UnknownStatement e) {
      throw new IllegalStateException(e);
    }
    prepare.release();
    answer.release();
    return reader;
  }

  @FuzzTest
  void nothing_a_client_sends_breaks_its_session(byte[] script) {
    LIMITS.check(
        script,
        () -> {
          Run run = new Run(new Choices(script));
          run.play();
          run.end();
        });
  }

  /** One connection. */
  private static final class Run implements ClientHandler {
    private final Choices choices;
    private final TestLane lane = new TestLane();
    private final long began = lane.nanoTime();
    private final FaultLog faults = new FaultLog(lane);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final MemoryBudget memory = new MemoryBudget(MAX_HELD_BYTES);
    private final Deque<ClientRequest> unanswered = new ArrayDeque<>();
    private final Framing framing;
    private final FuzzedPeer client;
    private final ClientSession session;
    private @Nullable Throwable thrown;

    Run(Choices choices) {
      this.choices = choices;
      channel.config().setAllocator(BUFFERS);
      framing = FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, 1 << 20);
      client = new FuzzedPeer(choices, framing);
      ListenerContext context =
          new ListenerContext(CONFIG, this, faults, new DriverCounts(), memory);
      session =
          new ClientSession(
              new ClientConnection(7, channel, Instant.EPOCH),
              lane,
              framing,
              context,
              Objects.requireNonNull(new Places(1).take("somewhere"))::loggedIn);
      channel.pipeline().addLast(LIMITS.counter(), new ClientChannel(session));
    }

    void play() {
      for (int turn = 0; choices.more() && channel.isActive() && turn < MAX_TURNS; turn++) {
        switch (choices.below(8)) {
          case 0, 1 -> answer();
          case 2 -> lane.pass(10L * choices.octet());
          case 3 -> takeAll();
          default -> arrive();
        }
        lane.runSoon();
        if (memory.used() >= 2 * MAX_HELD_BYTES) {
          throw new AssertionError("bytes counted: " + memory.used());
        }
      }
    }

    /** Delivers the bytes in two parts, if the fuzzer cuts them. */
    private void arrive() {
      ByteBuf bytes = client.arrives(BUFFERS);
      int cut = choices.octet();
      if (cut > 0 && cut < bytes.readableBytes()) {
        channel.writeInbound(bytes.readRetainedSlice(cut));
      }
      if (channel.isOpen()) {
        channel.writeInbound(bytes);
      } else {
        bytes.release();
      }
    }

    private void answer() {
      ClientRequest next = unanswered.poll();
      if (next == null) {
        return;
      }
      int version = next.client().version();
      int opcode = next.frame().opcode();
      next.frame().release();
      next.replyTo()
          .reply(
              switch (choices.below(4)) {
                case 0 -> CqlCodec.error(version, ErrorCode.SERVER_ERROR, "x".repeat(3000));
                case 1 ->
                    opcode == Opcode.STARTUP
                        ? FuzzedPeer.authenticate(version)
                        : CqlCodec.keyspaceSet(version, "ks");
                default ->
                    opcode == Opcode.AUTH_RESPONSE
                        ? FuzzedPeer.authSuccess(version)
                        : CqlCodec.ready(version);
              });
    }

    private void takeAll() {
      // An embedded channel removes its handlers while it reads, a real one afterwards.
      for (Object each = channel.readInbound(); each != null; each = channel.readInbound()) {
        if (each instanceof Frame late) {
          late.release();
        }
      }
      for (Object each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
        ReferenceCountUtil.release(each);
      }
    }

    void end() {
      // The first line needs no time, and the end may have one more.
      LIMITS.linesAtMost(2 + (lane.nanoTime() - began) / NANOS_A_LINE);
      lane.pass(20_000);
      channel.close();
      lane.pass(20_000);
      while (!unanswered.isEmpty()) {
        answer();
      }
      lane.pass(100_000);
      takeAll();
      channel.checkException();
      if (thrown != null) {
        throw new AssertionError("while a request was read", thrown);
      }
      isZero("internal faults", faults.count(Disconnect.INTERNAL));
      isZero("bytes counted for a client that is gone", memory.used());
      isZero("timers", lane.scheduled());
    }

    private static void isZero(String what, long value) {
      if (value != 0) {
        throw new AssertionError(what + ": " + value);
      }
    }

    @Override
    public Map<String, List<String>> supported() {
      return Map.of("CQL_VERSION", List.of("3.4.7"));
    }

    @Override
    public Handshake startup(ClientRequest startup, Map<String, String> options) {
      unanswered.add(startup);
      return new Handshake() {
        @Override
        public void authResponse(ClientRequest response) {
          ByteBuffer token = read(() -> CqlCodec.readAuthResponse(response.frame()));
          Identity claimed = token == null ? null : Identity.ofSaslToken(token);
          if (claimed != null) {
            response.client().authenticated(claimed);
          }
          unanswered.add(response);
        }

        @Override
        public void end() {
          // Nothing is held for the client.
        }
      };
    }

    /** A part that is read from a request. */
    private interface Reading<T extends @Nullable Object> {
      T read() throws StatementReader.UnknownStatement;
    }

    private <T extends @Nullable Object> @Nullable T read(Reading<T> reading) {
      try {
        return reading.read();
      } catch (StatementReader.UnknownStatement e) {
        return null;
      } catch (ProtocolError e) {
        throw e;
      } catch (Throwable e) {
        thrown = e;
        return null;
      }
    }

    @Override
    public void handle(ClientRequest request) {
      Frame frame = request.frame();
      read(() -> READER.read(frame, request.client(), VIEW));
      CqlRequest understood = read(() -> CqlRequest.of(frame));
      if (understood instanceof CqlRequest.Query || understood instanceof CqlRequest.Execute) {
        read(() -> ReadTemplate.of(frame).rest());
        read(() -> CqlRequest.payload(frame, "sluice"));
      }
      unanswered.add(request);
    }

    @Override
    public void registered(Client registered) {
      // The session records the client's events.
    }

    @Override
    public void gone(Client left) {
      // Nothing is held for the client.
    }
  }
}
