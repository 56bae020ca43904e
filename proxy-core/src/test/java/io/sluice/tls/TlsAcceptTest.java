package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.pkitesting.X509Bundle;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of clients of a port with TLS, and of the causes of failed handshakes. */
class TlsAcceptTest {

  /** OPTIONS of protocol v4. */
  private static final byte[] CQL = {4, 0, 0, 0, 5, 0, 0, 0, 0};

  private final TestCertificates authority = new TestCertificates();
  private final RecordedOutcome outcome = new RecordedOutcome();

  @TempDir private Path folder;

  private Tls port(Mode mode, X509Bundle own, ClientAuth auth) {
    TlsTrust trust = auth == ClientAuth.NONE ? TlsTrust.DEFAULT : authority.writeAuthority(folder);
    return Tls.load(
        TestCertificates.clients(mode, TestCertificates.write(folder, "tls", own), trust, auth));
  }

  private Tls port(Mode mode) {
    return port(mode, authority.issue(), ClientAuth.NONE);
  }

  private TlsPeer connect(Tls port, SSLContext client) {
    SSLEngine engine = client.createSSLEngine("localhost", 9042);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    TlsPeer peer = new TlsPeer(engine);
    port.accept(peer.channel.pipeline(), outcome);
    return peer.withReader();
  }

  private void refused(Tls port, TlsPeer peer, TlsCause cause) {
    assertThat(outcome.secured).isFalse();
    assertThat(outcome.cause).isEqualTo(cause);
    assertThat(outcome.reasons).as("told once").hasSize(1);
    assertThat(port.failures(cause)).isOne();
    assertThat(port.handshakes()).isZero();
    assertThat(peer.channel.isOpen()).isFalse();
    assertThat(peer.read).as("nothing reaches the reader").isEmpty();
    peer.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OPTIONAL", "REQUIRED"})
  void a_client_with_tls_connects(Mode mode) throws Exception {
    Tls port = port(mode);
    try (TlsPeer peer = connect(port, authority.client())) {
      peer.exchange();
      assertThat(outcome.secured).isTrue();
      assertThat(port.handshakes()).isOne();

      peer.send(peer.wrapped("ask"));
      assertThat(peer.read).containsExactly("ask");
      peer.channel.writeOutbound(Unpooled.copiedBuffer("answer", StandardCharsets.UTF_8));
      peer.exchange();
      assertThat(peer.heard()).isEqualTo("answer");
      assertThat(outcome.reasons).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_client_hello_may_arrive_byte_by_byte(String version) throws Exception {
    Tls port = port(Mode.OPTIONAL);
    try (TlsPeer peer = connect(port, authority.client()).byteAtATime()) {
      peer.engine().setEnabledProtocols(new String[] {version});
      peer.exchange();
      assertThat(outcome.secured).isTrue();
      peer.send(peer.wrapped("ask"));
      assertThat(String.join("", peer.read)).isEqualTo("ask");
    }
  }

  @Test
  void plain_cql_is_served_where_tls_is_optional() {
    Tls port = port(Mode.OPTIONAL);
    try (TlsPeer peer = connect(port, authority.client()).byteAtATime()) {
      peer.send(CQL);
      assertThat(String.join("", peer.read)).isEqualTo(new String(CQL, StandardCharsets.UTF_8));
      assertThat(peer.channel.pipeline().names()).noneMatch(name -> name.startsWith("tls"));
      assertThat(outcome.secured || outcome.cause != null).isFalse();
    }
  }

  @Test
  void plain_cql_is_closed_where_tls_is_required() {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, authority.client());
    peer.send(CQL);
    refused(port, peer, TlsCause.PLAIN);
  }

  @Test
  void a_client_that_sends_nothing_needs_no_engine() {
    Tls port = port(Mode.REQUIRED);
    try (TlsPeer peer = connect(port, authority.client())) {
      assertThat(peer.channel.pipeline().get(io.netty.handler.ssl.SslHandler.class)).isNull();
      assertThat(TlsConnection.giveUp(peer.channel)).as("no handshake is under way").isFalse();
      peer.channel.close();
      assertThat(outcome.cause).isNull();
    }
  }

  @Test
  void a_client_that_closes_during_the_handshake_is_reported_as_closed() throws Exception {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, authority.client());
    byte[] hello = peer.wrapped("");
    peer.send(Arrays.copyOf(hello, hello.length / 2));
    peer.channel.close();
    refused(port, peer, TlsCause.CLOSED);
  }

  /** OpenSSL clients do this with TLS 1.3 when they do not trust the certificate. */
  @Test
  void an_alert_in_plain_text_is_a_refusal() throws Exception {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, authority.client());
    peer.send(peer.wrapped(""));
    byte[] unknownAuthority = {21, 3, 3, 0, 2, 2, 48};
    peer.send(unknownAuthority);
    refused(port, peer, TlsCause.REFUSED);
  }

