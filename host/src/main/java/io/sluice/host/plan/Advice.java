package io.sluice.host.plan;

import org.jspecify.annotations.Nullable;

/**
 * One line of a plan.
 *
 * @param path the file, or what else it is about
 * @param current its value now
 * @param proposed the value that it should have; null where there is no advice
 * @param verdict what follows from these
 * @param why a sentence
 * @param source the origin of the advice
 */
public record Advice(
    String path,
    String current,
    @Nullable String proposed,
    Verdict verdict,
    String why,
    String source) {

  /** What is done about a line. */
  public enum Verdict {
    /** It is changed. */
    CHANGE,
    /** It is as it should be. */
    KEEP,
    /** It should be changed, and no running process can do that. */
    BY_HAND,
    /** It is not touched: there is no advice, or it is not known. */
    LEAVE
  }

  static Advice of(String path, String current, String proposed, String why, String source) {
    Verdict verdict = current.equals(proposed) ? Verdict.KEEP : Verdict.CHANGE;
    return new Advice(path, current, proposed, verdict, why, source);
  }

  static Advice byHand(String what, String current, String proposed, String why, String source) {
    Verdict verdict = current.equals(proposed) ? Verdict.KEEP : Verdict.BY_HAND;
    return new Advice(what, current, proposed, verdict, why, source);
  }

  static Advice leave(String path, String current, String why, String source) {
    return new Advice(path, current, null, Verdict.LEAVE, why, source);
  }
}
