package io.sluice.it;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/**
 * Tables for range reads: narrow, wide, static, composite, every type, counters, indexes,
 * tombstones, quoted names, one row, none. Both targets read the same keyspace.
 */
final class RangeTables {

  /**
   * One table.
   *
   * @param name name in CQL
   * @param key columns of the partition key, in CQL
   * @param statics whether DISTINCT may select more than the key
   * @param columns all other columns
   * @param numbers columns that can be summed
   * @param filters conditions that need ALLOW FILTERING
   * @param indexed conditions that an index supports
   */
  record Shape(
      String name,
      List<String> key,
      List<String> statics,
      List<String> columns,
      List<String> numbers,
      List<String> filters,
      List<String> indexed) {}

  static final List<Shape> ALL =
      List.of(
          new Shape(
              "narrow",
              List.of("k"),
              List.of(),
              List.of("v", "n", "d"),
              List.of("n", "d"),
              List.of("n = 3", "n > 80", "v = 'v7'"),
              List.of()),
          new Shape(
              "wide",
              List.of("p"),
              List.of("s", "t"),
              List.of("c", "v", "n", "s", "t"),
              List.of("n", "c", "t"),
              List.of("n < 10", "c = 2", "s = 's14'"),
              List.of()),
          new Shape(
              "composite",
              List.of("a", "b"),
              List.of(),
              List.of("c", "d", "v"),
              List.of("c"),
              List.of("c > 3", "v = 'none'"),
              List.of()),
          new Shape(
              "every_type",
              List.of("k"),
              List.of(),
              List.of(
                  "ti", "si", "i", "bi", "vi", "de", "fl", "dou", "tx", "ac", "bl", "bo", "da",
                  "tm", "ts", "uu", "tu", "ine", "li", "st", "ma", "tup"),
              List.of("ti", "si", "i", "bi", "vi", "de", "fl", "dou"),
              List.of("bo = true", "ti > 5", "ts < 'now'"),
              List.of()),
          new Shape(
              "counted", List.of("k"), List.of(), List.of("n"), List.of("n"), List.of(), List.of()),
          new Shape(
              "indexed",
              List.of("k"),
              List.of(),
              List.of("c", "n", "m"),
              List.of("n", "m"),
              List.of("n = 4 AND m = 1"),
              List.of("n = 4", "m = 2", "m > 7")),
          new Shape(
              "\"Quoted\"",
              List.of("\"Key\""),
              List.of(),
              List.of("\"from\"", "\"V a l\""),
              List.of("\"V a l\""),
              List.of("\"V a l\" = 1"),
              List.of()),
          new Shape(
              "buried",
              List.of("p"),
              List.of("s"),
              List.of("c", "v", "s"),
              List.of("c", "v"),
              List.of("v = 1"),
              List.of()),
          new Shape(
              "tiny", List.of("k"), List.of(), List.of("v"), List.of("v"), List.of(), List.of()),
          new Shape(
              "nothing",
              List.of("k"),
              List.of("s"),
              List.of("c", "v", "s"),
              List.of("v"),
              List.of("v = 1"),
              List.of()));

  private static final int AT_ONCE = 64;

  private RangeTables() {}

  /** Creates the place's keyspace anew, with all tables and their rows. */
  static void create(Place place, int rf, String partitioner, long seed) {
    place.session().execute("DROP KEYSPACE IF EXISTS " + place.keyspace());
    place
        .session()
        .execute(
            "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': %d}"
                .formatted(place.keyspace(), rf));
    place.changeAll(schema(partitioner));
    write(place, seed);
  }

  /**
   * Writes many rows at once, which is faster than the test. Their order is kept, because the
   * driver sets the timestamp when it gets a statement.
   */
  private static void write(Place place, long seed) {
    List<CompletionStage<AsyncResultSet>> pending = new ArrayList<>();
    for (String cql : writes(seed)) {
      if (pending.size() == AT_ONCE) {
        pending.forEach(each -> each.toCompletableFuture().join());
        pending.clear();
      }
      pending.add(
          place
              .session()
              .executeAsync(place.statement(cql).setConsistencyLevel(DefaultConsistencyLevel.ALL)));
    }
    pending.forEach(each -> each.toCompletableFuture().join());
  }

  /** Returns the schema. Storage-attached indexes need the Murmur3 partitioner. */
  static List<String> schema(String partitioner) {
    String index = partitioner.equals("murmur3") ? " USING 'sai'" : "";
    return List.of(
        "CREATE TABLE $ks.narrow (k bigint PRIMARY KEY, v text, n int, d decimal)",
        "CREATE TABLE $ks.wide (p int, c int, s text static, t bigint static, v text, n smallint,"
            + " PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)",
        "CREATE TABLE $ks.composite (a text, b int, c int, d text, v text,"
            + " PRIMARY KEY ((a, b), c, d))",
        "CREATE TABLE $ks.every_type (k uuid PRIMARY KEY, ti tinyint, si smallint, i int,"
            + " bi bigint, vi varint, de decimal, fl float, dou double, tx text, ac ascii,"
            + " bl blob, bo boolean, da date, tm time, ts timestamp, uu uuid, tu timeuuid,"
            + " ine inet, li list<int>, st set<text>, ma map<text, int>, tup tuple<int, text>)",
        "CREATE TABLE $ks.counted (k int PRIMARY KEY, n counter)",
        "CREATE TABLE $ks.indexed (k int, c int, n int, m int, PRIMARY KEY (k, c))",
        "CREATE INDEX ON $ks.indexed (n)",
        "CREATE INDEX ON $ks.indexed (m)" + index,
        "CREATE TABLE $ks.\"Quoted\" (\"Key\" text PRIMARY KEY, \"from\" text, \"V a l\" int)",
        "CREATE TABLE $ks.buried (p int, c int, s text static, v int, PRIMARY KEY (p, c))",
        "CREATE TABLE $ks.tiny (k int PRIMARY KEY, v int)",
        "CREATE TABLE $ks.nothing (k int, c int, s text static, v int, PRIMARY KEY (k, c))");
  }

