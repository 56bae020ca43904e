package io.sluice.wire;

import com.datastax.oss.protocol.internal.Compressor;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The compression of bodies (v3, v4) or segments (v5, LZ4 only) on one connection. */
@SuppressWarnings("ImmutableEnumChecker") // The compressors have no state.
public enum Compression {
  NONE(Compressor.none()),
  LZ4(new Lz4()),
  SNAPPY(new Snappy());

  private final Compressor<ByteBuf> compressor;

  Compression(Compressor<ByteBuf> compressor) {
    this.compressor = compressor;
  }

  Compressor<ByteBuf> compressor() {
    return compressor;
  }

  /**
   * Returns the uncompressed length that a compressed v3 or v4 body announces, in bytes. The value
   * is not trustworthy.
   */
  int announcedLength(ByteBuf body) {
    return switch (this) {
      case NONE -> body.readableBytes();
      case LZ4 -> body.getInt(body.readerIndex());
      case SNAPPY -> Snappy.announcedLength(body);
    };
  }

  /** Returns the algorithm's name in a STARTUP. */
  public String algorithm() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of the algorithms that this JVM can use. */
  public static List<String> offered() {
    return NativeLibraries.hasSnappy() ? List.of("snappy", "lz4") : List.of("lz4");
  }

  /**
   * Returns the compression that a STARTUP asks for.
   *
   * @param algorithm the value of its COMPRESSION option, or null for none
   * @return null when {@code version} does not know that name, or its library cannot be loaded
   */
  public static @Nullable Compression named(@Nullable String algorithm, int version) {
    if (algorithm == null || algorithm.isEmpty()) {
      return NONE;
    }
    return switch (algorithm.toLowerCase(Locale.ROOT)) {
      case "lz4" -> LZ4;
      case "snappy" ->
          version < ProtocolVersion.SEGMENTS && NativeLibraries.hasSnappy() ? SNAPPY : null;
      default -> null;
    };
  }
}
