package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.plan.MergeRule.FoldColumn;
import io.sluice.wire.CellOrder;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.TestRows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.cassandra.cql3.functions.AggregateFcts;
import org.apache.cassandra.cql3.functions.AggregateFunction;
import org.apache.cassandra.cql3.functions.NativeAggregateFunction;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.transport.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that aggregates folded from parts equal those of Cassandra's own functions over all values.
 */
class FoldTest {

  private static final Map<String, AbstractType<?>> TYPES =
      Map.ofEntries(
          Map.entry("tinyint", ByteType.instance),
          Map.entry("smallint", ShortType.instance),
          Map.entry("int", Int32Type.instance),
          Map.entry("bigint", LongType.instance),
          Map.entry("varint", IntegerType.instance),
          Map.entry("decimal", DecimalType.instance),
          Map.entry("float", FloatType.instance),
          Map.entry("double", DoubleType.instance),
          Map.entry("text", UTF8Type.instance),
          Map.entry("ascii", AsciiType.instance),
          Map.entry("blob", BytesType.instance),
          Map.entry("boolean", BooleanType.instance),
          Map.entry("timestamp", TimestampType.instance),
          Map.entry("date", SimpleDateType.instance),
          Map.entry("time", TimeType.instance),
          Map.entry("inet", InetAddressType.instance),
          Map.entry("uuid", UUIDType.instance),
          Map.entry("timeuuid", TimeUUIDType.instance));

  private static final Map<String, NativeAggregateFunction> SUMS =
      Map.of(
          "tinyint", AggregateFcts.sumFunctionForByte,
          "smallint", AggregateFcts.sumFunctionForShort,
          "int", AggregateFcts.sumFunctionForInt32,
          "bigint", AggregateFcts.sumFunctionForLong,
          "varint", AggregateFcts.sumFunctionForVarint,
          "decimal", AggregateFcts.sumFunctionForDecimal);

  private static final Map<String, NativeAggregateFunction> AVERAGES =
      Map.of(
          "tinyint", AggregateFcts.avgFunctionForByte,
          "smallint", AggregateFcts.avgFunctionForShort,
          "int", AggregateFcts.avgFunctionForInt32,
          "bigint", AggregateFcts.avgFunctionForLong,
          "varint", AggregateFcts.avgFunctionForVarint);

  private final Random random = new Random(17);

  static List<String> allTypes() {
    return TYPES.keySet().stream().sorted().toList();
  }

  static List<String> summedTypes() {
    return SUMS.keySet().stream().sorted().toList();
  }

  static List<String> averagedTypes() {
    return AVERAGES.keySet().stream().sorted().toList();
  }

  /** Returns a value of the type, often equal or close to an earlier one. */
  private ByteBuffer value(String type) {
    boolean small = random.nextBoolean();
    byte[] bytes = new byte[small ? 1 : random.nextInt(1, 20)];
    random.nextBytes(bytes);
    long number = small ? random.nextInt(9) - 4 : random.nextLong() >> random.nextInt(64);
    return switch (type) {
      case "tinyint" -> ByteType.instance.decompose((byte) number);
      case "smallint" -> ShortType.instance.decompose((short) number);
      case "int" -> Int32Type.instance.decompose((int) number);
      case "bigint", "timestamp" -> LongType.instance.decompose(number);
      case "time" -> LongType.instance.decompose(number & Long.MAX_VALUE);
      case "varint" -> IntegerType.instance.decompose(new BigInteger(bytes));
      case "decimal" ->
          DecimalType.instance.decompose(
              new BigDecimal(new BigInteger(bytes), random.nextInt(12) - 4));
      case "float" -> FloatType.instance.decompose(Float.intBitsToFloat((int) number << 20));
      case "double" -> DoubleType.instance.decompose(Double.longBitsToDouble(number << 50));
      case "boolean" -> BooleanType.instance.decompose(small);
      case "date" -> Int32Type.instance.decompose((int) number);
      case "inet" -> ByteBuffer.wrap(Arrays.copyOf(bytes, small ? 4 : 16));
      case "uuid", "timeuuid" -> uuid(type.equals("timeuuid") || random.nextBoolean());
      case "text", "ascii" -> UTF8Type.instance.decompose("ab".repeat(random.nextInt(3)) + number);
      default -> ByteBuffer.wrap(bytes);
    };
  }

