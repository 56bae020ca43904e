package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the events of a TLS engine, without the engine. */
class TlsOutcomeTest {

  private static final SslHandshakeCompletionEvent SUCCESS = SslHandshakeCompletionEvent.SUCCESS;

  private final SSLException alert = new SSLException("Received fatal alert: bad_record");

  private final TlsCounts counts = new TlsCounts();
  private final RecordedOutcome told = new RecordedOutcome();
  private final List<Object> passedOn = new ArrayList<>();
  private TlsOutcome outcome = new TlsOutcome(counts, told, true);
  private EmbeddedChannel channel = channel();

  private EmbeddedChannel channel() {
    return new EmbeddedChannel(
        outcome,
        new ChannelInboundHandlerAdapter() {
          @Override
          public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            passedOn.add(event);
          }

          @Override
          public void channelInactive(ChannelHandlerContext ctx) {
            passedOn.add("inactive");
          }
        });
  }

  private void connectToNode() {
    outcome = new TlsOutcome(counts, told, false);
    channel = channel();
  }

  private void event(Object event) {
    channel.pipeline().fireUserEventTriggered(event);
  }

  private void lost() {
    channel.pipeline().fireChannelInactive();
    assertThat(passedOn).last().as("the rest of the pipeline hears of it").isEqualTo("inactive");
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    assertThat(told.reasons).as("told once").hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void a_handshake_is_under_way_until_it_succeeds() {
    assertThat(outcome.isUnderWay()).isTrue();
    event(SUCCESS);
    assertThat(outcome.isUnderWay()).isFalse();
    assertThat(told.secured).isTrue();
    assertThat(counts.handshakes.sum()).isOne();
  }

  @Test
  void a_handshake_is_under_way_until_it_fails() {
    event(new SslHandshakeCompletionEvent(alert));
    assertThat(outcome.isUnderWay()).isFalse();
    assertThat(told.secured).isFalse();
    assertThat(told.cause).isEqualTo(TlsCause.REFUSED);
    assertThat(told.reasons)
        .containsExactly(
            "TLS handshake: refused by the other side: Received fatal alert: bad_record");
    assertThat(counts.failures(TlsCause.REFUSED)).isOne();
    assertThat(counts.handshakes.sum()).isZero();
  }

  @Test
  void the_result_of_the_handshake_goes_no_further_and_other_events_do() {
    event(SUCCESS);
    event("another");
    assertThat(passedOn).containsExactly("another");
  }

  /** The engine reports one failure by an event and by an exception. */
  @Test
  void of_several_failures_the_first_is_told_and_counted() {
    event(new SslHandshakeCompletionEvent(alert));
    channel.pipeline().fireExceptionCaught(new SSLException("no cipher suites in common"));
    outcome.failed(TlsCause.TIMEOUT, null);
    assertThat(told.cause).isEqualTo(TlsCause.REFUSED);
    assertThat(counts.failures(TlsCause.REFUSED)).isOne();
    assertThat(counts.failures(TlsCause.PROTOCOL)).isZero();
    assertThat(counts.failures(TlsCause.TIMEOUT)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_exception_of_tls_ends_the_connection_and_goes_no_further(boolean decoding) {
    channel.pipeline().fireExceptionCaught(decoding ? new DecoderException(alert) : alert);
    channel.checkException();
    assertThat(told.cause).isEqualTo(TlsCause.REFUSED);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void other_exceptions_are_passed_on_as_they_are() {
    for (Throwable each :
        List.of(
            new IOException("reset"),
            new DecoderException("without a cause"),
            new DecoderException(new IOException("within")))) {
      channel.pipeline().fireExceptionCaught(each);
      assertThatThrownBy(channel::checkException).isSameAs(each);
    }
    assertThat(channel.isOpen()).isTrue();
    assertThat(told.reasons).isEmpty();
  }

  @Test
  void a_client_that_was_lost_before_the_handshake_was_over_is_not_told_here() {
    lost();
    assertThat(told.reasons).isEmpty();
  }

  @Test
  void a_client_that_closes_right_after_the_handshake_may_not_trust_the_certificate() {
    event(SUCCESS);
    lost();
    assertThat(told.cause).isEqualTo(TlsCause.CLOSED);
    lost();
    assertThat(counts.failures(TlsCause.CLOSED)).as("counted once").isOne();
    assertThat(counts.handshakes.sum()).as("it was a handshake nevertheless").isOne();
  }

  @Test
  void a_client_that_refused_after_the_handshake_is_told_once() {
    event(SUCCESS);
    channel.pipeline().fireExceptionCaught(alert);
    lost();
    assertThat(told.cause).isEqualTo(TlsCause.REFUSED);
    assertThat(counts.failures(TlsCause.CLOSED)).isZero();
  }

  /** The bytes reach the reader too. */
  @Test
  void a_client_that_has_sent_something_trusts_the_certificate() {
    event(SUCCESS);
    channel.writeInbound("ask");
    assertThat(channel.<String>readInbound()).isEqualTo("ask");
    lost();
    assertThat(told.reasons).isEmpty();
  }

  @Test
  void a_client_that_the_proxy_disconnects_is_no_failure() {
    event(SUCCESS);
    channel.close();
    assertThat(channel.isOpen()).isFalse();
    assertThat(passedOn).containsExactly("inactive");
    assertThat(told.reasons).isEmpty();
  }

  /** The proxy speaks first there, so the node has nothing to send yet. */
  @Test
  void a_node_that_closes_right_after_the_handshake_is_no_failure_of_tls() {
    connectToNode();
    event(SUCCESS);
    lost();
    assertThat(told.reasons).isEmpty();
  }

  @Test
  void the_listener_decides_whether_a_handshake_begins() {
    assertThat(outcome.begins()).isTrue();
    TlsListener full =
        new TlsListener() {
          @Override
          public boolean begins() {
            return false;
          }

          @Override
          public void secured() {}

          @Override
          public void failed(TlsCause cause, String reason) {}
        };
    assertThat(new TlsOutcome(counts, full, true).begins()).isFalse();
  }
}
