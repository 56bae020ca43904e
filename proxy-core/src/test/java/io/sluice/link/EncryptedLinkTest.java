package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelPipeline;
import io.netty.pkitesting.X509Bundle;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.SystemTime;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import io.sluice.tls.TlsListener;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of links with TLS to nodes on loopback, and of the reasons why links fail. */
class EncryptedLinkTest {

  private static final LinkKey ANYBODY = new LinkKey(Identity.ANONYMOUS, 4, null);

  private final TestCertificates authority = new TestCertificates();
  private final EventLoops loops = new EventLoops(1);
  private final Lane lane = loops.anyLane();

  @TempDir private Path folder;

  private @Nullable FakeNode fake;
  private @Nullable LinkPool pool;

  /** Requests a link and returns "ready", or the reason why there is none. */
  private final CompletableFuture<String> outcome = new CompletableFuture<>();

  private @Nullable Link link;

  private final class Waiter implements LinkWaiter {
    @Override
    public void ready(Link ready) {
      link = ready;
      outcome.complete("ready");
    }

    @Override
    public void failed(LinkFailure failure) {
      outcome.complete(failure.message());
    }
  }

  private static void quiet(ChannelPipeline pipeline, Tls tls) {
    tls.accept(
        pipeline,
        new TlsListener() {
          @Override
          public void secured() {}

          @Override
          public void failed(TlsCause cause, String reason) {}
        });
  }

  /** Starts a node with the certificate {@code own}. */
  private FakeNode node(X509Bundle own, ClientAuth auth) throws Exception {
    Path place = Files.createDirectories(folder.resolve("node"));
    TlsTrust trust = auth == ClientAuth.NONE ? TlsTrust.DEFAULT : authority.writeAuthority(place);
    Tls tls =
        Tls.load(
            TestCertificates.clients(
                Mode.REQUIRED, TestCertificates.write(place, "node", own), trust, auth));
    FakeNode started = new FakeNode(pipeline -> quiet(pipeline, tls));
    fake = started;
    return started;
  }

  private Tls trusting(TestCertificates authority, TlsKeys keys, HostCheck check) throws Exception {
    Path place = Files.createDirectories(folder.resolve("proxy"));
    return Tls.load(TestCertificates.nodes(keys, authority.writeAuthority(place), check));
  }

  private String linkTo(InetSocketAddress address, Tls tls) throws Exception {
    LinkPool opened =
        new LinkPool(
            loops,
            LinkTarget.NODE,
            tls,
            LinkConfig.defaults(),
            MemoryBudget.unlimited(),
            new SystemTime(),
            (id, suspect) -> {});
    pool = opened;
    Node node = new Node(new NodeId(new UUID(0, 1)), address, "dc", "r", true);
    lane.execute(() -> opened.acquire(lane, node, ANYBODY, new Waiter()));
    return outcome.get(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() {
    if (pool != null) {
      pool.close();
    }
    if (fake != null) {
      fake.close();
    }
    loops.close();
  }

  @Test
  void a_node_whose_certificate_contains_its_address_is_linked_and_used() throws Exception {
    FakeNode node = node(authority.issue(), ClientAuth.NONE);
    node.does(request -> CqlCodec.ready(request.version()));
    Tls tls = trusting(authority, TlsKeys.NONE, HostCheck.ADDRESS);

    assertThat(linkTo(node.address(), tls)).isEqualTo("ready");
    assertThat(tls.handshakes()).isOne();

    CompletableFuture<Integer> answered = new CompletableFuture<>();
    lane.execute(
        () ->
            Objects.requireNonNull(link)
                .send(
                    CqlCodec.query(4, "SELECT"),
                    new AnswerHandler() {
                      @Override
                      public void answered(Frame answer) {
                        answered.complete(answer.opcode());
                        answer.release();
                      }

                      @Override
                      public void lost(String reason) {
                        answered.completeExceptionally(new AssertionError(reason));
                      }
                    }));
    assertThat(answered.get(30, TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void a_node_of_another_address_is_refused() throws Exception {
    FakeNode node = node(authority.forOtherHost(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, HostCheck.ADDRESS);

    assertThat(linkTo(node.address(), tls)).contains("its certificate is for another host");
    assertThat(tls.failures(TlsCause.HOST)).isPositive();
  }

  @Test
  void a_node_is_verified_by_the_configured_name() throws Exception {
    FakeNode node = node(authority.forOtherHost(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, new HostCheck(true, "elsewhere.example"));
    assertThat(linkTo(node.address(), tls)).isEqualTo("ready");
  }

  @Test
  void a_certificate_with_the_address_and_not_the_name_is_refused() throws Exception {
    FakeNode node = node(authority.issue(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, new HostCheck(true, "elsewhere.example"));
    assertThat(linkTo(node.address(), tls)).contains("its certificate is for another host");
  }

  @Test
  void a_node_of_another_address_is_linked_where_names_are_not_verified() throws Exception {
    FakeNode node = node(authority.forOtherHost(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, new HostCheck(false, null));
    assertThat(linkTo(node.address(), tls)).isEqualTo("ready");
  }

  @Test
  void a_node_of_another_authority_is_refused_even_without_verified_names() throws Exception {
    FakeNode node = node(TestCertificates.OTHER.issue(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, new HostCheck(false, null));
    assertThat(linkTo(node.address(), tls)).contains("its certificate is not trusted");
    assertThat(tls.failures(TlsCause.UNTRUSTED)).isPositive();
  }

  @Test
  void a_node_whose_certificate_has_expired_is_refused() throws Exception {
    FakeNode node = node(authority.expired(), ClientAuth.NONE);
    Tls tls = trusting(authority, TlsKeys.NONE, HostCheck.ADDRESS);
    assertThat(linkTo(node.address(), tls)).contains("expired");
    assertThat(tls.failures(TlsCause.EXPIRED)).isPositive();
  }

  @Test
  void a_node_without_tls_is_refused() throws Exception {
    fake = new FakeNode();
    Tls tls = trusting(authority, TlsKeys.NONE, HostCheck.ADDRESS);
    assertThat(linkTo(fake.address(), tls)).contains("cannot connect to").contains("TLS handshake");
    assertThat(tls.handshakes()).isZero();
  }

  @Test
  void a_node_that_requires_tls_is_unreachable_without_it() throws Exception {
    FakeNode node = node(authority.issue(), ClientAuth.NONE);
    assertThat(linkTo(node.address(), Tls.off(io.sluice.tls.TlsConfig.Side.NODE)))
        .contains("closed the connection");
  }

  @Test
  void a_node_that_asks_for_a_certificate_gets_one() throws Exception {
    FakeNode node = node(authority.issue(), ClientAuth.REQUIRE);
    TlsKeys own =
        TestCertificates.write(
            Files.createDirectories(folder.resolve("own")), "own", authority.issue());
    assertThat(linkTo(node.address(), trusting(authority, own, HostCheck.ADDRESS)))
        .isEqualTo("ready");
  }

  /** With TLS 1.3 the refusal arrives after the handshake. */
  @Test
  void a_node_that_asks_for_a_certificate_and_gets_none_refuses() throws Exception {
    FakeNode node = node(authority.issue(), ClientAuth.REQUIRE);
    Tls tls = trusting(authority, TlsKeys.NONE, HostCheck.ADDRESS);
    assertThat(linkTo(node.address(), tls)).contains("refused by the other side");
    assertThat(tls.failures(TlsCause.REFUSED)).isOne();
  }
}
