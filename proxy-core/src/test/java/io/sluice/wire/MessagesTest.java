package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.error.Unprepared;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.SetKeyspace;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.wire.CqlRequest.Parameters;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the proxy reads messages as the vendor's codec has written them. */
class MessagesTest {

  private static final int ROUNDS = 500;

  private final Random random = new Random(20_261_121);

  private interface Check {
    void run(int version);
  }

  private static List<DynamicTest> versions(Check check) {
    return java.util.stream.IntStream.rangeClosed(3, 5)
        .mapToObj(v -> DynamicTest.dynamicTest("v" + v, () -> check.run(v)))
        .toList();
  }

  private String text(int atMost) {
    StringBuilder out = new StringBuilder();
    for (int n = random.nextInt(atMost + 1); n > 0; n--) {
      out.appendCodePoint(random.nextInt(9) == 0 ? 0x1F600 + random.nextInt(50) : 'a');
    }
    return out.toString();
  }

  private byte[] id() {
    byte[] id = new byte[1 + random.nextInt(20)];
    random.nextBytes(id);
    return id;
  }

  private @Nullable ByteBuffer value(int version) {
    return switch (random.nextInt(6)) {
      case 0 -> null;
      case 1 -> version >= 4 ? ProtocolConstants.UNSET_VALUE : null;
      default -> ByteBuffer.wrap(text(10).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    };
  }

  private List<ByteBuffer> values(int version) {
    List<ByteBuffer> values = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      values.add(value(version));
    }
    return values;
  }

  private QueryOptions options(int version) {
    Map<String, ByteBuffer> named = new LinkedHashMap<>();
    boolean names = random.nextInt(4) == 0;
    for (int n = names ? 1 + random.nextInt(3) : 0; n > 0; n--) {
      named.put("n" + n, value(version));
    }
    return new QueryOptions(
        random.nextInt(11),
        names ? List.of() : values(version),
        named,
        random.nextBoolean(),
        random.nextBoolean() ? 1 + random.nextInt(5000) : -1,
        random.nextInt(3) == 0 ? ByteBuffer.wrap(id()) : null,
        random.nextBoolean() ? 8 + random.nextInt(2) : ProtocolConstants.ConsistencyLevel.SERIAL,
        random.nextBoolean() ? random.nextLong() : QueryOptions.NO_DEFAULT_TIMESTAMP,
        version >= 5 && random.nextBoolean() ? "ks" + text(3) : null,
        version >= 5 && random.nextBoolean()
            ? random.nextInt(1000)
            : QueryOptions.NO_NOW_IN_SECONDS);
  }

  private byte[] encoded(int version, Message message) {
    Map<String, ByteBuffer> payload =
        version >= 4 && random.nextInt(3) == 0
            ? Map.of("k" + text(4), ByteBuffer.wrap(id()), "l", ByteBuffer.wrap(id()))
            : Map.of();
    return WireEnd.request(version, random.nextInt(32768), random.nextBoolean(), payload, message);
  }

  @SuppressWarnings(
      "ReferenceEquality") // The value is compared by identity, as any empty value equals it.
  private static @Nullable ByteBuffer readable(@Nullable ByteBuffer value) {
    return value == ProtocolConstants.UNSET_VALUE ? null : value;
  }

  private static void same(Values read, List<ByteBuffer> written) {
    assertThat(read.count()).isEqualTo(written.size());
    for (int i = 0; i < written.size(); i++) {
      assertThat(read.get(i)).isEqualTo(readable(written.get(i)));
    }
    assertThat(read.get(written.size())).isNull();
    assertThat(read.get("n1")).isNull();
  }

  private static void same(Parameters read, QueryOptions written) {
    assertThat(read.consistency()).isEqualTo(written.consistency);
    assertThat(read.pageSize()).isEqualTo(written.pageSize);
    assertThat(read.pagingState()).isEqualTo(written.pagingState);
    assertThat(read.keyspace()).isEqualTo(written.keyspace);
    boolean serialSaid = written.serialConsistency != ProtocolConstants.ConsistencyLevel.SERIAL;
    assertThat(read.serialConsistency()).isEqualTo(serialSaid ? written.serialConsistency : -1);
    if (written.namedValues.isEmpty()) {
      same(read.values(), written.positionalValues);
    } else {
      assertThat(read.values().count()).isEqualTo(written.namedValues.size());
      written.namedValues.forEach(
          (name, value) -> assertThat(read.values().get(name)).isEqualTo(readable(value)));
      assertThat(read.values().get(0)).isNull();
    }
  }

