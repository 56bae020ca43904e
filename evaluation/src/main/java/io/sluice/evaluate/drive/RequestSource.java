package io.sluice.evaluate.drive;

import java.util.SplittableRandom;
import site.ycsb.generator.ScrambledZipfianGenerator;

/** Draws the requests of a mix. Safe for any thread. */
final class RequestSource {
  private final Mix mix;
  private final Data data;

  RequestSource(Mix mix, Data data) {
    this.mix = mix;
    this.data = data;
  }

  Request next(SplittableRandom random) {
    return next(mix.draw(random), random);
  }

  Request next(RequestClass of, SplittableRandom random) {
    int limit = of == RequestClass.RANGE ? 1 + random.nextInt(mix.maxLimit()) : 1;
    return new Request(of, random.nextInt(data.tables()), place(random), limit);
  }

  private int place(SplittableRandom random) {
    int rows = data.rows().size();
    // YCSB's Zipf generator takes no seed.
    return mix.skewed() ? Skew.place(rows) : random.nextInt(rows);
  }

  /**
   * Draws positions by YCSB's Zipf generator. The generator is expensive to create and can be
   * shared, so the last one is kept for its number of rows. Safe for any thread.
   */
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
