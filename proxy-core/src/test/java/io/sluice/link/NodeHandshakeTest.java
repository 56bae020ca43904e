package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the handshake on a new connection to a node, and of its outcomes. */
class NodeHandshakeTest {

  private static final Identity ALICE = Identity.plain("alice", "secret");
  private static final UUID NODE = new UUID(0, 1);
  private static final int HEADER_BYTES = 9;

  private final TestLane lane = new TestLane();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> log = new ArrayList<>();

  private String start(Identity identity, @Nullable String keyspace, Compression compression) {
    return start(LinkTarget.NODE, identity, keyspace, compression);
  }

  /** Starts the handshake and returns its first frame. */
  private String start(
      LinkTarget target, Identity identity, @Nullable String keyspace, Compression compression) {
    LinkConfig quick = SilenceWatchTest.QUICK;
    LinkConfig config =
        new LinkConfig(
            compression,
            Duration.ofMillis(200),
            quick.probeAfter(),
            quick.suspectAfter(),
            quick.dropAfter(),
            quick.idleAfter());
    Framing framing = FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().remove("frame-reader");
    NodePulse pulse = new NodePulse(new NodeId(NODE), config, lane, (n, s) -> {});
    Link link = new Link(pulse, 4, channel, lane, lane, config, bytes -> {});
    channel.pipeline().addLast(link);
    LinkKey key = new LinkKey(identity, 4, keyspace);
    NodeHandshake.start(
        link,
        target,
        key,
        framing,
        config,
        lane,
        new LinkWaiter() {
          @Override
          public void ready(Link ready) {
            log.add("ready");
          }

          @Override
          public void failed(LinkFailure failure) {
            log.add("%x %s".formatted(failure.errorCode(), failure.message()));
          }
        });
    return sent();
  }

  private String start() {
    return start(Identity.ANONYMOUS, null, Compression.NONE);
  }

  /** Returns the opcode and the body as text of the one frame that was sent since. */
  private String sent() {
    lane.runSoon();
    ByteBuf frame = channel.readOutbound();
    String said =
        "%02x %s"
            .formatted(
                frame.getByte(4),
                frame.toString(
                    HEADER_BYTES,
                    frame.readableBytes() - HEADER_BYTES,
                    StandardCharsets.ISO_8859_1));
    frame.release();
    return said;
  }

  private void answer(Frame frame) {
    channel.writeInbound(frame.onStream(0));
    assertThat(TestFrames.isReleased(frame)).as("the answer is released").isTrue();
  }

  /** Gives the host id by which the node is known, when asked for it. */
  private void identify() {
    assertThat(sent()).startsWith("07").contains("SELECT host_id FROM system.local");
    answer(TestFrames.hostId(4, NODE));
  }

  /** Returns a response without a body. */
  private static Frame bare(int opcode) {
    return TestFrames.of("84000000%02x00000000".formatted(opcode));
  }