  /** Callers of OpenSSL do this when they check the certificate themselves. */
  @Test
  void a_client_that_closes_right_after_the_handshake_is_a_failure() throws Exception {
    Tls port = port(Mode.REQUIRED);
    try (TlsPeer peer = connect(port, authority.client())) {
      peer.exchange();
      peer.channel.pipeline().fireChannelInactive();
      assertThat(outcome.cause).isEqualTo(TlsCause.CLOSED);
      assertThat(outcome.reasons).singleElement().asString().contains("right after the handshake");
      assertThat(port.failures(TlsCause.CLOSED)).isOne();
    }
  }

  @Test
  void a_client_that_has_sent_bytes_or_is_disconnected_by_the_proxy_is_no_failure()
      throws Exception {
    Tls port = port(Mode.REQUIRED);
    try (TlsPeer asking = connect(port, authority.client())) {
      asking.exchange();
      asking.send(asking.wrapped("ask"));
      asking.channel.pipeline().fireChannelInactive();
    }
    try (TlsPeer sentAway = connect(port, authority.client())) {
      sentAway.exchange();
      sentAway.channel.close();
    }
    assertThat(outcome.reasons).isEmpty();
  }

  /**
   * Without close_notify a client cannot distinguish the end of the responses from a truncation.
   */
  @Test
  void the_end_of_the_output_is_sent_before_the_connection_ends() throws Exception {
    try (TlsPeer peer = connect(port(Mode.REQUIRED), authority.client())) {
      peer.exchange();
      List<Boolean> silent = new ArrayList<>();
      TlsConnection.endOutput(
          peer.channel, () -> silent.add(peer.channel.outboundMessages().isEmpty()));
      peer.channel.runPendingTasks();
      assertThat(silent).as("whether nothing had been sent").containsExactly(false);
    }
  }

  @Test
  void half_a_handshake_ends_with_its_deadline() throws Exception {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, authority.client());
    byte[] hello = peer.wrapped("");
    peer.send(Arrays.copyOf(hello, hello.length / 2));
    assertThat(peer.channel.isOpen()).isTrue();

    assertThat(TlsConnection.giveUp(peer.channel)).isTrue();

