package io.sluice.it;

import io.sluice.it.RangeTables.Shape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates SELECTs over token ranges and whole tables. Equal seeds give equal statements. */
final class RangeQueries {

  private static final String[] LEVELS = {
    "ONE", "LOCAL_ONE", "TWO", "QUORUM", "LOCAL_QUORUM", "ALL", "SERIAL"
  };
  private static final int[] FETCH_SIZES = {1, 2, 3, 7, 10, 33, 50, 100, 250, 1000, 5000};

  private final Random random;
  private final String partitioner;

  RangeQueries(long seed, String partitioner) {
    this.random = new Random(seed);
    this.partitioner = partitioner;
  }

  /**
   * One statement.
   *
   * @param cql text with {@code $ks} for the keyspace
   * @param values values of its bind markers; tokens are Long, BigInteger or ByteBuffer
   * @param fetchSize rows of a page; 0 for no paging
   * @param consistency its consistency level
   * @param prepared whether it is prepared
   * @param version protocol version
   */
  record Query(
      String cql,
      List<Object> values,
      int fetchSize,
      String consistency,
      boolean prepared,
      String version) {}

  Query next() {
    Shape table = one(RangeTables.ALL);
    List<Object> values = new ArrayList<>();
    boolean markers = random.nextBoolean();
    String select = selection(table);
    boolean distinct = select.startsWith("DISTINCT");
    List<String> conditions = new ArrayList<>(bounds(table, markers, values));
    boolean filtering = false;
    if (!distinct && random.nextInt(5) == 0) {
      if (!table.indexed().isEmpty() && random.nextBoolean()) {
        conditions.add(one(table.indexed()));
      } else if (!table.filters().isEmpty()) {
        conditions.add(one(table.filters()));
        filtering = random.nextInt(20) > 0;
      }
    }
    StringBuilder cql = new StringBuilder(chance(20) ? "select " : "SELECT ").append(select);
    cql.append(" FROM $ks.").append(table.name());
    if (!conditions.isEmpty()) {
      cql.append(" WHERE ").append(String.join(" AND ", conditions));
    }
    if (select.endsWith(" ")) {
      int columns = chance(4) ? Math.max(1, table.key().size() - 1) : table.key().size();
      cql.append(" GROUP BY ").append(String.join(", ", table.key().subList(0, columns)));
    }
    limits(cql, distinct, markers, values);
    cql.append(filtering || chance(15) ? " ALLOW FILTERING" : "");
    cql.append(chance(10) ? " ;" : "");
    int fetchSize = chance(6) ? 0 : FETCH_SIZES[random.nextInt(FETCH_SIZES.length)];
    String level = chance(2) ? LEVELS[random.nextInt(LEVELS.length)] : "ONE";
    String version = "V" + (3 + random.nextInt(3));
    return new Query(
        cql.toString(), values, fetchSize, level, markers || random.nextBoolean(), version);
  }

  /**
   * Returns prepared statements with one text that select their primary key and begin close to each
   * other, like those of one application's clients.
   */
  List<Query> alike(int count) {
    Shape table = one(RangeTables.ALL);
    String key = String.join(", ", table.key());
    boolean distinct = chance(5);
    boolean filtered = !distinct && chance(4) && !table.filters().isEmpty();
    String cql =
        "SELECT %s FROM $ks.%s WHERE token(%s) %s ?%s%s LIMIT ?%s"
            .formatted(
                distinct ? "DISTINCT " + key : "*",
                table.name(),
                key,
                random.nextBoolean() ? ">" : ">=",
                chance(2) ? " AND token(%s) <= ?".formatted(key) : "",
                filtered ? " AND " + one(table.filters()) : "",
                filtered ? " ALLOW FILTERING" : "");
    String version = "V" + (4 + random.nextInt(2));
    String level = chance(4) ? "QUORUM" : "ONE";
    List<Query> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long begin = random.nextLong(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
      List<Object> values = new ArrayList<>(List.of(begin));
      if (cql.contains("<=")) {
        values.add(begin + random.nextLong(1, Long.MAX_VALUE / 2));
      }
      values.add(1 + random.nextInt(chance(3) ? 5 : 200));
      int fetchSize = chance(3) ? 1 + random.nextInt(60) : 5_000;
      all.add(new Query(cql, values, fetchSize, level, true, version));
    }
    return all;
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String selection(Shape table) {
    String key = String.join(", ", table.key());
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> "*";
      case 3 -> key + ", " + String.join(", ", table.columns());
      case 4 -> some(table.columns());
      case 5 -> "JSON " + (random.nextBoolean() ? "*" : some(table.columns()));
      case 6 -> "DISTINCT " + key + (chance(2) ? rest(table.statics()) : "");
      case 7 -> "token(" + key + "), " + key + ", " + functions(table);
      case 8, 9 -> aggregates(table);
      // The trailing blank marks that groups follow.
      case 10 -> key + ", " + aggregates(table) + " ";
      default -> key + ", " + some(table.columns());
    };
  }

