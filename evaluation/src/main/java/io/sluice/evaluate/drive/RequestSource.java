package io.sluice.evaluate.drive;

import java.util.SplittableRandom;
import site.ycsb.generator.ScrambledZipfianGenerator;

/** Draws one client's requests. Not safe for several threads. */
final class RequestSource {
  private final Mix mix;
  private final Data data;
  private final SplittableRandom random;

  RequestSource(Mix mix, Data data, SplittableRandom random) {
    this.mix = mix;
    this.data = data;
    this.random = random;
  }

  Request next() {
    return next(mix.draw(random));
  }

  Request next(RequestClass of) {
    int limit = of == RequestClass.RANGE ? 1 + random.nextInt(mix.maxLimit()) : 1;
    return new Request(of, random.nextInt(data.tables()), place(), limit);
  }

  private int place() {
    int rows = data.rows().size();
    // Zipf's own draws come from YCSB's generator and have no seed.
    return mix.skewed() ? Skew.place(rows) : random.nextInt(rows);
  }

  /** The generator is costly to make and thread-safe: one for each number of rows in turn. */
  private static final class Skew {
    private static volatile Skew last = new Skew(1);

    private final int rows;
    private final ScrambledZipfianGenerator generator;

    private Skew(int rows) {
      this.rows = rows;
      this.generator = new ScrambledZipfianGenerator(rows);
    }

    static int place(int rows) {
      Skew skew = last;
      if (skew.rows != rows) {
        skew = new Skew(rows);
        last = skew;
      }
      return skew.generator.nextValue().intValue();
    }
  }
}
