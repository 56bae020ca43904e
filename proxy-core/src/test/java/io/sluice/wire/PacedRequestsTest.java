package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that {@link FrameReader} passes on only so many of the requests that have arrived. */
class PacedRequestsTest {

  private static final byte[] OPTIONS = WireEnd.bytes("05 00 0001 05 00000000");

  /** As many as fit into a segment. */
  private static final int IN_A_SEGMENT = 14_000;

  private final AtomicInteger passed = new AtomicInteger();

  /** The requests that were passed on before each read. */
  private final List<Integer> reads = new ArrayList<>();

  /** The number of requests after which the connection stops reading. */
  private int stopsAt = Integer.MAX_VALUE;

  private WireEnd end = counting(WireEnd.inSegments(Compression.LZ4));

  private WireEnd counting(WireEnd counted) {
    counted
        .channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                reads.add(passed.get());
                ctx.read();
              }
            })
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                ((Frame) message).release();
                if (passed.incrementAndGet() == stopsAt) {
                  ctx.channel().config().setAutoRead(false);
                }
              }
            });
    return counted;
  }

  @AfterEach
  void every_buffer_is_released() {
    assertThat(end.heldAfterClose()).isZero();
  }

  private static byte[] times(int count, byte[] each) {
    return WireEnd.joined(Collections.nCopies(count, each).toArray(byte[][]::new));
  }

  private static byte[] segment() {
    return WireEnd.segment(Compression.LZ4, true, times(IN_A_SEGMENT, OPTIONS));
  }

  /** Delivers bytes without the further turns of the event loop. */
  private void arrive(byte[] bytes) {
    ByteBuf arrived = end.buffers.directBuffer().writeBytes(bytes);
    end.channel.pipeline().fireChannelRead(arrived);
  }

  private void readComplete() {
    end.channel.pipeline().fireChannelReadComplete();
  }

  @Test
  void a_turn_of_the_event_loop_passes_on_some_requests_and_further_turns_the_rest() {
    arrive(times(3, segment()));
    assertThat(passed).as("of the first turn").hasPositiveValue().hasValueLessThan(600);
    readComplete();
    end.channel.runPendingTasks();
    assertThat(passed).hasValue(3 * IN_A_SEGMENT);
    assertThat(reads).as("reads, and what was passed on before").containsExactly(3 * IN_A_SEGMENT);
  }

  @Test
  void no_further_segment_is_decompressed_before_its_turn() {
    byte[] three = times(3, segment());
    arrive(three);
    assertThat(end.buffers.held()).as("the read and one segment").isEqualTo(2);
    assertThat(end.framing.unfinishedBytes())
        .isBetween(IN_A_SEGMENT * OPTIONS.length, IN_A_SEGMENT * OPTIONS.length + three.length);
    readComplete();
    end.channel.runPendingTasks();
    assertThat(end.framing.unfinishedBytes()).isZero();
  }

  @Test
  void a_connection_that_stops_reading_gets_no_further_request_until_it_reads_again() {
    stopsAt = 100;
    end.arrive(times(2, segment()));
    assertThat(passed).hasValue(100);
    end.channel.config().setAutoRead(true);
    end.channel.runPendingTasks();
    assertThat(passed).hasValue(2 * IN_A_SEGMENT);
  }

  @Test
  void plain_frames_of_one_read_wait_too() {
    end = counting(WireEnd.server());
    stopsAt = 3;
    byte[] plain = WireEnd.bytes("04 00 0001 05 00000000");
    end.arrive(times(10, plain)).arrive(times(10, plain));
    assertThat(passed).hasValue(3);
    end.channel.config().setAutoRead(true);
    end.channel.runPendingTasks();
    assertThat(passed).hasValue(20);
  }

  @Test
  void a_connection_that_closes_releases_what_it_has_not_passed_on() {
    stopsAt = 100;
    end.arrive(times(2, segment()));
    assertThat(end.buffers.held()).isEqualTo(2);
  }

  @Test
  void answers_of_a_node_do_not_wait() {
    WireEnd node = counting(WireEnd.client());
    stopsAt = 1;
    byte[] answer = WireEnd.bytes("84 00 0001 06 00000000");
    node.arrive(times(2_000, answer));
    assertThat(passed).hasValue(2_000);
    assertThat(node.heldAfterClose()).isZero();
  }
}