  private static String rest(List<String> more) {
    return more.isEmpty() ? "" : ", " + String.join(", ", more);
  }

  private String some(List<String> columns) {
    List<String> chosen = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      chosen.add(one(columns) + (chance(5) ? " AS x" + i : ""));
    }
    return String.join(", ", chosen);
  }

  private String functions(Shape table) {
    String column = one(table.columns());
    return switch (random.nextInt(4)) {
      case 0 -> "writetime(" + column + ")";
      case 1 -> "ttl(" + column + ")";
      case 2 -> "CAST(" + one(table.numbers()) + " AS text)";
      default -> "(int) 5, " + column;
    };
  }

  private String aggregates(Shape table) {
    List<String> all = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String column = one(table.numbers());
      all.add(
          switch (random.nextInt(7)) {
            case 0 -> "count(*)";
            case 1 -> "count(" + one(table.columns()) + ")";
            case 2 -> "sum(" + column + ")";
            case 3 -> "avg(" + column + ")";
            case 4 -> "min(" + column + ")";
            case 5 -> "max(" + column + ") AS most" + i;
            default -> "COUNT(1)";
          });
    }
    return String.join(", ", all);
  }

  private List<String> bounds(Shape table, boolean markers, List<Object> values) {
    String token = "token(" + String.join(", ", table.key()) + ")";
    List<String> all = new ArrayList<>();
    int which = random.nextInt(6);
    if (which == 1 || which >= 4) {
      all.add(token + (random.nextBoolean() ? " > " : " >= ") + token(markers, values));
    }
    if (which == 2 || which >= 4) {
      all.add(token + (random.nextBoolean() ? " < " : " <= ") + token(markers, values));
    }
    return all;
  }

  private String token(boolean marker, List<Object> values) {
    Object token =
        switch (partitioner) {
          case "random" -> chance(12) ? BigInteger.ONE.negate() : new BigInteger(127, random);
          case "byteordered" -> {
            byte[] bytes = new byte[1 + random.nextInt(4)];
            random.nextBytes(bytes);
            yield java.nio.ByteBuffer.wrap(bytes);
          }
          default ->
              chance(12)
                  ? (Object) (chance(2) ? Long.MIN_VALUE : Long.MAX_VALUE)
                  : (Object) random.nextLong();
        };
    if (marker) {
      values.add(token);
      return "?";
    }
    return token instanceof java.nio.ByteBuffer bytes
        ? "0x" + RangeAnswer.hex(bytes)
        : token.toString();
  }

  private void limits(StringBuilder cql, boolean distinct, boolean markers, List<Object> values) {
    if (!distinct && chance(6)) {
      cql.append(" PER PARTITION LIMIT ").append(limit(1 + random.nextInt(5), markers, values));
    }
    if (chance(2)) {
      int rows = chance(2) ? 1 + random.nextInt(20) : 1 + random.nextInt(900);
      cql.append(" LIMIT ").append(limit(rows, markers, values));
    }
  }

  private static String limit(int rows, boolean marker, List<Object> values) {
    if (marker) {
      values.add(rows);
      return "?";
    }
    return Integer.toString(rows);
  }
}