    refused(port, peer, TlsCause.TIMEOUT);
  }

  @Test
  void a_client_that_leaves_in_its_handshake_is_counted() throws Exception {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, authority.client());
    peer.send(peer.wrapped(""));
    peer.channel.close();
    refused(port, peer, TlsCause.CLOSED);
  }

  @Test
  void bytes_that_only_begin_like_tls_are_refused() {
    Tls port = port(Mode.OPTIONAL);
    SSLContext context = authority.client();
    for (int seed = 0; seed < 100; seed++) {
      RecordedOutcome of = new RecordedOutcome();
      byte[] bytes = new byte[200];
      new Random(seed).nextBytes(bytes);
      bytes[0] = 22;
      TlsPeer peer = new TlsPeer(context.createSSLEngine());
      port.accept(peer.channel.pipeline(), of);
      peer.withReader().send(bytes);
      peer.channel.close();
      assertThat(of.secured).isFalse();
      assertThat(of.reasons).as("seed %d", seed).hasSize(1);
      assertThat(peer.read).isEmpty();
      peer.close();
    }
  }

  @Test
  void a_client_that_trusts_another_authority_refuses() {
    Tls port = port(Mode.REQUIRED);
    TlsPeer peer = connect(port, TestCertificates.OTHER.client());
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.REFUSED);
    assertThat(outcome.reasons.get(0)).contains("refused by the other side");
  }

  @Test
  void a_client_refuses_a_certificate_that_has_expired() {
    Tls port = port(Mode.REQUIRED, authority.expired(), ClientAuth.NONE);
    TlsPeer peer = connect(port, authority.client());
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.REFUSED);
  }

  @Test
  void a_client_refuses_a_certificate_of_another_host() {
    Tls port = port(Mode.REQUIRED, authority.forOtherHost(), ClientAuth.NONE);
    TlsPeer peer = connect(port, authority.client());
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.REFUSED);
  }

  @Test
  void an_old_version_of_the_protocol_is_refused() throws Exception {
    Tls port =
        Tls.load(
            new TlsConfig(
                TlsConfig.Side.CLIENT,
                Mode.REQUIRED,
                TestCertificates.write(folder, "tls", authority.issue()),
                TlsTrust.DEFAULT,
                ClientAuth.NONE,
                HostCheck.ADDRESS,
                java.util.List.of("TLSv1.3"),
                java.util.List.of()));
    TlsPeer peer = connect(port, authority.client());
    peer.engine().setEnabledProtocols(new String[] {"TLSv1.2"});
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.PROTOCOL);
  }

  @ParameterizedTest
  @EnumSource(
      value = ClientAuth.class,
      names = {"WANT", "REQUIRE"})
  void a_client_with_a_certificate_of_the_authority_connects(ClientAuth auth) throws Exception {
    Tls port = port(Mode.REQUIRED, authority.issue(), auth);
    try (TlsPeer peer = connect(port, authority.peer(authority.issue()))) {
      peer.exchange();
      assertThat(outcome.secured).isTrue();
      assertThat(peer.engine().getSession().getLocalCertificates()).as("what it showed").hasSize(1);
    }
  }

  @Test
  void a_client_without_a_certificate_connects_where_it_is_optional() throws Exception {
    Tls port = port(Mode.REQUIRED, authority.issue(), ClientAuth.WANT);
    try (TlsPeer peer = connect(port, authority.client())) {
      peer.exchange();
      assertThat(outcome.secured).isTrue();
    }
  }

  @Test
  void a_client_without_a_certificate_is_refused_where_it_is_required() {
    Tls port = port(Mode.REQUIRED, authority.issue(), ClientAuth.REQUIRE);
    TlsPeer peer = connect(port, authority.client());
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.NO_CERTIFICATE);
  }

  @Test
  void a_client_whose_certificate_has_expired_is_refused() {
    Tls port = port(Mode.REQUIRED, authority.issue(), ClientAuth.REQUIRE);
    TlsPeer peer = connect(port, authority.peer(authority.expired()));
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.EXPIRED);
  }

  @Test
  void a_client_with_a_certificate_of_another_authority_is_refused() throws Exception {
    Tls port = port(Mode.REQUIRED, authority.issue(), ClientAuth.REQUIRE);
    X509Bundle foreign = TestCertificates.OTHER.issue();
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(
        new javax.net.ssl.KeyManager[] {new OneCertificate(foreign)},
        authority.trustManagers(),
        null);
    TlsPeer peer = connect(port, client);
    assertThatThrownBy(peer::exchange).isInstanceOf(SSLException.class);
    refused(port, peer, TlsCause.UNTRUSTED);
  }
}
