package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables that the tests of this room know. */
final class TestTables {
  static final List<Table> ALL =
      Stream.concat(
              Stream.of(
                  table("ks", "t", "k int"),
                  table("ks", "pair", "a int", "b text"),
                  table("ks", "triple", "a bigint", "b uuid", "c blob"),
                  table("other", "t", "id text"),
                  table("Mixed", "Table \"x\"", "Key int")),
              Stream.of(
                      "ascii",
                      "text",
                      "varchar",
                      "tinyint",
                      "smallint",
                      "int",
                      "bigint",
                      "varint",
                      "decimal",
                      "float",
                      "double",
                      "boolean",
                      "uuid",
                      "timeuuid",
                      "blob",
                      "inet",
                      "date",
                      "time",
                      "timestamp")
                  .map(type -> table("ks", "by_" + type, "k " + type)))
          .toList();

  private static final Map<String, Table> BY_NAME =
      ALL.stream().collect(Collectors.toMap(t -> t.keyspace() + "." + t.name(), t -> t));

  static final Catalog CATALOG = (keyspace, name) -> BY_NAME.get(keyspace + "." + name);

  private TestTables() {}

  private static Table table(String keyspace, String name, String... key) {
    return new Table(
        keyspace,
        name,
        Arrays.stream(key)
            .map(c -> new KeyColumn(c.split(" ", 2)[0], c.split(" ", 2)[1]))
            .toList());
  }
}