  private ByteBuffer uuid(boolean version1) {
    long high = random.nextBoolean() ? random.nextLong() : random.nextInt(4);
    long version = version1 ? 1 : 4;
    long low = random.nextBoolean() ? random.nextLong() : random.nextInt(300);
    UUID uuid = new UUID((high & ~0xF000L) | (version << 12), (low >>> 2) | Long.MIN_VALUE);
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .flip();
  }

  private static @Nullable ByteBuffer byCassandra(
      NativeAggregateFunction function, List<@Nullable ByteBuffer> values) {
    AggregateFunction.Aggregate aggregate = function.newAggregate();
    for (ByteBuffer value : values) {
      var arguments = function.newArguments(ProtocolVersion.V4);
      arguments.set(0, value == null ? null : value.duplicate());
      aggregate.addInput(arguments);
    }
    return aggregate.compute(ProtocolVersion.V4);
  }

  private static byte @Nullable [] fold(FoldColumn column, List<List<@Nullable ByteBuffer>> parts) {
    Accumulator accumulator = Fold.accumulator(column);
    for (List<@Nullable ByteBuffer> part : parts) {
      StringBuilder columns = new StringBuilder("c0 blob");
      for (int i = 1; i < part.size(); i++) {
        columns.append(", c").append(i).append(" blob");
      }
      RowCursor row = RowsAnswer.of(new TestRows(columns.toString()).row(part).frame()).rows();
      row.next();
      accumulator.add(row);
    }
    return accumulator.result();
  }

  private static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  /** Returns random values in random parts. Some parts are empty, some values null. */
  private List<List<@Nullable ByteBuffer>> split(String type) {
    List<List<@Nullable ByteBuffer>> parts = new ArrayList<>();
    for (int n = random.nextInt(6); n >= 0; n--) {
      List<@Nullable ByteBuffer> values = new ArrayList<>();
      for (int m = random.nextInt(6); m > 0; m--) {
        values.add(random.nextInt(5) == 0 ? null : value(type));
      }
      parts.add(values);
    }
    return parts;
  }

  private static List<@Nullable ByteBuffer> joined(List<List<@Nullable ByteBuffer>> parts) {
    List<@Nullable ByteBuffer> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return all;
  }

