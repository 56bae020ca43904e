package io.sluice.execute.merge;

import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The codec of Sluice's own paging state: eight bytes with which no paging state of Cassandra
 * begins, a version, the statement's digest, the resume point, and a CRC-32C over all of it. The
 * state holds nothing of one proxy or process, so any proxy of the cluster can continue the read.
 */
final class PagingStateCodec {

  /** Cassandra would read this as a key of 2^62 bytes, or of a negative length. */
  private static final byte[] MAGIC = {(byte) 0xFF, (byte) 0xC7, 'S', 'l', 'u', 'i', 'c', 'e'};

  private static final byte VERSION = 2;

  private static final int UNLIMITED = -1;

  private static final int OPEN = 0;
  private static final int MURMUR3 = 1;
  private static final int RANDOM = 2;
  private static final int ORDERED = 3;

  private PagingStateCodec() {}

  static ByteBuffer encode(ResumePoint point, StatementDigest digest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.write(MAGIC);
      out.write(VERSION);
      out.writeLong(digest.high());
      out.writeLong(digest.low());
      write(point.after(), out);
      TokenRange piece = point.piece();
      out.writeBoolean(piece != null);
      if (piece != null) {
        write(piece.after(), out);
        write(piece.upTo(), out);
      }
      ByteBuffer nodeState = point.nodeState();
      out.writeInt(nodeState == null ? -1 : nodeState.remaining());
      if (nodeState != null) {
        byte[] copy = new byte[nodeState.remaining()];
        nodeState.duplicate().get(copy);
        out.write(copy);
      }
      out.writeInt(point.rowsLeft());
      out.writeInt(point.perPartition());
      out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static void write(@Nullable Token token, DataOutputStream out) throws IOException {
    if (token == null) {
      out.write(OPEN);
    } else if (token instanceof Token.Murmur3 murmur3) {
      out.write(MURMUR3);
      out.writeLong(murmur3.value());
    } else if (token instanceof Token.Random random) {
      out.write(RANDOM);
      byte[] value = random.value().toByteArray();
      out.writeByte(value.length);
      out.write(value);
    } else if (token instanceof Token.Ordered ordered) {
      out.write(ORDERED);
      out.writeInt(ordered.hex().length());
      out.writeBytes(ordered.hex());
    }
  }

  /** Whether a state begins as those of Sluice, with at most one byte damaged. */
  static boolean isOwn(ByteBuffer state) {
    return alike(state) >= MAGIC.length - 1;
  }

  private static int alike(ByteBuffer state) {
    int alike = 0;
    for (int i = 0; i < MAGIC.length && i < state.remaining(); i++) {
      alike += state.get(state.position() + i) == MAGIC[i] ? 1 : 0;
    }
    return alike;
  }

  /**
   * Checks {@code state} for the statement of {@code digest}. Never throws, although a client can
   * forge any state, because digest and checksum have no key.
   *
   * @param minimum the minimum token of the cluster's partitioner; tokens of other partitioners are
   *     refused
   */
  static ClientPagingState decode(ByteBuffer state, StatementDigest digest, Token minimum) {
    if (!isOwn(state)) {
      return new ClientPagingState.Foreign();
    }
    byte[] bytes = new byte[state.remaining()];
    state.duplicate().get(bytes);
    int end = bytes.length - Integer.BYTES;
    if (end <= MAGIC.length || ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
      return new ClientPagingState.Damaged("its checksum is wrong");
    }
    if (alike(state) < MAGIC.length || bytes[MAGIC.length] != VERSION) {
      return new ClientPagingState.Damaged("its version is " + bytes[MAGIC.length]);
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(Arrays.copyOfRange(bytes, MAGIC.length + 1, end));
      if (in.getLong() != digest.high() || in.getLong() != digest.low()) {
        return new ClientPagingState.OtherStatement();
      }
      return new ClientPagingState.Sound(point(in, minimum));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return new ClientPagingState.Damaged("its content is not understood");
    }
  }

  private static ResumePoint point(ByteBuffer in, Token minimum) {
    Token after = token(in, minimum);
    TokenRange piece =
        in.get() != 0 ? new TokenRange(token(in, minimum), token(in, minimum)) : null;
    int length = in.getInt();
    ByteBuffer nodeState = length < 0 ? null : ByteBuffer.wrap(bytes(in, length));
    int rowsLeft = in.getInt();
    int inPartition = in.getInt();
    require(!in.hasRemaining() && (piece != null) == (nodeState != null));
    require(rowsLeft > 0 || rowsLeft == UNLIMITED);
    require(inPartition >= 0 || inPartition == UNLIMITED);
    return new ResumePoint(after, piece, nodeState, rowsLeft, inPartition);
  }

  private static void require(boolean sound) {
    if (!sound) {
      throw new IllegalArgumentException();
    }
  }

  private static @Nullable Token token(ByteBuffer in, Token minimum) {
    Token token =
        switch (in.get()) {
          case OPEN -> null;
          case MURMUR3 -> new Token.Murmur3(in.getLong());
          case RANDOM -> new Token.Random(new BigInteger(bytes(in, in.get())));
          case ORDERED -> new Token.Ordered(hex(bytes(in, in.getInt())));
          default -> throw new IllegalArgumentException();
        };
    // Tokens of different partitioners cannot be compared.
    require(token == null || token.getClass() == minimum.getClass());
    require(token == null || token.compareTo(minimum) > 0);
    return token;
  }

  /** Returns hexadecimal text if it is in the canonical form of tokens; throws otherwise. */
  private static String hex(byte[] ascii) {
    String text = new String(ascii, StandardCharsets.US_ASCII);
    HexFormat format = HexFormat.of();
    require(format.formatHex(format.parseHex(text)).equals(text));
    return text;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
