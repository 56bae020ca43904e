package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests of the binding at a fake node whose table has one field, field0. */
// YCSB's interface requires Vector and HashMap.
@SuppressWarnings({"JdkObsolete", "NonApiType"})
class SluiceClientTest {
  private static final @Nullable ByteBuffer NONE = null;

  private final List<Message> received = new CopyOnWriteArrayList<>();
  private final SluiceClient client = new SluiceClient();
  private final Properties properties = new Properties();
  private List<List<ByteBuffer>> rows = List.of();
  private FakeCassandra node;

  @BeforeEach
  void start() throws IOException {
    node = new FakeCassandra(UUID.randomUUID(), "dc1", 0);
    node.serve(this::answer);
    properties.setProperty("hosts", "127.0.0.1:" + node.address().getPort());
    properties.setProperty("sluice.protocol", "4");
    properties.setProperty("fieldcount", "1");
    client.setProperties(properties);
  }

  @AfterEach
  void stop() throws IOException {
    client.cleanup();
    node.close();
  }

  private @Nullable Message answer(Message request) {
    received.add(request);
    if (request instanceof Prepare prepare) {
      boolean limited = prepare.cqlQuery.contains("LIMIT ?");
      return new Prepared(
          prepare.cqlQuery.getBytes(StandardCharsets.UTF_8),
          null,
          new RowsMetadata(markers(limited), NONE, new int[0], null),
          columns());
    }
    if (request instanceof Execute) {
      Queue<List<ByteBuffer>> data = new ArrayDeque<>();
      rows.forEach(row -> data.add(row.stream().map(SluiceClientTest::copy).toList()));
      return new DefaultRows(columns(), data);
    }
    return null;
  }

  private static @Nullable ByteBuffer copy(@Nullable ByteBuffer value) {
    return value == null ? null : value.duplicate();
  }

  private static List<ColumnSpec> markers(boolean limited) {
    List<ColumnSpec> markers = new ArrayList<>();
    markers.add(column("y_id", 0, DataType.VARCHAR));
    if (limited) {
      markers.add(column("[limit]", 1, DataType.INT));
    }
    return markers;
  }

  private static RowsMetadata columns() {
    List<ColumnSpec> columns =
        List.of(column("y_id", 0, DataType.VARCHAR), column("field0", 1, DataType.VARCHAR));
    return new RowsMetadata(columns, NONE, new int[0], null);
  }

  private static ColumnSpec column(String name, int at, int type) {
    return new ColumnSpec(
        "ycsb", "usertable", name, at, Objects.requireNonNull(RawType.PRIMITIVES.get(type)));
  }

  private static ByteBuffer text(String text) {
    return StandardCharsets.UTF_8.encode(text);
  }

  private long count(Class<? extends Message> type) {
    return received.stream().filter(type::isInstance).count();
  }

  private Status scan() {
    return client.scan("usertable", "user1", 10, null, new Vector<HashMap<String, ByteIterator>>());
  }

  @Test
  void a_scan_is_one_request_although_it_returns_fewer_rows_than_its_limit() throws DBException {
    rows = List.of(List.of(text("user1"), text("a")), List.of(text("user2"), text("b")));
    client.init();

    assertThat(scan()).isEqualTo(Status.OK);
    assertThat(count(Execute.class)).isEqualTo(1);
  }

  @Test
  void a_row_of_a_scan_that_lacks_a_field_is_short() throws DBException {
    List<ByteBuffer> partial = new ArrayList<>(List.of(text("user2")));
    partial.add(NONE);
    rows = List.of(List.of(text("user1"), text("a")), partial);
    client.init();

    assertThat(scan().getName()).isEqualTo("SHORT_READ");
  }

  @Test
  void the_second_thread_fails_with_the_reason_of_the_first_and_without_a_connection() {
    node.serve(
        request -> {
          received.add(request);
          return request instanceof Startup
              ? new Error(ErrorCode.SERVER_ERROR, "out of order")
              : null;
        });
    Throwable first = catchThrowable(client::init);
    long connections = count(Startup.class);
    SluiceClient second = new SluiceClient();
    second.setProperties(properties);

    assertThat(first).isInstanceOf(DBException.class);
    assertThat(catchThrowable(second::init)).hasMessage(first.getMessage());
    assertThat(count(Startup.class)).isEqualTo(connections).isPositive();
  }

  @Test
  void other_settings_are_tried_after_a_failure() throws DBException {
    properties.setProperty("sluice.protocol", "5");
    assertThatThrownBy(client::init).isInstanceOf(DBException.class);

    properties.setProperty("sluice.protocol", "4");
    client.init();

    assertThat(client.delete("usertable", "user1")).isEqualTo(Status.OK);
  }
}
