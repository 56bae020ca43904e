package io.sluice.torture;

import io.sluice.torture.Fault.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run, in order of time. It depends only on the seed, the duration and the numbers
 * of nodes and proxies, so it can be replayed. Immutable.
 *
 * @param faults the faults
 */
record Schedule(List<Fault> faults) {
  private static final long FIRST_MILLIS = 2_000;
  private static final int MIN_GAP_MILLIS = 1_500;
  private static final int MAX_GAP_MILLIS = 3_500;

  /** The last part of a run, in which no fault begins: one in this many. */
  private static final int CALM_SHARE = 4;

  /** Copies the faults. */
  Schedule {
    faults = List.copyOf(faults);
  }

  /** Returns a random schedule in which all kinds are about equally frequent. */
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
      at += between(random, MIN_GAP_MILLIS, MAX_GAP_MILLIS);
    }
    return new Schedule(faults);
  }

  /** Returns the time after which no fault begins, in milliseconds. */
  static long calmFrom(int seconds) {
    long millis = seconds * 1_000L;
    return millis - millis / CALM_SHARE;
  }

  /** Returns the schedule without faults of proxies, for a run without proxies. */
  Schedule direct() {
    return new Schedule(
        faults.stream().filter(f -> f.kind().place() != Fault.Place.PROXIES).toList());
  }

  /** Returns the faults of one place. */
  List<Fault> of(Fault.Place place) {
    return faults.stream().filter(fault -> fault.kind().place() == place).toList();
  }

  private static int between(Random random, int least, int most) {
    return least + random.nextInt(most - least + 1);
  }
}