  @TestFactory
  List<DynamicTest> queries() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            Query written = new Query(text(50), options(version));
            CqlRequest.Query read = (CqlRequest.Query) read(version, written);
            assertThat(read.cql()).isEqualTo(written.query);
            same(read.parameters(), written.options);
          }
        });
  }

  @TestFactory
  List<DynamicTest> executes() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            Execute written = new Execute(id(), version >= 5 ? id() : null, options(version));
            CqlRequest.Execute read = (CqlRequest.Execute) read(version, written);
            assertThat(read.id()).isEqualTo(new PreparedId(written.queryId));
            if (version >= 5) {
              assertThat(read.resultId()).isEqualTo(ByteBuffer.wrap(written.resultMetadataId));
            } else {
              assertThat(read.resultId()).isSameAs(CqlRequest.NO_RESULT_ID);
            }
            same(read.parameters(), written.options);
          }
        });
  }

  @TestFactory
  List<DynamicTest> prepares() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            String keyspace = version >= 5 && random.nextBoolean() ? "ks" : null;
            Prepare written = new Prepare(text(50), keyspace);
            assertThat(read(version, written))
                .isEqualTo(new CqlRequest.Prepare(written.cqlQuery, keyspace));
          }
        });
  }

  @TestFactory
  List<DynamicTest> batches() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            Batch written = batch(version);
            CqlRequest.Batch read = (CqlRequest.Batch) read(version, written);
            assertThat(read.type()).isEqualTo(written.type);
            assertThat(read.consistency()).isEqualTo(written.consistency);
            assertThat(read.keyspace()).isEqualTo(written.keyspace);
            assertThat(read.children()).hasSize(written.queriesOrIds.size());
            for (int child = 0; child < read.children().size(); child++) {
              same(read.children().get(child), written, child);
            }
          }
        });
  }

  /** The flag belongs to v5, but a node reads it in every version. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void a_keyspace_is_read_in_older_versions_too(int version) {
    byte[] named = WireEnd.bytes("0001 80 0002 6b73");
    assertThat(read(version, Opcode.QUERY, WireEnd.bytes("00000001 41"), named))
        .isInstanceOfSatisfying(
            CqlRequest.Query.class, q -> assertThat(q.parameters().keyspace()).isEqualTo("ks"));
    assertThat(read(version, Opcode.BATCH, WireEnd.bytes("00 0001 00 00000001 41 0000"), named))
        .isInstanceOfSatisfying(
            CqlRequest.Batch.class, b -> assertThat(b.keyspace()).isEqualTo("ks"));
  }

  /** No driver sends them, but a node reads them before the keyspace. */
  @Test
  void values_and_paging_of_a_batch_precede_its_keyspace() {
    byte[] tail =
        WireEnd.bytes(
            "0001 000001ff 0001 0001 61 00000001 62 00000007 00000001 63 0008"
                + "0000000000000001 0002 6b73 00000009");
    assertThat(read(5, Opcode.BATCH, WireEnd.bytes("00 0001 00 00000001 41 0000"), tail))
        .isInstanceOfSatisfying(
            CqlRequest.Batch.class, b -> assertThat(b.keyspace()).isEqualTo("ks"));
  }

  private static @Nullable CqlRequest read(int version, int opcode, byte[]... body) {
    byte[] all = WireEnd.joined(body);
    byte[] header = WireEnd.bytes("%02x 00 0001 %02x %08x".formatted(version, opcode, all.length));
    Frame frame = WireEnd.frame(WireEnd.joined(header, all));
    try {
      return CqlRequest.of(frame);
    } finally {
      frame.release();
    }
  }

  private Batch batch(int version) {
    List<Object> children = new ArrayList<>();
    List<List<ByteBuffer>> values = new ArrayList<>();
    for (int n = random.nextInt(5); n > 0; n--) {
      children.add(random.nextBoolean() ? text(30) : id());
      values.add(values(version));
    }
    return new Batch(
        (byte) random.nextInt(3),
        children,
        values,
        random.nextInt(11),
        random.nextBoolean() ? 9 : 8,
        random.nextBoolean() ? random.nextLong() : QueryOptions.NO_DEFAULT_TIMESTAMP,
        version >= 5 && random.nextBoolean() ? "ks" : null,
        version >= 5 && random.nextBoolean() ? 7 : QueryOptions.NO_NOW_IN_SECONDS);
  }

  private static void same(CqlRequest.Child read, Batch written, int index) {
    Object child = written.queriesOrIds.get(index);
    if (child instanceof String cql) {
      assertThat(read.cql()).isEqualTo(cql);
      assertThat(read.id()).isNull();
    } else {
      assertThat(read.cql()).isNull();
      assertThat(read.id()).isEqualTo(new PreparedId((byte[]) child));
    }
    same(read.values(), written.values.get(index));
  }

  private CqlRequest read(int version, Message written) {
    return Objects.requireNonNull(CqlRequest.of(WireEnd.frame(encoded(version, written))));
  }

  /** However a request is cut or changed, it is either read or refused on its stream. */
  @TestFactory
  List<DynamicTest> hostile_requests_are_refused_on_their_stream() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            byte[] sound =
                encoded(version, i % 2 == 0 ? batch(version) : new Query("q", options(version)));
            byte[] bent = Arrays.copyOf(sound, 9 + random.nextInt(sound.length - 8));
            for (int n = random.nextInt(3); n > 0 && bent.length > 9; n--) {
              bent[9 + random.nextInt(bent.length - 9)] = (byte) random.nextInt();
            }
            Frame frame = WireEnd.frame(bent);
            try {
              CqlRequest.of(frame);
            } catch (ProtocolError e) {
              assertThat(e.stream()).isEqualTo(frame.stream());
              assertThat(e.fatal()).isFalse();
            }
          }
        });
  }

  @Test
  void text_that_is_no_utf8_is_refused() {
    byte[] query = WireEnd.bytes("04 00 0007 07 00000009 00000002 c328 0001 00");
    assertThatThrownBy(() -> CqlRequest.of(WireEnd.frame(query)))
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("Cannot decode string as UTF8");
  }

  @Test
  void a_page_size_below_one_means_unpaged() {
    for (String size : List.of("00000000", "ffffffff", "80000000")) {
      byte[] query = WireEnd.bytes("04 00 0007 07 0000000c 00000001 78 0001 04" + size);
      CqlRequest read = Objects.requireNonNull(CqlRequest.of(WireEnd.frame(query)));
      assertThat(((CqlRequest.Query) read).parameters().pageSize()).isEqualTo(-1);
    }
  }

  private RawType type(int depth) {
    return switch (random.nextInt(depth > 2 ? 2 : 7)) {
      case 0 -> new RawType.RawCustom("org.apache." + text(5));
      case 1 -> Objects.requireNonNull(RawType.PRIMITIVES.get(ProtocolConstants.DataType.VARCHAR));
      case 2 -> new RawType.RawList(type(depth + 1));
      case 3 -> new RawType.RawSet(type(depth + 1));
      case 4 -> new RawType.RawMap(type(depth + 1), type(depth + 1));
      case 5 -> new RawType.RawTuple(List.of(type(depth + 1), type(depth + 1)));
      default -> {
        Map<String, RawType> fields = new LinkedHashMap<>();
        fields.put("a", type(depth + 1));
        fields.put("b" + text(3), type(depth + 1));
        yield new RawType.RawUdt("ks", "udt", fields);
      }
    };
  }

  private RowsMetadata metadata(int version) {
    List<ColumnSpec> specs = new ArrayList<>();
    boolean oneTable = random.nextBoolean();
    for (int i = 0; i <= random.nextInt(4); i++) {
      specs.add(new ColumnSpec("ks", oneTable ? "t" : "t" + i, "c" + i, i, type(0)));
    }
    ByteBuffer more = random.nextBoolean() ? ByteBuffer.wrap(id()) : null;
    byte[] changed = version >= 5 && random.nextInt(3) == 0 ? id() : null;
    return random.nextInt(3) == 0
        ? new RowsMetadata(specs.size(), more, null, changed)
        : new RowsMetadata(specs, more, null, changed);
  }

  private Frame response(int version, Message message) {
    boolean modern = version >= 4;
    return WireEnd.frame(
        WireEnd.response(
            com.datastax.oss.protocol.internal.Frame.forResponse(
                version,
                5,
                random.nextBoolean() ? new UUID(random.nextLong(), 1) : null,
                modern && random.nextBoolean() ? Map.of("k", ByteBuffer.wrap(id())) : Map.of(),
                modern && random.nextBoolean() ? List.of("beware", text(9)) : List.of(),
                message)));
  }

  @TestFactory
  List<DynamicTest> rows_are_counted_behind_tracing_warnings_and_payload() {
    return versions(
        version -> {
          for (int i = 0; i < ROUNDS; i++) {
            RowsMetadata metadata = metadata(version);
            ArrayDeque<List<ByteBuffer>> rows = new ArrayDeque<>();
            int count = random.nextInt(5);
            for (int n = 0; n < count; n++) {
              List<ByteBuffer> row = new ArrayList<>();
              for (int c = 0; c < metadata.columnCount; c++) {
                row.add(value(3));
              }
              rows.add(row);
            }
            Frame frame = response(version, new DefaultRows(metadata, rows));
            assertThat(Answers.isRows(frame)).isTrue();
            assertThat(Answers.rowCount(frame)).isEqualTo(count);
            assertThat(Answers.errorCode(frame)).isEqualTo(-1);
          }
        });
  }

  @TestFactory
  List<DynamicTest> other_answers_are_read_behind_tracing_warnings_and_payload() {
    return versions(
        version -> {
          for (int i = 0; i < 200; i++) {
            byte[] id = id();
            Frame unprepared = response(version, new Unprepared("what?", id));
            assertThat(Answers.errorCode(unprepared)).isEqualTo(0x2500);
            assertThat(Answers.errorMessage(unprepared)).isEqualTo("what?");
            assertThat(Answers.unpreparedId(unprepared)).isEqualTo(new PreparedId(id));
            assertThat(Answers.rowCount(unprepared)).isZero();

            Frame prepared =
                response(
                    version,
                    new Prepared(
                        id,
                        version >= 5 ? id() : null,
                        new RowsMetadata(List.of(), null, new int[0], null),
                        new RowsMetadata(List.of(), null, null, null)));
            assertThat(Answers.isPrepared(prepared)).isTrue();
            assertThat(Answers.preparedId(prepared)).isEqualTo(new PreparedId(id));
            assertThat(Answers.isRows(prepared)).isFalse();

            Frame used = response(version, new SetKeyspace("Ks"));
            assertThat(Answers.isSetKeyspace(used)).isTrue();
            assertThat(Answers.keyspace(used)).isEqualTo("Ks");
            assertThat(Answers.isSchemaChange(used)).isFalse();
            assertThat(Answers.rowCount(response(version, Void.INSTANCE))).isZero();
          }
        });
  }

  /** A message may quote a client's text of any length; a [string] may not be longer than 64 KB. */
  @Test
  void an_error_stays_readable_whatever_it_quotes() {
    Frame frame = CqlCodec.error(4, ErrorCode.INVALID, "é".repeat(100_000));
    assertThat(Answers.errorMessage(frame)).startsWith("éé").endsWith("é…").hasSize(4097);
    frame.release();
    Frame timeout = CqlCodec.readTimeout(4, "x".repeat(100_000), 1, 0, 1);
    assertThat(Answers.errorMessage(timeout)).hasSize(4097);
    timeout.release();
  }

  @Test
  void the_vendors_codec_reads_the_messages_of_the_proxy() {
    Frame error = CqlCodec.error(4, ErrorCode.OVERLOADED, "too much").onStream(300);
    assertThat(WireEnd.hex(error))
        .isEqualTo(
            org.assertj.core.util.Hexadecimals.toHexString(
                    WireEnd.response(
                        com.datastax.oss.protocol.internal.Frame.forResponse(
                            4, 300, null, Map.of(), List.of(), new Error(0x1001, "too much"))))
                .toLowerCase(java.util.Locale.ROOT));
    error.release();
  }
}
