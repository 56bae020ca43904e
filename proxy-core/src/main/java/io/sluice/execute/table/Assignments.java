package io.sluice.execute.table;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Restriction;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The values in an UPDATE of a small table: what it sets, and where. Stateless. */
public final class Assignments {

  private Assignments() {}

  /**
   * The text that each column is set to; null for one that is set to null.
   *
   * @param assignments what UPDATE sets
   * @throws NotAnswerable when a column is not there, or a value is none of its type
   */
  public static Map<String, @Nullable String> texts(
      List<Restriction> assignments, RowSet table, BoundValues values) throws NotAnswerable {
    Map<String, @Nullable String> texts = new HashMap<>();
    for (Restriction assignment : assignments) {
      Condition set = Condition.of(List.of(assignment), table, values).get(0);
      ByteBuffer value = set.values().get(0);
      texts.put(table.columns().get(set.column()).name(), value == null ? null : text(value));
    }
    return texts;
  }

  /** The texts in a column that is never null. */
  public static List<String> texts(RowSet rows, String column) {
    int at = rows.indexOf(column);
    return rows.rows().stream().map(row -> text(Objects.requireNonNull(row.get(at)))).toList();
  }

  /** The ids in a column that is never null. */
  public static List<UUID> uuids(RowSet rows, String column) {
    int at = rows.indexOf(column);
    return rows.rows().stream().map(row -> uuid(Objects.requireNonNull(row.get(at)))).toList();
  }

  private static UUID uuid(ByteBuffer cell) {
    return new UUID(cell.getLong(cell.position()), cell.getLong(cell.position() + Long.BYTES));
  }

  private static String text(ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
  }
}
