package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.TestClient;
import io.sluice.ring.Catalog;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.watch.ClusterView;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader that knows {@code ks.t}, whose partition key is {@code k int}. */
final class ReaderFixture implements AutoCloseable {

  static final PreparedId ID = TestFrames.id("0123456789abcdef");
  static final PreparedId OTHER = TestFrames.id("fedcba9876543210");
  static final int STREAM = 7;
  static final int QUORUM = 4;
  static final int SERIAL = 8;

  final PreparedCache cache = new PreparedCache(10, 1 << 20);
  final StatementReader reader =
      new StatementReader(cache, new ScatterPlanner(SplitConfig.defaults()));
  private final List<Frame> frames = new ArrayList<>();
  ClusterView view = view(ReaderFixture::table);

  static @Nullable Table table(String keyspace, String table) {
    return keyspace.equals("ks") && table.equals("t")
        ? new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")))
        : null;
  }

  static ClusterView view(Catalog catalog) {
    Ring ring = new Ring(TestPartitioner.ANY, "dc1", Map.of(), Map.of());
    return new ClusterView(ring, catalog, Map.of(), Map.of());
  }

  static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).putInt(0, value);
  }

  static QueryOptions options(@Nullable String keyspace, ByteBuffer... values) {
    return new QueryOptions(
        QUORUM,
        List.of(values),
        Map.of(),
        false,
        50,
        null,
        SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        keyspace,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  static QueryOptions nextPage(ByteBuffer pagingState) {
    return new QueryOptions(
        QUORUM,
        List.of(),
        Map.of(),
        false,
        50,
        pagingState,
        SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        null,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  static Batch batch(int type, @Nullable String keyspace, Object... children) {
    List<List<ByteBuffer>> values = new ArrayList<>();
    List<Object> statements = new ArrayList<>();
    for (Object child : children) {
      statements.add(child instanceof PreparedId id ? TestFrames.bytes(id) : child);
      values.add(List.of(number(values.size() + 1)));
    }
    return new Batch(
        (byte) type,
        statements,
        values,
        QUORUM,
        SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        keyspace,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  Frame frame(int version, Message message) {
    return own(TestFrames.request(version, STREAM, message));
  }

  Statement read(TestClient client, Message message) throws StatementReader.UnknownStatement {
    return reader.read(frame(client.version(), message), client, view);
  }

  Statement query(TestClient client, String cql) throws StatementReader.UnknownStatement {
    return read(client, new Query(cql, options(null)));
  }

  /** Prepares a statement, as if a node had answered {@code client}'s PREPARE with {@code id}. */
  void prepare(TestClient client, PreparedId id, String cql)
      throws StatementReader.UnknownStatement {
    reader.prepared(read(client, new Prepare(cql)), client, answer(client.version(), id), view);
  }

  Frame answer(int version, PreparedId id, String... columns) {
    return own(TestFrames.prepared(version, id, columns));
  }

  /** Keeps a frame for {@link #close}. */
  Frame own(Frame frame) {
    frames.add(frame);
    return frame;
  }

  /** Releases all frames, and checks that the reader has not done so. */
  @Override
  public void close() {
    for (Frame frame : frames) {
      assertThat(TestFrames.isReleased(frame)).as("released by the reader").isFalse();
      frame.release();
      assertThat(TestFrames.isReleased(frame)).as("kept by the reader").isTrue();
    }
  }
}
