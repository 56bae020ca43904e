package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the first bytes of a client, which decide whether it has a TLS engine. */
class TlsEntranceTest {

  private static final byte HANDSHAKE = 22;

  private final TlsCounts counts = new TlsCounts();
  private final List<String> told = new ArrayList<>();
  private final List<SslHandler> engines = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private boolean hasRoom = true;

  private final class Listener implements TlsListener {
    @Override
    public boolean begins() {
      told.add("begins");
      return hasRoom;
    }

    @Override
    public void secured() {
      told.add("secured");
    }

    @Override
    public void failed(TlsCause cause, String reason) {
      told.add("failed " + cause);
    }
  }

  private void accept(boolean takesPlain) {
    TlsOutcome outcome = new TlsOutcome(counts, new Listener(), true);
    channel
        .pipeline()
        .addLast("entrance", new TlsEntrance(buffers -> engine(), takesPlain, outcome))
        .addLast("outcome", outcome);
  }

  private SslHandler engine() {
    try {
      SSLEngine engine = SSLContext.getDefault().createSSLEngine();
      engine.setUseClientMode(false);
      engines.add(new SslHandler(engine));
      return engines.get(0);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has a default", e);
    }
  }

  private ByteBuf arrive(int... bytes) {
    ByteBuf buffer = Unpooled.buffer();
    for (int each : bytes) {
      buffer.writeByte(each);
    }
    channel.writeInbound(buffer);
    return buffer;
  }

  @AfterEach
  void close() {
    channel.close();
    channel.finishAndReleaseAll();
  }

  @Test
  void a_client_that_begins_with_a_handshake_has_an_engine_in_place_of_the_entrance() {
    accept(true);
    ByteBuf bytes = arrive(HANDSHAKE, 3);
    assertThat(told).containsExactly("begins");
    assertThat(channel.pipeline().names()).startsWith(TlsEntrance.NAME, "outcome");
    assertThat(channel.pipeline().get(TlsEntrance.NAME)).isSameAs(engines.get(0));
    assertThat(channel.inboundMessages()).as("the engine has taken the bytes").isEmpty();
    arrive(1);
    assertThat(engines).as("decided once").hasSize(1);
    assertThat(channel.isOpen()).isTrue();
    channel.close();
    assertThat(bytes.refCnt()).isZero();
  }

  /** An engine takes memory, which the proxy may not have for another handshake. */
  @Test
  void a_client_for_whose_handshake_there_is_no_room_is_closed_without_an_engine() {
    hasRoom = false;
    accept(true);
    ByteBuf bytes = arrive(HANDSHAKE, 3);
    assertThat(bytes.refCnt()).isZero();
    assertThat(channel.isOpen()).isFalse();
    assertThat(engines).isEmpty();
    assertThat(told).as("no failure of TLS").containsExactly("begins");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 21, 23, 22 + 128, 255})
  void any_other_first_byte_is_a_client_without_tls(int first) {
    accept(true);
    ByteBuf bytes = arrive(first, HANDSHAKE);
    assertThat(channel.<ByteBuf>readInbound()).isSameAs(bytes);
    assertThat(bytes.refCnt()).as("the reader owns it").isOne();
    bytes.release();
    assertThat(channel.pipeline().names()).doesNotContain("entrance", "outcome");
    assertThat(engines).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void a_client_without_tls_is_refused_where_tls_is_required() {
    accept(false);
    ByteBuf bytes = arrive(4, 0);
    assertThat(bytes.refCnt()).isZero();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.inboundMessages()).isEmpty();
    assertThat(told).containsExactly("failed PLAIN");
    assertThat(counts.failures(TlsCause.PLAIN)).isOne();
  }

  @Test
  void nothing_is_decided_before_the_first_byte() {
    accept(false);
    channel.writeInbound("no bytes");
    ByteBuf empty = arrive();
    assertThat(channel.<String>readInbound()).isEqualTo("no bytes");
    assertThat(channel.<ByteBuf>readInbound()).isSameAs(empty);
    empty.release();
    assertThat(channel.pipeline().names()).startsWith("entrance", "outcome");
    arrive(HANDSHAKE);
    assertThat(engines).hasSize(1);
  }

  @Test
  void the_first_byte_is_the_first_that_was_not_read() {
    accept(true);
    ByteBuf bytes = Unpooled.buffer().writeByte(HANDSHAKE).writeByte(4);
    channel.writeInbound(bytes.skipBytes(1));
    assertThat(channel.<ByteBuf>readInbound()).isSameAs(bytes);
    bytes.release();
    assertThat(engines).isEmpty();
  }
}
