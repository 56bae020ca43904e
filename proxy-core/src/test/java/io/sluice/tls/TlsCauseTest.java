package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which cause an exception of a handshake has, and what people are told of it. */
class TlsCauseTest {

  private static Arguments is(TlsCause cause, Throwable thrown) {
    return Arguments.of(cause, thrown);
  }

  private static SSLException ssl(String message) {
    return new SSLException(message);
  }

  static Stream<Arguments> causes() {
    return Stream.of(
        is(TlsCause.EXPIRED, new CertificateExpiredException("NotAfter: yesterday")),
        is(TlsCause.EXPIRED, new CertificateNotYetValidException("NotBefore: tomorrow")),
        is(TlsCause.UNTRUSTED, new CertPathBuilderException("no path")),
        is(TlsCause.UNTRUSTED, new CertPathValidatorException("no path")),
        is(TlsCause.UNTRUSTED, new CertificateException("anything")),
        is(TlsCause.HOST, new CertificateException("No subject alternative names present")),
        is(TlsCause.HOST, new CertificateException("No name matching a found")),
        is(TlsCause.PLAIN, new NotSslRecordException("not an SSL/TLS record")),
        is(TlsCause.PLAIN, ssl("Unrecognized SSL message, plaintext connection?")),
        is(TlsCause.TIMEOUT, new SslHandshakeTimeoutException("handshake timed out")),
        is(TlsCause.TIMEOUT, new SocketTimeoutException("Read timed out")),
        is(TlsCause.CLOSED, new ClosedChannelException()),
        is(TlsCause.CLOSED, ssl("Remote host terminated the handshake")),
        is(TlsCause.CLOSED, new IOException("Connection reset by peer")),
        is(TlsCause.REFUSED, ssl("Received fatal alert: unknown_ca")),
        is(TlsCause.REFUSED, ssl("Received close_notify during handshake")),
        is(TlsCause.REFUSED, ssl("Insufficient buffer for AEAD cipher fragment (2)")),
        is(TlsCause.NO_CERTIFICATE, ssl("Empty client certificate chain")),
        is(TlsCause.NO_CERTIFICATE, ssl("null cert chain")),
        is(TlsCause.PROTOCOL, ssl("No appropriate protocol")),
        is(TlsCause.PROTOCOL, ssl(null)),
        is(TlsCause.OTHER, new IllegalStateException("a fault")));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void an_exception_has_one_cause(TlsCause cause, Throwable thrown) {
    assertThat(TlsCause.of(thrown)).isEqualTo(cause);
  }

  /** The JDK wraps the reason of a certificate in an exception of the protocol. */
  @ParameterizedTest
  @MethodSource("causes")
  void the_innermost_exception_that_says_something_decides(TlsCause cause, Throwable thrown) {
    SSLException wrapped = new SSLHandshakeException("PKIX path validation failed");
    wrapped.initCause(new IllegalStateException("in between", thrown));
    assertThat(TlsCause.of(wrapped)).isEqualTo(cause == TlsCause.OTHER ? TlsCause.PROTOCOL : cause);
  }

  @Test
  void a_chain_of_causes_without_an_end_is_followed_for_a_while() {
    SSLException first = ssl("Received fatal alert: unknown_ca");
    IllegalStateException second = new IllegalStateException("round", first);
    first.initCause(second);
    assertThat(TlsCause.of(first)).isEqualTo(TlsCause.REFUSED);
    assertThat(TlsCause.REFUSED.explained(first)).startsWith("refused by the other side: ");
  }

  @Test
  void the_innermost_message_is_told_where_it_tells_more() {
    IllegalStateException wrapped =
        new IllegalStateException("outer", new IllegalStateException("inner", ssl(null)));
    assertThat(TlsCause.UNTRUSTED.explained(wrapped))
        .isEqualTo("its certificate is not trusted: inner");
    assertThat(TlsCause.UNTRUSTED.explained(null)).isEqualTo("its certificate is not trusted");
    assertThat(TlsCause.UNTRUSTED.explained(ssl(null))).isEqualTo("its certificate is not trusted");
    for (TlsCause plain : List.of(TlsCause.CLOSED, TlsCause.TIMEOUT, TlsCause.PLAIN)) {
      assertThat(plain.explained(wrapped)).doesNotContain("inner");
    }
  }

  @ParameterizedTest
  @EnumSource
  void each_cause_has_a_tag_and_a_count_of_its_own(TlsCause cause) {
    TlsCounts counts = new TlsCounts();
    counts.failed(cause);
    counts.failed(cause);
    for (TlsCause each : TlsCause.values()) {
      assertThat(counts.failures(each)).isEqualTo(each == cause ? 2 : 0);
    }
    assertThat(cause.tag()).matches("[a-z]+(-[a-z]+)?");
  }
}
