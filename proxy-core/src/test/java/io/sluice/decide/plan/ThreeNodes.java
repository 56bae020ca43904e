package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes with one replica of each range. A owns ],-60] and ]60,], B ]-60,0], C ]0,60], in
 * units of {@link #E17}. A key of one int is its own token.
 */
final class ThreeNodes {
  static final long E17 = 100_000_000_000_000_000L;
  static final NodeId A = new NodeId(new UUID(0, 0xA));
  static final NodeId B = new NodeId(new UUID(0, 0xB));
  static final NodeId C = new NodeId(new UUID(0, 0xC));
  static final Token MINIMUM = new Token.Murmur3(Long.MIN_VALUE);
  static final Ring RING =
      new Ring(
          TestPartitioner.INT_KEYS,
          "dc",
          Map.of(),
          Map.of(
              "ks",
              new Ring.Replicas(
                  List.of(token(-60), token(-30), token(0), token(60)),
                  List.of(List.of(A), List.of(B), List.of(B), List.of(C)))));

  /**
   * {@code ks.t}: key k, clustering c and d; {@code ks.pair}: key a and b; {@code ks.thin}: key k
   * without clustering; {@code ks.compact}.
   */
  static final Catalog CATALOG =
      (keyspace, table) ->
          keyspace.equals("ks")
              ? switch (table) {
                case "t" ->
                    table("t", 1, "k int", "c int", "d text", "s int", "v int", "l set<int>");
                case "pair" -> table("pair", 2, "a int", "b text", "v int");
                case "thin" -> thin();
                case "mixed" -> table("mixed", 1, "Key \"x\" int", "v int");
                case "compact" ->
                    new Table("ks", "compact", key("k int"), List.of(), Map.of(), true);
                default -> null;
              }
              : null;

  private ThreeNodes() {}

  static Token token(long e17) {
    return new Token.Murmur3(e17 * E17);
  }

  private static Table thin() {
    List<String> columns = new ArrayList<>(List.of("k int"));
    for (String type :
        "tinyint smallint int bigint varint counter decimal float double text blob boolean date time timestamp uuid inet duration"
            .split(" ", -1)) {
      columns.add(type + "_ " + type);
    }
    columns.addAll(List.of("set_ set<int>", "times_ map<timestamp,text>", "names_ map<text,text>"));
    return table("thin", 1, columns.toArray(new String[0]));
  }

  private static List<KeyColumn> key(String... columns) {
    List<KeyColumn> key = new ArrayList<>();
    for (String column : columns) {
      int blank = column.lastIndexOf(' ');
      key.add(new KeyColumn(column.substring(0, blank), column.substring(blank + 1)));
    }
    return key;
  }

  private static Table table(String name, int keys, String... columns) {
    List<KeyColumn> all = key(columns);
    Map<String, String> types = new HashMap<>();
    all.forEach(each -> types.put(each.name(), each.type()));
    List<KeyColumn> clustering = name.equals("t") ? all.subList(1, 3) : List.of();
    return new Table("ks", name, all.subList(0, keys), clustering, types, false);
  }

  /**
   * Returns values by position, from text: {@code 5} is an int, {@code 5L} a bigint, anything else
   * null.
   */
  static BoundValues values(String... texts) {
    return new BoundValues() {
      @Override
      public @Nullable ByteBuffer get(int index) {
        String text = index < texts.length ? texts[index].strip() : "";
        if (text.matches("-?\\d+L")) {
          long value = Long.parseLong(text.substring(0, text.length() - 1));
          return ByteBuffer.allocate(8).putLong(0, value);
        }
        return text.matches("-?\\d+")
            ? ByteBuffer.allocate(4).putInt(0, Integer.parseInt(text))
            : null;
      }

      @Override
      public @Nullable ByteBuffer get(String name) {
        return null;
      }
    };
  }
}
