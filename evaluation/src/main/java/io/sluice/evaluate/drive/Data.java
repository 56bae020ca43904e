package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.sluice.load.LoadedRows;
import io.sluice.load.RowChecksum;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The tables that every target reads. All tables have the same keys, spread evenly over the ring of
 * any partitioner. Each row has a value and its checksum. Immutable.
 */
public final class Data {
  /** Default length of a row's value in bytes. */
  public static final int VALUE_BYTES = 1000;

  static final String VALUE = "v";

  private final String keyspace;
  private final int tables;
  private final LoadedRows rows;
  private final Function<ByteBuffer, Token> tokens;
  private final int valueBytes;

  /**
   * Creates a description of the tables with values of the default length.
   *
   * @param keyspace keyspace of the tables
   * @param tables number of tables, at least 1
   * @param rowsOfTable rows of each table, at least 1
   * @param tokens the partitioner
   */
  public Data(String keyspace, int tables, int rowsOfTable, Function<ByteBuffer, Token> tokens) {
    this(keyspace, tables, rowsOfTable, tokens, VALUE_BYTES);
  }

  /**
   * Creates a description of the tables.
   *
   * @param valueBytes bytes of a row's value, at least 1
   */
  public Data(
      String keyspace,
      int tables,
      int rowsOfTable,
      Function<ByteBuffer, Token> tokens,
      int valueBytes) {
    if (tables < 1 || rowsOfTable < 1 || valueBytes < 1) {
      throw new IllegalArgumentException("tables, rows of a table, bytes of a value: at least 1");
    }
    this.keyspace = keyspace;
    this.tables = tables;
    this.tokens = tokens;
    this.valueBytes = valueBytes;
    this.rows = new LoadedRows(LongStream.range(0, rowsOfTable).mapToObj(Data::key), tokens, false);
  }

  /** Returns other tables of the same cluster. */
  public Data elsewhere(String otherKeyspace, int otherTables, int rowsOfTable) {
    return new Data(otherKeyspace, otherTables, rowsOfTable, tokens, valueBytes);
  }

  /** Returns the keyspace of the tables. */
  public String keyspace() {
    return keyspace;
  }

  /** Returns the number of tables. */
  public int tables() {
    return tables;
  }

  /** Returns the total length of all values in bytes. */
  public long valueBytesInAll() {
    return (long) tables * rows.size() * valueBytes;
  }

  /** Returns the rows, which are the same in all tables. */
  public LoadedRows rows() {
    return rows;
  }

  String table(int number) {
    return keyspace + ".t" + number;
  }

  /**
   * Returns eight evenly distributed bytes, by the finalizer of SplitMix64, which is one to one.
   */
  static ByteBuffer key(long number) {
    long z = number + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ByteBuffer.allocate(Long.BYTES).putLong(0, z ^ (z >>> 31));
  }

  /** Returns a new random value, which does not compress. */
  ByteBuffer value(SplittableRandom random) {
    byte[] bytes = new byte[valueBytes];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  static long checksum(ByteBuffer key, ByteBuffer value) {
    return RowChecksum.of(key, Map.of(VALUE, value));
  }
}
