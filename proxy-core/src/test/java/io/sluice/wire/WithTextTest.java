package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a request with another text and otherwise the same content. */
class WithTextTest {

  private static Frame query(int version) {
    return TestFrames.request(
        version,
        7,
        new Query(
            "EXPLAIN ANALYZE SELECT é",
            new QueryOptions(
                6,
                List.of(ByteBuffer.wrap(new byte[] {1, 2, 3})),
                Map.of(),
                false,
                55,
                ByteBuffer.wrap(new byte[] {9}),
                8,
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE)));
  }

  private static void check(Frame made, int version) {
    CqlRequest.Query read = (CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(made));
    assertThat(read.cql()).isEqualTo("SELECT é, and more of it than before");
    assertThat(read.parameters().pageSize()).isEqualTo(55);
    assertThat(read.parameters().consistency()).isEqualTo(6);
    assertThat(read.parameters().values().get(0)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(read.parameters().pagingState()).isEqualTo(ByteBuffer.wrap(new byte[] {9}));
    assertThat(made.version()).isEqualTo(version);
    made.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void all_but_the_text_stays(int version) {
    Frame query = query(version);
    Frame made = CqlCodec.withText(query, "SELECT é, and more of it than before");
    assertThat(made.stream()).isEqualTo(query.stream());
    query.release();
    check(made, version);
  }

  @Test
  void a_custom_payload_is_kept() {
    Frame query = new RangeHint(4, 5).addTo(query(4));
    Frame made = CqlCodec.withText(query, "SELECT é, and more of it than before");
    assertThat(TestFrames.payload(made)).isEqualTo(TestFrames.payload(query)).hasSize(1);
    query.release();
    check(made, 4);
  }
}
