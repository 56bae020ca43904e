package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.ReadTemplate.Bound;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that requests from a template have the client's parameters, as the vendor's codec reads
 * them.
 */
class ReadTemplateTest {

  private static final List<Bound> BOUND =
      List.of(
          new Bound(1, "b", null),
          new Bound(-1, null, text("token")),
          new Bound(0, "a", null),
          new Bound(2, "c", null));

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static QueryOptions options(int version, boolean named) {
    ByteBuffer unset = version > 3 ? ProtocolConstants.UNSET_VALUE : null;
    Map<String, ByteBuffer> byName = new java.util.LinkedHashMap<>();
    List<ByteBuffer> byPosition = new java.util.ArrayList<>();
    if (named) {
      byName.put("c", text("3"));
      byName.put("b", unset);
      byName.put("a", text("1"));
    } else {
      byPosition.add(text("1"));
      byPosition.add(unset);
      byPosition.add(text("3"));
    }
    return new QueryOptions(
        ProtocolConstants.ConsistencyLevel.QUORUM,
        byPosition,
        byName,
        true,
        5000,
        text("the client's state"),
        ProtocolConstants.ConsistencyLevel.LOCAL_SERIAL,
        42,
        version >= 5 ? "ks" : null,
        version >= 5 ? 7 : QueryOptions.NO_NOW_IN_SECONDS);
  }

  private static Frame frame(int version, Message message) {
    Map<String, ByteBuffer> payload = version > 3 ? Map.of("p", text("load")) : Map.of();
    return WireEnd.frame(WireEnd.request(version, 9, true, payload, message));
  }

  private static com.datastax.oss.protocol.internal.Frame made(Frame made) {
    com.datastax.oss.protocol.internal.Frame read = WireEnd.readRequest(made);
    made.release();
    return read;
  }

  private static void same(
      QueryOptions said,
      int version,
      @Nullable String keyspace,
      @Nullable ByteBuffer state,
      int pageSize) {
    assertThat(said.consistency).isEqualTo(ProtocolConstants.ConsistencyLevel.QUORUM);
    assertThat(said.serialConsistency).isEqualTo(ProtocolConstants.ConsistencyLevel.LOCAL_SERIAL);
    assertThat(said.defaultTimestamp).isEqualTo(42);
    assertThat(said.skipMetadata).isFalse();
    assertThat(said.pageSize).isEqualTo(pageSize);
    assertThat(said.pagingState).isEqualTo(state);
    assertThat(said.keyspace).isEqualTo(keyspace);
    assertThat(said.nowInSeconds).isEqualTo(version >= 5 ? 7 : QueryOptions.NO_NOW_IN_SECONDS);
    assertThat(said.namedValues).isEmpty();
    // The vendor's server codec reads an unset value as null.
    assertThat(said.positionalValues).containsExactly(null, text("token"), text("1"), text("3"));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_query_becomes_another_query(int version) {
    for (boolean named : new boolean[] {false, true}) {
      Frame client = frame(version, new Query("SELECT a", options(version, named)));
      Frame made = ReadTemplate.of(client).query("SELECT ü", BOUND, 77, text("inner"));
      String firstValue = version > 3 ? "0004fffffffe" : "0004ffffffff";
      assertThat(WireEnd.hex(made)).as("unset stays unset").contains(firstValue);
      var read = made(made);
      Query said = (Query) read.message;
      assertThat(said.query).isEqualTo("SELECT ü");
      same(said.options, version, version >= 5 ? "ks" : null, text("inner"), 77);
      assertThat(read.tracing).isTrue();
      assertThat(read.customPayload).containsOnlyKeys(version > 3 ? List.of("p") : List.of());
      client.release();
    }
  }

  /** The key of reads that may share an answer. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void reads_are_alike_when_only_page_size_and_replaced_values_differ(int version) {
    List<ReadTemplate.Bound> filter = List.of(new ReadTemplate.Bound(1, null, null));
    QueryOptions said = options(version, false);
    Frame first = frame(version, new Query("SELECT a", asking(said, "from 1", "filter", 10)));
    Frame alike = frame(version, new Query("SELECT a", asking(said, "from 2", "filter", 20)));
    Frame other = frame(version, new Query("SELECT a", asking(said, "from 1", "FILTER", 10)));
    ByteBuffer known = ReadTemplate.of(first).alike("SELECT b", filter);
    assertThat(ReadTemplate.of(alike).alike("SELECT b", filter)).isEqualTo(known);
    assertThat(ReadTemplate.of(alike).alike("SELECT c", filter)).isNotEqualTo(known);
    assertThat(ReadTemplate.of(other).alike("SELECT b", filter)).isNotEqualTo(known);
    List.of(first, alike, other).forEach(Frame::release);
  }

  private static QueryOptions asking(QueryOptions other, String from, String filter, int pageSize) {
    return new QueryOptions(
        other.consistency,
        List.of(text(from), text(filter)),
        Map.of(),
        other.skipMetadata,
        pageSize,
        null,
        other.serialConsistency,
        other.defaultTimestamp,
        other.keyspace,
        other.nowInSeconds);
  }

  /** Waiting reads are grouped by this part. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void the_rest_is_the_same_with_another_timestamp_and_differs_with_another_level(int version) {
    QueryOptions said = options(version, false);
    Frame first = frame(version, new Query("SELECT a", said));
    Frame later = frame(version, new Query("SELECT b", with(said, said.serialConsistency, 4711)));
    Frame other =
        frame(
            version,
            new Query("SELECT a", with(said, ProtocolConstants.ConsistencyLevel.SERIAL, 42)));
    assertThat(ReadTemplate.of(later).rest()).isEqualTo(ReadTemplate.of(first).rest());
    assertThat(ReadTemplate.of(other).rest()).isNotEqualTo(ReadTemplate.of(first).rest());
    List.of(first, later, other).forEach(Frame::release);
  }

  private static QueryOptions with(QueryOptions other, int serialConsistency, long timestamp) {
    return new QueryOptions(
        other.consistency,
        other.positionalValues,
        other.namedValues,
        other.skipMetadata,
        other.pageSize,
        other.pagingState,
        serialConsistency,
        timestamp,
        other.keyspace,
        other.nowInSeconds);
  }

  /** Cassandra ignores the keyspace of an EXECUTE. In a QUERY it would name another table. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void an_execute_becomes_an_execute_of_another_statement_or_a_query(int version) {
    byte[] resultId = version >= 5 ? new byte[] {4, 5} : null;
    Frame client =
        frame(version, new Execute(new byte[] {1, 2}, resultId, options(version, false)));
    ReadTemplate template = ReadTemplate.of(client);
    assertThat(template.executes()).isTrue();
    Execute said =
        (Execute) made(template.execute(new PreparedId(new byte[] {9}), BOUND, 10, null)).message;
    assertThat(said.queryId).containsExactly(9);
    assertThat(said.resultMetadataId).isEqualTo(resultId);
    same(said.options, version, null, null, 10);
    Query asText = (Query) made(template.query("SELECT b", BOUND, 10, null)).message;
    assertThat(asText.query).isEqualTo("SELECT b");
    same(asText.options, version, null, null, 10);
    client.release();
  }
}
