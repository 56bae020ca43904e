package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.CqlRequest.Parameters;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of requests that ask for fewer rows and are otherwise unchanged. */
class CappedRequestTest {

  private static final ByteBuffer TEN = ByteBuffer.allocate(4).putInt(0, 10);
  private static final ByteBuffer STATE = ByteBuffer.wrap(new byte[] {9});
  private static final String FEWER = "SELECT é LIMIT 5 ";

  private static QueryOptions options(List<ByteBuffer> values, Map<String, ByteBuffer> named) {
    return options(values, named, null, QueryOptions.NO_NOW_IN_SECONDS);
  }

  private static QueryOptions options(
      List<ByteBuffer> values,
      Map<String, ByteBuffer> named,
      @Nullable String keyspace,
      int nowInSeconds) {
    return new QueryOptions(6, values, named, true, 55, STATE, 9, 77, keyspace, nowInSeconds);
  }

  private static Message query() {
    return new Query("SELECT é", options(List.of(TEN, TEN, TEN), Map.of()));
  }

  private static Message execute(int version) {
    return new Execute(
        new byte[] {1, 2, 3},
        version >= 5 ? new byte[] {4, 5} : null,
        options(List.of(TEN, TEN, TEN), Map.of()));
  }

  private static Frame made(int version, Message message, CappedRequest changes) {
    Frame request = TestFrames.request(version, 7, message);
    Frame made = changes.of(request);
    assertThat(made.version()).isEqualTo(version);
    assertThat(made.stream()).isEqualTo(7);
    request.release();
    return made;
  }

  private static void sameBesides(Parameters parameters, int pageSize, boolean skips) {
    assertThat(parameters.consistency()).isEqualTo(6);
    assertThat(parameters.serialConsistency()).isEqualTo(9);
    assertThat(parameters.pagingState()).isEqualTo(STATE);
    assertThat(parameters.pageSize()).isEqualTo(pageSize);
    assertThat(parameters.skipsMetadata()).isEqualTo(skips);
  }

  private static int value(Parameters parameters, int index) {
    return Objects.requireNonNull(parameters.values().get(index)).getInt();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_query_has_other_text_and_shorter_pages(int version) {
    Frame made = made(version, query(), new CappedRequest(FEWER, -1, 0, 20));
    CqlRequest.Query read = (CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(made));
    assertThat(read.cql()).isEqualTo(FEWER);
    sameBesides(read.parameters(), 20, true);
    assertThat(value(read.parameters(), 2)).isEqualTo(10);
    made.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void one_value_of_an_execute_becomes_another(int version) {
    Frame made = made(version, execute(version), new CappedRequest(null, 1, 5, 0));
    CqlRequest.Execute read = (CqlRequest.Execute) Objects.requireNonNull(CqlRequest.of(made));
    assertThat(read.id()).isEqualTo(new PreparedId(new byte[] {1, 2, 3}));
    assertThat(read.resultId().remaining()).isEqualTo(version >= 5 ? 2 : 0);
    sameBesides(read.parameters(), 55, true);
    assertThat(List.of(value(read.parameters(), 0), value(read.parameters(), 1)))
        .containsExactly(10, 5);
    assertThat(value(read.parameters(), 2)).isEqualTo(10);
    made.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void an_execute_with_other_text_becomes_a_query_that_asks_for_its_columns(int version) {
    Frame made = made(version, execute(version), new CappedRequest(FEWER, -1, 0, 0));
    CqlRequest.Query read = (CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(made));
    assertThat(read.cql()).isEqualTo(FEWER);
    sameBesides(read.parameters(), 55, false);
    assertThat(value(read.parameters(), 2)).isEqualTo(10);
    made.release();
  }

  /** Cassandra ignores the keyspace of an EXECUTE. In a QUERY it would name another table. */
  @Test
  void an_execute_that_becomes_a_query_loses_its_keyspace_and_a_query_keeps_it() {
    QueryOptions options = options(List.of(TEN), Map.of(), "other", 4711);
    Frame made =
        made(
            5,
            new Execute(new byte[] {1}, new byte[] {4}, options),
            new CappedRequest(FEWER, -1, 0, 0));
    Query read = (Query) WireEnd.readRequest(made).message;
    assertThat(read.options.keyspace).isNull();
    assertThat(read.options.nowInSeconds).isEqualTo(4711);
    assertThat(read.options.defaultTimestamp).isEqualTo(77);
    assertThat(read.options.serialConsistency).isEqualTo(9);
    assertThat(read.options.pagingState).isEqualTo(STATE);
    made.release();
    made = made(5, new Query("SELECT é", options), new CappedRequest(FEWER, -1, 0, 0));
    assertThat(((Query) WireEnd.readRequest(made).message).options.keyspace).isEqualTo("other");
    made.release();
  }

  @Test
  void an_unset_value_is_replaced_and_names_stay() {
    Map<String, ByteBuffer> named = new LinkedHashMap<>();
    named.put("a", TEN);
    named.put("b", com.datastax.oss.protocol.internal.ProtocolConstants.UNSET_VALUE);
    Message query = new Query("SELECT é", options(List.of(), named));
    Frame before = TestFrames.request(4, 7, query);
    Values values =
        ((CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(before))).parameters().values();
    assertThat(values.isUnset(9, "b")).isTrue();
    assertThat(values.isUnset(9, "a")).isFalse();
    assertThat(values.isUnset(9, "c")).isFalse();
    assertThat(values.isUnset(9, null)).isFalse();
    before.release();
    Frame made = made(4, query, new CappedRequest(null, 1, 5, 0));
    Parameters read = ((CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(made))).parameters();
    assertThat(Objects.requireNonNull(read.values().get("a")).getInt()).isEqualTo(10);
    assertThat(Objects.requireNonNull(read.values().get("b")).getInt()).isEqualTo(5);
    made.release();
  }

  @Test
  void custom_payload_and_tracing_flag_are_kept() {
    Frame request = TestFrames.traced(4, query(), "k", (byte) 1);
    Frame made = new CappedRequest(FEWER, 0, 5, 3).of(request);
    assertThat(made.tracing()).isTrue();
    assertThat(TestFrames.payload(made)).isEqualTo(Map.of("k", "01"));
    request.release();
    made.release();
  }

  @Test
  void a_request_without_changes_says_so() {
    assertThat(new CappedRequest(null, -1, 5, 0).changes()).isFalse();
    assertThat(new CappedRequest("", -1, 0, 0).changes()).isTrue();
    assertThat(new CappedRequest(null, 0, 0, 0).changes()).isTrue();
    assertThat(new CappedRequest(null, -1, 0, 1).changes()).isTrue();
  }
}