  @ParameterizedTest
  @MethodSource("allTypes")
  void least_and_greatest_equal_those_of_cassandra(String type) {
    AbstractType<?> ofCassandra = TYPES.get(type);
    for (int i = 0; i < 100; i++) {
      List<List<@Nullable ByteBuffer>> parts = split(type);
      for (boolean least : new boolean[] {true, false}) {
        NativeAggregateFunction function =
            least
                ? AggregateFcts.makeMinFunction(ofCassandra)
                : AggregateFcts.makeMaxFunction(ofCassandra);
        List<List<@Nullable ByteBuffer>> answers = new ArrayList<>();
        for (List<@Nullable ByteBuffer> part : parts) {
          List<@Nullable ByteBuffer> row = new ArrayList<>();
          row.add(byCassandra(function, part));
          answers.add(row);
        }
        FoldColumn.Kind kind = least ? FoldColumn.Kind.MIN : FoldColumn.Kind.MAX;
        assertThat(wrap(fold(new FoldColumn(kind, 0, -1, type), answers)))
            .isEqualTo(byCassandra(function, joined(parts)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("allTypes")
  void values_are_ordered_as_cassandra_orders_them(String type) {
    AbstractType<?> ofCassandra = TYPES.get(type);
    boolean mayBeEmpty = !List.of("tinyint", "smallint", "date", "time").contains(type);
    for (int i = 0; i < 2000; i++) {
      ByteBuffer a = mayBeEmpty && random.nextInt(9) == 0 ? ByteBuffer.allocate(0) : value(type);
      ByteBuffer b = mayBeEmpty && random.nextInt(9) == 0 ? ByteBuffer.allocate(0) : value(type);
      assertThat(Integer.signum(CellOrder.of(type).compare(array(a), array(b))))
          .isEqualTo(Integer.signum(ofCassandra.compare(a, b)));
    }
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("summedTypes")
  void sums_equal_those_of_cassandra_and_overflow_alike(String type) {
    for (int i = 0; i < 200; i++) {
      List<List<@Nullable ByteBuffer>> parts = split(type);
      List<List<@Nullable ByteBuffer>> answers = new ArrayList<>();
      for (List<@Nullable ByteBuffer> part : parts) {
        answers.add(Arrays.asList(byCassandra(SUMS.get(type), part)));
      }
      assertThat(wrap(fold(new FoldColumn(FoldColumn.Kind.SUM, 0, -1, type), answers)))
          .isEqualTo(byCassandra(SUMS.get(type), joined(parts)));
    }
  }

  @ParameterizedTest
  @MethodSource("averagedTypes")
  void averages_of_exact_sums_equal_those_of_cassandra(String type) {
    for (int i = 0; i < 200; i++) {
      List<List<@Nullable ByteBuffer>> parts = split(type);
      List<List<@Nullable ByteBuffer>> answers = new ArrayList<>();
      for (List<@Nullable ByteBuffer> part : parts) {
        BigInteger sum = BigInteger.ZERO;
        long count = 0;
        for (ByteBuffer value : part) {
          if (value != null) {
            sum = sum.add(new BigInteger(array(value)));
            count++;
          }
        }
        answers.add(
            Arrays.asList(
                null, LongType.instance.decompose(count), ByteBuffer.wrap(sum.toByteArray())));
      }
      assertThat(wrap(fold(new FoldColumn(FoldColumn.Kind.AVG, 2, 1, type), answers)))
          .isEqualTo(byCassandra(AVERAGES.get(type), joined(parts)));
    }
  }

  @Test
  void counts_are_added_up() {
    List<List<@Nullable ByteBuffer>> answers =
        List.of(
            Arrays.asList(LongType.instance.decompose(40L)),
            Arrays.asList(LongType.instance.decompose(2L)));
    assertThat(wrap(fold(new FoldColumn(FoldColumn.Kind.COUNT, 0, -1, "bigint"), answers)))
        .isEqualTo(LongType.instance.decompose(42L));
  }

  private static ByteBuffer decimal(String value) {
    return DecimalType.instance.decompose(new BigDecimal(value));
  }

  /** The sum of 1 and 1E-300000000, of five bytes each, has 125 MB. */
  @Test
  void decimals_of_very_different_scales_are_not_summed() {
    FoldColumn sum = new FoldColumn(FoldColumn.Kind.SUM, 0, -1, "decimal");
    List<List<@Nullable ByteBuffer>> near =
        List.of(List.of(decimal("1E-10000")), List.of(decimal("1")));
    assertThat(wrap(fold(sum, near)))
        .isEqualTo(DecimalType.instance.decompose(new BigDecimal("1E-10000").add(BigDecimal.ONE)));
    for (String other : List.of("1E-10001", "1E-300000000", "1E+300000000")) {
      List<List<@Nullable ByteBuffer>> far =
          List.of(List.of(decimal("1")), List.of(decimal(other)));
      assertThatThrownBy(() -> fold(sum, far)).isInstanceOf(ArithmeticException.class);
    }
  }

  /** Each value would multiply the sum of all before it. */
  @Test
  void decimals_are_not_summed_whose_scales_differ_step_by_step() {
    FoldColumn sum = new FoldColumn(FoldColumn.Kind.SUM, 0, -1, "decimal");
    List<List<@Nullable ByteBuffer>> steps =
        List.of(List.of(decimal("1E+6000")), List.of(decimal("1")), List.of(decimal("1E-6000")));
    assertThatThrownBy(() -> fold(sum, steps)).isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = FoldColumn.Kind.class,
      names = {"SUM", "MIN", "MAX"})
  void decimals_of_very_many_digits_are_not_combined(FoldColumn.Kind kind) {
    FoldColumn extreme = new FoldColumn(kind, 0, -1, "decimal");
    List<List<@Nullable ByteBuffer>> long_ = List.of(List.of(decimal("9".repeat(10_000))));
    assertThatThrownBy(() -> fold(extreme, long_)).isInstanceOf(ArithmeticException.class);
    FoldColumn whole = new FoldColumn(kind, 0, -1, "varint");
    ByteBuffer large = ByteBuffer.wrap(new BigInteger("9".repeat(10_000)).toByteArray());
    assertThat(wrap(fold(whole, List.of(List.of(large))))).isEqualTo(large);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double"})
  void sums_that_depend_on_the_order_are_refused(String type) {
    assertThatThrownBy(() -> Fold.accumulator(new FoldColumn(FoldColumn.Kind.SUM, 0, -1, type)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double", "decimal"})
  void averages_that_depend_on_the_order_are_refused(String type) {
    assertThatThrownBy(() -> Fold.accumulator(new FoldColumn(FoldColumn.Kind.AVG, 0, 1, type)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_unknown_order_is_refused() {
    assertThatThrownBy(
            () -> Fold.accumulator(new FoldColumn(FoldColumn.Kind.MAX, 0, -1, "list<int>")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
