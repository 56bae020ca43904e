package io.sluice.wire;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Register;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.AuthSuccess;
import com.datastax.oss.protocol.internal.response.Authenticate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A peer whose bytes a fuzzer chooses: noise, envelopes with a right or wrong length, and segments
 * with right checksums around arbitrary bytes.
 */
public final class FuzzedPeer {

  /** The id of the prepared statement that the peer executes. */
  public static final String PREPARED = "p";

  /** The first choice of a request that the fuzzer makes rarely. */
  private static final int FIRST_RARE = 240;

  private final Choices choices;
  private final Framing framing;

  /**
   * Creates the peer of a connection.
   *
   * @param framing the framing under test, which determines what the reader expects
   */
  public FuzzedPeer(Choices choices, Framing framing) {
    this.choices = choices;
    this.framing = framing;
  }

  /** Returns the next bytes, in one buffer. */
  public ByteBuf arrives(ByteBufAllocator buffers) {
    byte[] envelopes =
        switch (choices.below(4)) {
          case 0 -> choices.some();
          case 1 -> WireEnd.joined(envelope(), envelope());
          default -> envelope();
        };
    byte[] bytes = framing.segments() == null ? envelopes : segments(envelopes);
    return buffers.directBuffer().writeBytes(bytes);
  }

  private byte[] segments(byte[] inside) {
    int cut = Math.min(inside.length, choices.octet());
    return switch (choices.below(4)) {
      case 0 -> inside;
      case 1 ->
          framing.compression() == Compression.LZ4
              ? HandMade.compressedSegment(inside, choices.number())
              : segment(inside, choices.flip());
      case 2 ->
          WireEnd.joined(
              segment(Arrays.copyOf(inside, cut), false),
              segment(Arrays.copyOfRange(inside, cut, inside.length), false));
      default -> segment(inside, true);
    };
  }

  private byte[] segment(byte[] payload, boolean selfContained) {
    return WireEnd.segment(framing.compression(), selfContained, payload);
  }

  private byte[] envelope() {
    if (framing.side() == Framing.Side.SERVER && choices.flip()) {
      return wellFormed();
    }
    int first = (framing.side() == Framing.Side.CLIENT ? 0x80 : 0) | (3 + choices.below(3));
    int shape = choices.octet();
    ByteBuf out = Unpooled.buffer();
    out.writeByte((shape & 1) != 0 ? choices.octet() : first);
    boolean compressed = (shape & 32) != 0 && framing.compression() != Compression.NONE;
    out.writeByte((shape & 2) != 0 ? choices.octet() : compressed ? Frame.FLAG_COMPRESSED : 0);
    out.writeShort((shape & 4) != 0 ? choices.number() : choices.below(4));
    out.writeByte(choices.below(0x12));
    byte[] body = compressed ? compressed(choices.some()) : choices.some();
    out.writeInt((shape & 24) == 24 ? choices.integer() : body.length).writeBytes(body);
    return taken(out);
  }

  private byte[] compressed(byte[] body) {
    ByteBuf plain = Unpooled.directBuffer().writeBytes(body);
    ByteBuf compressed = framing.compression().compressor().compress(plain);
    plain.release();
    return taken(compressed);
  }

  /** Returns a request with a valid structure, of which parts may be invalid. */
  private byte[] wellFormed() {
    int version = 3 + choices.below(3);
    int kind = choices.octet();
    Message message =
        switch (kind < FIRST_RARE ? kind % 6 : kind) {
          case 0 -> Options.INSTANCE;
          case 1 ->
              new Startup(
                  choices.flip()
                      ? Map.of("CQL_VERSION", "3.0.0")
                      : Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", "lz4"));
          case 2 -> new AuthResponse(ByteBuffer.wrap(choices.some()));
          case 3 -> new Register(List.of("SCHEMA_CHANGE", "TOPOLOGY_CHANGE"));
          case FIRST_RARE -> new Execute(id(), id(), options());
          case FIRST_RARE + 1 -> new Prepare("SELECT * FROM t WHERE k = ?");
          case FIRST_RARE + 2 -> batch();
          case FIRST_RARE + 3 -> new Query("SELECT * FROM t WHERE k = ?", options());
          default -> new Query("SELECT * FROM t WHERE k = " + choices.octet());
        };
    return WireEnd.request(version, choices.below(4), message);
  }

  private static byte[] id() {
    return PREPARED.getBytes(StandardCharsets.US_ASCII);
  }

  private QueryOptions options() {
    return new QueryOptions(
        choices.below(11),
        List.of(ByteBuffer.wrap(choices.some())),
        Map.of(),
        choices.flip(),
        choices.octet(),
        choices.flip() ? ByteBuffer.wrap(choices.some()) : null,
        8,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        null,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  private Batch batch() {
    return new Batch(
        (byte) choices.below(4),
        List.of("INSERT INTO t (k) VALUES (?)", id()),
        List.of(List.of(ByteBuffer.wrap(choices.some())), List.of(ByteBuffer.wrap(choices.some()))),
        choices.below(11),
        8,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        null,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  /** AUTHENTICATE, which names an authenticator of passwords. */
  public static Frame authenticate(int version) {
    return response(version, new Authenticate("org.apache.cassandra.auth.PasswordAuthenticator"));
  }

  /** AUTH_SUCCESS. */
  public static Frame authSuccess(int version) {
    return response(version, new AuthSuccess(null));
  }

  private static Frame response(int version, Message message) {
    return WireEnd.frame(
        WireEnd.response(
            com.datastax.oss.protocol.internal.Frame.forResponse(
                version, 0, null, Map.of(), List.of(), message)));
  }

  private static byte[] taken(ByteBuf out) {
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    out.release();
    return bytes;
  }
}
