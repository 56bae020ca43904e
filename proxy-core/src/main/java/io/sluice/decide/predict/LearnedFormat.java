package io.sluice.decide.predict;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.ring.TableName;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The serial format of densities for other proxies: the format's number, then one entry per table.
 * Data with another number is skipped as a whole. An entry that is not a density ends the reading.
 * Pure.
 */
final class LearnedFormat {

  /** The number of this format. A format that encodes anything differently gets the next number. */
  static final byte FORMAT = 1;

  /** Limit on the bytes of all entries of one proxy; about seventy tables. */
  static final int MAX_BYTES = 16 << 10;

  private static final int LONGEST_NAME = 255;
  private static final int NUMBERS_BYTES = 1 + Integer.BYTES + 6 * Float.BYTES;
  private static final int PARTS_BYTES = DensitySummary.PARTS * (Float.BYTES + 1);
  private static final double WHOLE = 255;

  private LearnedFormat() {}

  /**
   * The density of one table.
   *
   * @param kind which rows of it: all, or one per partition
   */
  record Entry(TableName table, Kind kind, DensitySummary density) {}

  /** Writes as many entries as fit, from the first on. */
  static ByteBuffer write(List<Entry> entries) {
    ByteBuffer into = ByteBuffer.allocate(MAX_BYTES);
    into.put(FORMAT);
    for (Entry each : entries) {
      byte[] keyspace = each.table().keyspace().getBytes(StandardCharsets.UTF_8);
      byte[] name = each.table().name().getBytes(StandardCharsets.UTF_8);
      int length = 2 + keyspace.length + name.length + NUMBERS_BYTES + PARTS_BYTES;
      boolean tellable = keyspace.length <= LONGEST_NAME && name.length <= LONGEST_NAME;
      if (tellable && length <= into.remaining()) {
        into.put((byte) keyspace.length).put(keyspace).put((byte) name.length).put(name);
        into.put((byte) (each.kind() == Kind.EVERY ? 0 : 1));
        write(each.density(), into);
      }
    }
    return into.flip().asReadOnlyBuffer();
  }

  private static void write(DensitySummary density, ByteBuffer into) {
    DensitySummary.Totals totals = density.totals();
    into.putInt((int) Math.min(Integer.MAX_VALUE, density.ageSeconds()));
    into.putFloat((float) totals.bytesPerRow()).putFloat((float) totals.largeRowBytes());
    into.putFloat((float) totals.ratioSeen()).putFloat((float) totals.ratioRows());
    into.putFloat((float) totals.ratioPartitions()).putFloat((float) totals.counted());
    for (int part = 0; part < DensitySummary.PARTS; part++) {
      // Rounded up, so that a part of which little was read does not become unread.
      into.putFloat((float) density.density(part));
      into.put((byte) Math.ceil(Math.min(1, density.seen(part)) * WHOLE));
    }
  }

  /** Reads the entries of another proxy up to the first that is invalid. Never throws. */
  static List<Entry> read(ByteBuffer written) {
    ByteBuffer from = written.duplicate();
    List<Entry> entries = new ArrayList<>();
    if (!from.hasRemaining() || from.get() != FORMAT) {
      return entries;
    }
    while (from.hasRemaining()) {
      Entry entry = entry(from);
      if (entry == null) {
        return entries;
      }
      entries.add(entry);
    }
    return entries;
  }

  private static @Nullable Entry entry(ByteBuffer from) {
    try {
      TableName table = new TableName(text(from), text(from));
      Kind kind = from.get() == 0 ? Kind.EVERY : Kind.ONE_A_PARTITION;
      return new Entry(table, kind, density(from));
    } catch (BufferUnderflowException | IllegalArgumentException notADensity) {
      return null;
    }
  }

  private static String text(ByteBuffer from) {
    byte[] text = new byte[from.get() & 0xFF];
    from.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static DensitySummary density(ByteBuffer from) {
    long age = from.getInt();
    DensitySummary.Totals totals =
        new DensitySummary.Totals(
            from.getFloat(),
            from.getFloat(),
            from.getFloat(),
            from.getFloat(),
            from.getFloat(),
            from.getFloat());
    double[] density = new double[DensitySummary.PARTS];
    double[] seen = new double[DensitySummary.PARTS];
    for (int part = 0; part < DensitySummary.PARTS; part++) {
      density[part] = from.getFloat();
      seen[part] = (from.get() & 0xFF) / WHOLE;
    }
    return DensitySummary.received(age, totals, density, seen);
  }
}
