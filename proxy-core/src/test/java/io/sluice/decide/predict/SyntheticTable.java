package io.sluice.decide.predict;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** Rows on a ring, and the answers to reads of them. */
final class SyntheticTable {

  private double[] places = new double[0];
  private final Random random;

  SyntheticTable(Random random) {
    this.random = random;
  }

  /**
   * Adds rows.
   *
   * @param skew maps 0..1 onto itself: an even position to the position of the row
   */
  void insert(int rows, DoubleUnaryOperator skew) {
    int before = places.length;
    places = Arrays.copyOf(places, before + rows);
    for (int i = before; i < places.length; i++) {
      places[i] = skew.applyAsDouble(random.nextDouble());
    }
    Arrays.sort(places);
  }

  /** Keeps this share of the rows. */
  void shrink(double share) {
    places = Arrays.stream(places).filter(any -> random.nextDouble() < share).toArray();
  }

  void truncate() {
    places = new double[0];
  }

  int rows() {
    return places.length;
  }

  /** Returns the number of rows in {@code ]from,to]}. */
  int rows(double from, double to) {
    return below(to) - below(from);
  }

  private int below(double place) {
    int at = Arrays.binarySearch(places, place);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** Returns where {@code rows} rows from {@code from} on end; 1 if there are fewer. */
  private double endOf(double from, int rows) {
    int last = below(from) + rows - 1;
    return last < places.length ? places[last] : 1;
  }

  /** Reads the whole table in this number of pieces. */
  void scan(TableDensity density, int pieces) {
    for (int i = 0; i < pieces; i++) {
      read(density, i / (double) pieces, (i + 1) / (double) pieces);
    }
  }

  void read(TableDensity density, double from, double to) {
    density.learn(Places.between(from, to), rows(from, to), 10L * rows(from, to));
  }

  /** Reads the first rows from a position, as LIMIT does. */
  void readSome(TableDensity density, double from, int limit) {
    read(density, from, endOf(from, limit));
  }
}
