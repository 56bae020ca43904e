package io.sluice.evaluate.study;

import java.time.Duration;
import java.util.List;

/**
 * The test bed of a study: running nodes, with loads and variants to measure. Not safe for several
 * threads.
 */
public interface Bed extends AutoCloseable {
  /** Returns the names of the loads, in their order. */
  List<String> loads();

  /** Returns the names of the variants; the first is the baseline. */
  List<String> targets();

  /**
   * Measures a variant under a load.
   *
   * @param load index in {@link #loads}
   * @param target index in {@link #targets}
   * @param seed seed of the requests; equal seeds give equal requests
   */
  Outcome play(int load, int target, long seed) throws InterruptedException;

  /** Stops the nodes and removes their files. */
  @Override
  void close();

  /** A bed that can be opened. */
  interface Plan {
    /** Returns the name of the group of its figures. */
    String group();

    /** Returns the approximate duration of one step. */
    Duration step();

    /**
     * Starts the nodes and loads their data.
     *
     * @param notes receives progress, and facts and settings for the report
     */
    Bed open(Notes notes) throws InterruptedException;
  }

  /** Receives progress for the terminal, and facts and settings for the report. */
  interface Notes {
    /** Shows a line on the terminal. */
    void say(String line);

    /** Adds a sentence to the report. */
    void note(String sentence);

    /** Adds a setting to the report. */
    void setting(String name, String value);
  }
}
