package io.sluice.decide.classify;

import io.sluice.ring.TestPartitioner;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routing keys of statements on the test tables, in hexadecimal. */
final class RoutingKeys {

  private final Classifier classifier = new Classifier();

  Classified classify(String cql) {
    return classifier.classify(cql, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
  }

  static @Nullable String hex(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return null;
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  @Nullable String key(String cql, ByteBuffer... values) {
    return hex(classify(cql).routingKey(new Positional(List.of(values))));
  }

  /** Values by position. */
  record Positional(List<ByteBuffer> values) implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      return index < values.size() ? values.get(index) : null;
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }
}
