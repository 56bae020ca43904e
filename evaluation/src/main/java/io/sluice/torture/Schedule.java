package io.sluice.torture;

import io.sluice.torture.Fault.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run, in order of time. A function of the seed, the length and the numbers of
 * nodes and proxies only, so that it can be replayed. Immutable.
 *
 * @param faults the faults
 */
record Schedule(List<Fault> faults) {
  private static final long FIRST_MILLIS = 2_000;
  private static final int LEAST_GAP_MILLIS = 1_500;
  private static final int MOST_GAP_MILLIS = 3_500;

  /** The share of a run, from its end, in which no fault begins. */
  private static final int CALM_SHARE = 4;

  /** Takes a copy of the faults. */
  Schedule {
    faults = List.copyOf(faults);
  }

  /** A random schedule in which every kind comes about equally often. */
  static Schedule of(long seed, int seconds, int nodes, int proxies) {
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    List<Kind> left = new ArrayList<>();
    long at = FIRST_MILLIS;
    while (at < calmFrom(seconds)) {
      if (left.isEmpty()) {
        left.addAll(List.of(Kind.values()));
        Collections.shuffle(left, random);
      }
      Kind kind = left.remove(left.size() - 1);
      int which =
          switch (kind.place()) {
            case NODES -> random.nextInt(nodes);
            case PROXIES -> random.nextInt(proxies);
            case SCHEMA -> 0;
          };
      int lasts = between(random, kind.leastMillis(), kind.mostMillis());
      faults.add(new Fault(kind, at, which, lasts));
      at += between(random, LEAST_GAP_MILLIS, MOST_GAP_MILLIS);
    }
    return new Schedule(faults);
  }

  /** The time from which on no fault begins, in milliseconds. */
  static long calmFrom(int seconds) {
    long millis = seconds * 1_000L;
    return millis - millis / CALM_SHARE;
  }

  /** The same faults without those of proxies, for a run that has none. */
  Schedule direct() {
    return new Schedule(
        faults.stream().filter(f -> f.kind().place() != Fault.Place.PROXIES).toList());
  }

  /** The faults of one place. */
  List<Fault> of(Fault.Place place) {
    return faults.stream().filter(fault -> fault.kind().place() == place).toList();
  }

  private static int between(Random random, int least, int most) {
    return least + random.nextInt(most - least + 1);
  }
}