  @AfterEach
  void no_timeout_is_left() {
    channel.finishAndReleaseAll();
    assertThat(log).as("told once").hasSizeLessThanOrEqualTo(1);
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void a_node_that_asks_for_nothing_is_ready_at_once() {
    assertThat(start()).startsWith("01").contains("CQL_VERSION").doesNotContain("COMPRESSION");
    answer(CqlCodec.ready(4));
    identify();
    assertThat(log).containsExactly("ready");
  }

  /** The node would take the proxy's certificate for the client's. */
  @Test
  void an_authenticator_by_certificate_is_sent_no_proof() {
    start(ALICE, null, Compression.NONE);
    answer(authenticate("org.apache.cassandra.auth.MutualTlsAuthenticator"));
    assertThat(channel.outboundMessages()).as("nothing is sent").isEmpty();
    assertThat(log.get(0))
        .startsWith("%x ".formatted(ErrorCode.BAD_CREDENTIALS))
        .contains("MutualTlsAuthenticator", "which a proxy cannot show");
  }

  @Test
  void an_authenticator_with_passwords_too_is_sent_one_over_a_link_without_a_certificate() {
    start(ALICE, null, Compression.NONE);
    answer(authenticate("org.apache.cassandra.auth.MutualTlsWithPasswordFallbackAuthenticator"));
    assertThat(sent()).startsWith("0f").contains("alice");
    answer(bare(Opcode.AUTH_SUCCESS));
    identify();
    assertThat(log).containsExactly("ready");
  }

  private static Frame authenticate(String authenticator) {
    byte[] name = authenticator.getBytes(StandardCharsets.US_ASCII);
    return TestFrames.of(
        "8400000003%08x%04x%s"
            .formatted(
                name.length + Short.BYTES, name.length, java.util.HexFormat.of().formatHex(name)));
  }

  @Test
  void compression_is_asked_for_where_the_version_has_it() {
    assertThat(start(Identity.ANONYMOUS, null, Compression.LZ4)).contains("COMPRESSION", "lz4");
  }

  @Test
  void the_client_s_token_is_replayed() {
    start(ALICE, null, Compression.NONE);
    answer(bare(Opcode.AUTHENTICATE));
    assertThat(sent()).startsWith("0f").endsWith("\0alice\0secret");
    answer(bare(Opcode.AUTH_SUCCESS));
    identify();
    assertThat(log).containsExactly("ready");
  }

  @Test
  void an_authenticator_with_a_challenge_is_not_supported() {
    start(ALICE, null, Compression.NONE);
    answer(bare(Opcode.AUTHENTICATE));
    sent();
    answer(bare(Opcode.AUTH_CHALLENGE));
    assertThat(log)
        .containsExactly(
            "100 The cluster's authenticator asks for more than one answer: Sluice can replay"
                + " PLAIN only");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_keyspace_is_used_in_its_exact_name() {
    start(Identity.ANONYMOUS, "Odd\"Name", Compression.NONE);
    answer(CqlCodec.ready(4));
    identify();
    assertThat(sent()).startsWith("07").contains("USE \"Odd\"\"Name\"");
    answer(TestFrames.used(4, "Odd\"Name"));
    assertThat(log).containsExactly("ready");
  }

  /** The address of a dead node may pass to another node, perhaps of another cluster. */
  @Test
  void a_link_to_another_node_is_not_used() {
    start(ALICE, "ks", Compression.NONE);
    answer(CqlCodec.ready(4));
    sent();
    answer(TestFrames.hostId(4, new UUID(0, 7)));
    assertThat(channel.outboundMessages()).as("no further request").isEmpty();
    assertThat(log)
        .containsExactly(
            "ffffffff another node listens there: host id 00000000-0000-0000-0000-000000000007"
                + " instead of 00000000-0000-0000-0000-000000000001");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_node_without_a_host_id_is_another_node() {
    start();
    answer(CqlCodec.ready(4));
    sent();
    answer(TestFrames.hostId(4, null));
    assertThat(log).hasSize(1).first().asString().contains("host id null instead of");
  }

  /** A node that cannot read its own table now may be able to do so soon. */
  @Test
  void an_overloaded_node_that_does_not_say_its_host_id_has_not_refused_the_keyspace() {
    start(ALICE, "ks", Compression.NONE);
    answer(CqlCodec.ready(4));
    sent();
    answer(CqlCodec.error(4, ErrorCode.OVERLOADED, "later"));
    assertThat(log).containsExactly("1001 later");
  }

  /** With {@code cql.homes}, links lead to proxies too, whose ids are not host ids. */
  @Test
  void a_proxy_is_not_asked_for_a_host_id() {
    start(LinkTarget.PROXY, Identity.ANONYMOUS, null, Compression.NONE);
    answer(CqlCodec.ready(4));
    assertThat(channel.outboundMessages()).isEmpty();
    assertThat(log).containsExactly("ready");
  }

  @Test
  void an_error_is_the_node_s_own_refusal() {
    start();
    answer(CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "who are you?"));
    assertThat(log).containsExactly("100 who are you?");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void an_answer_that_makes_no_sense_is_no_refusal() {
    start();
    answer(CqlCodec.supported(4, Map.of()));
    assertThat(log).containsExactly("ffffffff unexpected answer to STARTUP, opcode 6");
  }

  @Test
  void an_answer_that_ends_too_early_is_no_refusal() {
    start();
    answer(TestFrames.of("840000000000000004 00000100"));
    assertThat(log).hasSize(1).first().asString().startsWith("ffffffff the node's answer");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_node_that_does_not_finish_is_given_up() {
    start();
    lane.pass(199);
    assertThat(log).isEmpty();
    lane.pass(1);
    assertThat(log).containsExactly("ffffffff the node did not finish STARTUP");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void the_request_that_a_silent_node_does_not_answer_is_named() {
    start(ALICE, "ks", Compression.NONE);
    answer(bare(Opcode.AUTHENTICATE));
    sent();
    lane.pass(200);
    assertThat(log).containsExactly("ffffffff the node did not finish SASL");
  }

  @Test
  void a_silent_node_after_the_login_has_not_finished_use() {
    start(ALICE, "ks", Compression.NONE);
    answer(bare(Opcode.AUTHENTICATE));
    sent();
    answer(bare(Opcode.AUTH_SUCCESS));
    identify();
    sent();
    lane.pass(200);
    assertThat(log).containsExactly("ffffffff the node did not finish USE");
  }

  @Test
  void a_broken_connection_is_reported() {
    start();
    channel.close();
    assertThat(log).containsExactly("ffffffff the node closed the connection");
  }
}
