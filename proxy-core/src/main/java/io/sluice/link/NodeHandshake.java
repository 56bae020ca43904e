package io.sluice.link;

import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.TableName;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handshake on a new connection to a node: STARTUP, the replayed SASL token if the node asks
 * for it, a query for the node's host id, and USE. Addresses pass from one node to another, and a
 * request must not reach a node that is not the one it was meant for, perhaps of another cluster.
 * Not safe for several threads: one lane.
 */
final class NodeHandshake implements AnswerHandler {

  private static final Logger LOG = LoggerFactory.getLogger(NodeHandshake.class);

  private static final String CQL_VERSION = "3.0.0";

  /** Every role may read this table. */
  private static final String HOST_ID = "SELECT host_id FROM system.local";

  private final Link link;
  private final boolean identified;
  private final LinkKey key;
  private final LinkWaiter waiter;
  private final Timer.Timeout timeout;
  private boolean over;
  private Step step = Step.STARTUP;

  /** The request that the node is expected to answer. */
  private enum Step {
    STARTUP,
    SASL,
    HOST_ID,
    USE
  }

  private NodeHandshake(
      Link link, boolean identified, LinkKey key, LinkConfig config, Lane lane, LinkWaiter waiter) {
    this.link = link;
    this.identified = identified;
    this.key = key;
    this.waiter = waiter;
    this.timeout =
        lane.schedule(
            config.connectTimeout().toNanos(), () -> fail(-1, "the node did not finish " + step));
  }

  /** Starts the handshake. {@code waiter} is called with the result, on the link's lane. */
  static void start(
      Link link,
      LinkTarget target,
      LinkKey key,
      Framing framing,
      LinkConfig config,
      Lane lane,
      LinkWaiter waiter) {
    NodeHandshake handshake =
        new NodeHandshake(link, target == LinkTarget.PROXY, key, config, lane, waiter);
    Map<String, String> options = new HashMap<>();
    options.put("CQL_VERSION", CQL_VERSION);
    options.put("DRIVER_NAME", "Sluice");
    Compression compression = config.compression();
    if (compression != Compression.NONE
        && Compression.named(compression.algorithm(), key.version()) == compression) {
      options.put("COMPRESSION", compression.algorithm());
      framing.compression(compression);
    }
    handshake.send(CqlCodec.startup(key.version(), options));
  }

  /** Sends only USE, on a link that needs nothing else any more. */
  static void use(Link link, LinkKey key, LinkConfig config, Lane lane, LinkWaiter waiter) {
    new NodeHandshake(link, true, key, config, lane, waiter).use();
  }

  private void send(Frame frame) {
    if (link.send(frame, this) < 0) {
      fail(-1, "the node closed the connection during " + step);
    }
  }

  @Override
  public void answered(Frame answer) {
    try {
      heard(answer);
    } catch (RuntimeException e) {
      fail(-1, "the node's answer in the handshake cannot be read: " + e.getMessage());
    } finally {
      answer.release();
    }
  }

  private void heard(Frame answer) {
    switch (answer.opcode()) {
      case Opcode.READY, Opcode.AUTH_SUCCESS -> identify();
      case Opcode.AUTHENTICATE -> authenticate(answer);
      case Opcode.RESULT -> completed(answer);
      case Opcode.ERROR ->
          refused(new LinkFailure(Answers.errorCode(answer), Answers.errorMessage(answer)));
      case Opcode.AUTH_CHALLENGE ->
          fail(
              ErrorCode.BAD_CREDENTIALS,
              "The cluster's authenticator asks for more than one answer: Sluice can replay"
                  + " PLAIN only");
      default -> fail(-1, "unexpected answer to " + step + ", opcode " + answer.opcode());
    }
  }

  private void authenticate(Frame answer) {
    String refused = link.loginRefused(answer);
    if (refused == null) {
      step = Step.SASL;
      send(CqlCodec.authResponse(key.version(), key.identity()));
    } else {
      fail(ErrorCode.BAD_CREDENTIALS, refused);
    }
  }

  private void refused(LinkFailure failure) {
    if (step != Step.USE || !failure.refused()) {
      fail(failure.errorCode(), failure.message());
    } else if (!over) {
      over = true;
      timeout.cancel();
      waiter.keyspaceRefused(link, failure);
    }
  }

  private void identify() {
    if (identified) {
      use();
    } else {
      step = Step.HOST_ID;
      send(CqlCodec.query(key.version(), HOST_ID));
    }
  }

  private void completed(Frame result) {
    if (step == Step.USE) {
      finish();
      return;
    }
    UUID hostId = hostId(result);
    if (link.node().hostId().equals(hostId)) {
      use();
    } else {
      String reason =
          "another node listens there: host id " + hostId + " instead of " + link.node();
      LOG.warn("{} is not used: {}", link, reason);
      fail(-1, reason);
    }
  }

  /** Returns the host id in a response to {@link #HOST_ID}; null where it has none. */
  private static @Nullable UUID hostId(Frame answer) {
    List<List<@Nullable ByteBuffer>> rows = CqlCodec.readRows(answer).rows();
    ByteBuffer cell = rows.isEmpty() ? null : rows.get(0).get(0);
    return cell == null || cell.remaining() != 2 * Long.BYTES
        ? null
        : new UUID(cell.getLong(), cell.getLong());
  }

  private void use() {
    if (key.keyspace() == null) {
      finish();
    } else {
      step = Step.USE;
      send(CqlCodec.query(key.version(), "USE " + TableName.quoted(key.keyspace())));
    }
  }

  private void finish() {
    if (!over) {
      over = true;
      timeout.cancel();
      link.becomesReady();
      waiter.ready(link);
    }
  }

  private void fail(int code, String message) {
    if (!over) {
      over = true;
      timeout.cancel();
      link.close(message);
      waiter.failed(new LinkFailure(code, message));
    }
  }

  @Override
  public void lost(String reason) {
    fail(-1, reason);
  }
}
