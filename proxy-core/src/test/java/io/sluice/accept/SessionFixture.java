package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;

/** A client's connection, frame by frame, on a lane that the test controls. */
abstract class SessionFixture {

  /** STARTUP with CQL_VERSION 3.0.0, on stream 1. */
  static final String STARTUP =
      "04 00 0001 01 00000016 0001 000b 43514c5f56455253494f4e 0005 332e302e30";

  static final String QUERY = "04 00 %04x 07 00000008 00000001 78 0001 00";
  static final String OPTIONS = "04 00 0007 05 00000000";
  static final String AUTH_RESPONSE = "04 00 0002 0f 00000004 ffffffff";

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);

  final TestLane lane = new TestLane();
  final EmbeddedChannel channel = new EmbeddedChannel();
  final FakePath path = new FakePath();
  final FaultLog faults = new FaultLog(lane);
  final DriverCounts drivers = new DriverCounts();
  private final Places places = new Places(1);
  final MemoryBudget memory = new MemoryBudget(8 << 20);
  final Framing framing;
  final ClientSession session;
  boolean clientReads = true;

  SessionFixture() {
    ListenConfig config = new ListenConfig("h", 0, 1, 1 << 20, 4, 1 << 20, HANDSHAKE, 50);
    framing = FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, 1 << 20);
    // Only the session's own writes are examined here.
    channel.pipeline().remove("frame-reader");
    channel.pipeline().remove("frame-writer");
    channel.pipeline().addFirst(new Socket());
    ListenerContext context = new ListenerContext(config, path, faults, drivers, memory);
    session =
        new ClientSession(
            new ClientConnection(7, channel, Instant.EPOCH),
            lane,
            framing,
            context,
            Objects.requireNonNull(places.take("me"))::loggedIn);
    channel.pipeline().addLast(new ClientChannel(session));
  }

  /** Accepts writes only while the client reads. */
  private final class Socket extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof Frame frame) {
        written.add(frame);
      }
      ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
      if (clientReads) {
        ctx.flush();
      }
    }
  }

  private final List<Frame> written = new ArrayList<>();
  private final List<Frame> arrived = new ArrayList<>();

  void arrive(String hex) {
    arrive(TestFrames.of(hex));
  }

  void arrive(Frame frame) {
    arrived.add(frame);
    channel.writeInbound(frame);
    lane.runSoon();
  }

  void answer(ClientRequest request, Frame answer) {
    request.frame().release();
    request.replyTo().reply(answer);
    lane.runSoon();
  }

  /** Returns the client of the last request that the path has received. */
  Client client() {
    return path.last().client();
  }

  void makeReady() {
    arrive(STARTUP);
    answer(path.last(), CqlCodec.ready(4));
    assertThat(told()).containsExactly("1: opcode 2");
  }

  /** Returns the frames that the client has received since the last call. */
  List<String> told() {
    lane.runSoon();
    List<String> told = new ArrayList<>();
    for (Object each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
      if (!(each instanceof Frame out)) {
        continue; // The empty write after which a connection closes.
      }
      int code = Answers.errorCode(out);
      told.add(
          out.stream()
              + ": "
              + (code < 0
                  ? "opcode " + out.opcode()
                  : "%04x %s".formatted(code, Answers.errorMessage(out))));
      out.release();
    }
    return told;
  }

  @AfterEach
  void every_frame_is_released() {
    path.requests.forEach(
        request -> {
          if (!TestFrames.isReleased(request.frame())) {
            request.frame().release();
          }
        });
    assertThat(arrived.stream().filter(frame -> !TestFrames.isReleased(frame)).count()).isZero();
    channel.close();
    told();
    written.stream().filter(frame -> !TestFrames.isReleased(frame)).forEach(Frame::release);
    assertThat(memory.used()).as("bytes counted for a client that is gone").isZero();
  }
}
