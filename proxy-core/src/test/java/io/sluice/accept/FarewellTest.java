package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import io.sluice.time.TestLane;
import io.sluice.tls.TlsConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the end of a client's connection whose output can be shut down alone. */
class FarewellTest {

  private final TestLane lane = new TestLane();
  private final FaultLog faults = new FaultLog(lane);
  private final List<String> log = new ArrayList<>();
  private final Duplex channel = new Duplex();
  private final Farewell farewell = new Farewell(channel, lane, faults, this::begins);

  private void begins() {
    assertThat(farewell.begun()).as("arriving frames are discarded").isTrue();
    log.add("begin");
  }

  /** The pending write; null after the client has taken it. */
  private @Nullable ChannelPromise pending;

  private boolean clientReads = true;

  /**
   * An embedded channel that notes what is done to it. Its handler holds a close back, as TLS does
   * for a client that does not read.
   */
  private final class Duplex extends EmbeddedChannel implements DuplexChannel {

    private boolean outputShutdown;

    Duplex() {
      config().setAutoRead(false);
      pipeline()
          .addLast(
              new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext ctx, Object message, ChannelPromise done) {
                  log.add("write");
                  pending = done;
                  if (clientReads) {
                    done.setSuccess();
                  }
                }

                @Override
                public void close(ChannelHandlerContext ctx, ChannelPromise done) {
                  log.add("a handler waits");
                }
              });
    }

    @Override
    public boolean isInputShutdown() {
      return false;
    }

    @Override
    public boolean isOutputShutdown() {
      return outputShutdown;
    }

    @Override
    public boolean isShutdown() {
      return outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput() {
      outputShutdown = true;
      log.add("shutdown");
      return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdownInput() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdown() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
      throw new UnsupportedOperationException();
    }
  }

  @AfterEach
  void close() {
    TlsConnection.closeAtOnce(channel);
    channel.finishAndReleaseAll();
    assertThat(log).as("a close waits for nothing").doesNotContain("a handler waits");
  }

  @Test
  void it_shuts_down_the_output_after_the_pending_writes_and_reads_on() {
    assertThat(farewell.begun() || farewell.isEnding()).isFalse();
    farewell.begin();
    assertThat(log).containsExactly("begin", "write", "shutdown");
    assertThat(farewell.begun() && farewell.isEnding()).isTrue();
    assertThat(farewell.isClosed()).isFalse();
    assertThat(channel.isActive()).isTrue();
    assertThat(channel.config().isAutoRead()).as("unread input would reset the socket").isTrue();
  }

  @Test
  void a_client_that_does_not_close_has_a_second() {
    farewell.begin();
    lane.pass(999);
    assertThat(channel.isActive()).isTrue();
    lane.pass(1);
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_client_that_does_not_read_has_five_seconds_to_take_the_pending_writes() {
    clientReads = false;
    farewell.begin();
    lane.pass(4_999);
    assertThat(channel.isActive()).isTrue();
    assertThat(channel.outputShutdown).isFalse();
    lane.pass(1);
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void the_second_begins_when_the_pending_writes_were_taken() {
    clientReads = false;
    farewell.begin();
    lane.pass(3_000);
    assertThat(pending).isNotNull();
    pending.setSuccess();
    assertThat(channel.outputShutdown).isTrue();
    lane.pass(999);
    assertThat(channel.isActive()).isTrue();
    lane.pass(1);
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_write_that_fails_with_the_connection_shuts_nothing_down() {
    clientReads = false;
    farewell.begin();
    TlsConnection.closeAtOnce(channel);
    assertThat(pending).isNotNull();
    pending.setFailure(new IOException("closed"));
    assertThat(log).containsExactly("begin", "write");
    assertThat(lane.scheduled()).as("no second is given").isEqualTo(1);
  }

  @Test
  void a_channel_without_an_output_of_its_own_is_closed_at_once() {
    EmbeddedChannel simple = new EmbeddedChannel();
    new Farewell(simple, lane, faults, () -> log.add("begin")).begin();
    assertThat(simple.isActive()).isFalse();
    assertThat(log).containsExactly("begin");
    simple.finishAndReleaseAll();
  }

  @Test
  void it_begins_once() {
    farewell.leave(Disconnect.PROTOCOL, "junk");
    farewell.leave(Disconnect.HANDSHAKE, "late");
    farewell.begin();
    assertThat(log).containsExactly("begin", "write", "shutdown");
    assertThat(faults.count(Disconnect.PROTOCOL)).isOne();
    assertThat(faults.count(Disconnect.HANDSHAKE)).isZero();
    assertThat(lane.scheduled()).isEqualTo(2);
  }

  @Test
  void a_disconnected_client_gets_nothing_more() {
    farewell.disconnect(Disconnect.MEMORY, "short");
    assertThat(log).isEmpty();
    assertThat(channel.isActive()).isFalse();
    assertThat(farewell.begun()).isFalse();
    assertThat(farewell.isEnding()).as("nothing can be written").isTrue();
    assertThat(farewell.isClosed()).isTrue();
    farewell.disconnect(Disconnect.MEMORY, "short");
    assertThat(faults.count(Disconnect.MEMORY)).as("counted once").isOne();
  }

  @Test
  void a_farewell_that_has_begun_can_be_cut_short() {
    farewell.begin();
    farewell.disconnect(Disconnect.MEMORY, "short");
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.MEMORY)).isOne();
  }

  @Test
  void an_end_now_has_no_reason() {
    farewell.now();
    assertThat(channel.isActive()).isFalse();
    assertThat(log).isEmpty();
    for (Disconnect each : Disconnect.values()) {
      assertThat(faults.count(each)).as("%s", each).isZero();
    }
  }

  @Test
  void a_failure_closes_at_once_and_is_a_fault_unless_it_is_of_the_socket() {
    farewell.broken(new IOException("reset"));
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.INTERNAL)).isZero();
    farewell.broken(new IllegalStateException("a fault"));
    assertThat(faults.count(Disconnect.INTERNAL)).isOne();
    assertThat(log).isEmpty();
  }
}