  /** Returns the writes in order. Equal seeds give equal writes. */
  static List<String> writes(long seed) {
    Random random = new Random(seed);
    List<String> all = new ArrayList<>();
    for (int k = 0; k < 700; k++) {
      String n = k % 9 == 0 ? "null" : "" + random.nextInt(100);
      all.add(
          "INSERT INTO $ks.narrow (k, v, n, d) VALUES (%d, 'v%d', %s, %d.%02d)"
              .formatted(random.nextLong(), k % 30, n, k, random.nextInt(100)));
    }
    for (int p = 0; p < 160; p++) {
      int rows = random.nextInt(10) == 0 ? 60 : random.nextInt(6);
      for (int c = 0; c < rows; c++) {
        all.add(
            "INSERT INTO $ks.wide (p, c, v, n) VALUES (%d, %d, 'text %d', %d)"
                .formatted(p, c, c, random.nextInt(200) - 100));
      }
      if (p % 7 == 0) {
        all.add("INSERT INTO $ks.wide (p, s, t) VALUES (%d, 's%d', %d)".formatted(p, p, p * p));
      }
    }
    for (int i = 0; i < 250; i++) {
      all.add(
          "INSERT INTO $ks.composite (a, b, c, d, v) VALUES ('%s', %d, %d, '%s', %s)"
              .formatted(
                  "k".repeat(i % 4), i % 25, i % 9, "d" + i % 5, i % 3 == 0 ? "null" : "'v'"));
    }
    everyType(random, all);
    for (int k = 0; k < 90; k++) {
      all.add("UPDATE $ks.counted SET n = n + %d WHERE k = %d".formatted(random.nextInt(50), k));
      all.add(
          "INSERT INTO $ks.indexed (k, c, n, m) VALUES (%d, %d, %d, %d)"
              .formatted(k, k % 4, k % 11, k % 9));
      all.add(
          "INSERT INTO $ks.\"Quoted\" (\"Key\", \"from\", \"V a l\") VALUES ('%d''s', 'f', %d)"
              .formatted(k, k % 3));
    }
    buried(random, all);
    all.add("INSERT INTO $ks.tiny (k, v) VALUES (1, 1)");
    return all;
  }

  private static void everyType(Random random, List<String> all) {
    for (int k = 0; k < 120; k++) {
      long high = (random.nextLong() & ~0xF000L) | 0x4000L;
      long low = (random.nextLong() & ~(3L << 62)) | (2L << 62);
      String id = new java.util.UUID(high, low).toString();
      all.add(
          ("INSERT INTO $ks.every_type (k, ti, si, i, bi, vi, de, fl, dou, tx, ac, bl, bo, da, tm,"
                  + " ts, uu, tu, ine, li, st, ma, tup) VALUES (%s, %d, %d, %d, %d, %d, %d.%d,"
                  + " %d.5, %d.25, 'ü%d', 'a%d', 0x%08x, %s, '2026-01-%02d', '08:12:%02d',"
                  + " '2026-02-%02d', %s, 50554d6e-29bb-11e5-b345-%012x, '10.0.0.%d', [%d, 2],"
                  + " {'x', 'y%d'}, {'m': %d}, (%d, 't'))")
              .formatted(
                  id,
                  k % 100,
                  k * 100,
                  random.nextInt(),
                  random.nextLong(),
                  random.nextLong(),
                  k,
                  k,
                  k,
                  k,
                  k,
                  k,
                  k,
                  k % 2 == 0,
                  1 + k % 28,
                  k % 60,
                  1 + k % 28,
                  id,
                  k,
                  k,
                  k,
                  k,
                  k,
                  k));
      if (k % 5 == 0) {
        all.add("DELETE tx, i, li, de FROM $ks.every_type WHERE k = " + id);
      }
    }
  }

  /** Adds deleted rows, ranges and partitions. Some return, some only as static rows. */
  private static void buried(Random random, List<String> all) {
    for (int p = 0; p < 120; p++) {
      for (int c = 0; c < 8; c++) {
        all.add("INSERT INTO $ks.buried (p, c, v) VALUES (%d, %d, %d)".formatted(p, c, c));
      }
      all.add("INSERT INTO $ks.buried (p, s) VALUES (%d, 's')".formatted(p));
      switch (random.nextInt(5)) {
        case 0 -> all.add("DELETE FROM $ks.buried WHERE p = " + p);
        case 1 -> all.add("DELETE FROM $ks.buried WHERE p = %d AND c > 2".formatted(p));
        case 2 -> all.add("DELETE FROM $ks.buried WHERE p = %d AND c >= 0".formatted(p));
        case 3 -> all.add("DELETE FROM $ks.buried WHERE p = %d AND c = 0".formatted(p));
        default -> all.add("DELETE s FROM $ks.buried WHERE p = " + p);
      }
    }
  }
}
