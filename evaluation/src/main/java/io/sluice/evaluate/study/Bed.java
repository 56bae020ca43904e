package io.sluice.evaluate.study;

import java.time.Duration;
import java.util.List;

/**
 * Nodes that are ready to be measured under some loads, in several variants. One thread uses it.
 */
public interface Bed extends AutoCloseable {
  /** The loads, in their order. */
  List<String> loads();

  /** The variants, the one to compare with first. */
  List<String> targets();

  /**
   * Measures a variant under a load.
   *
   * @param load its place among the loads
   * @param target its place among the targets
   * @param seed the same seed asks for the same
   */
  Outcome play(int load, int target, long seed) throws InterruptedException;

  /** Ends the nodes and removes what they have made. */
  @Override
  void close();

  /** A bed that is not made yet. */
  interface Plan {
    /** The name of its figures' group. */
    String group();

    /** The duration of one step, roughly. */
    Duration step();

    /**
     * Starts the nodes and fills them.
     *
     * @param notes told what a reader has to know
     */
    Bed open(Notes notes) throws InterruptedException;
  }

  /** A listener to what goes on. */
  interface Notes {
    /** A line for the terminal. */
    void say(String line);

    /** A sentence for the report. */
    void note(String sentence);

    /** A setting for the report. */
    void setting(String name, String value);
  }
}
