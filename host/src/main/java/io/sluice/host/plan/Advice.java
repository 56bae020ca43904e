package io.sluice.host.plan;

import org.jspecify.annotations.Nullable;

/**
 * One line of a plan.
 *
 * @param path the file, or the name of another setting
 * @param current its current value
 * @param proposed the recommended value; null if there is no advice, or another one is as good
 * @param verdict what to do
 * @param why the reason
 * @param source the source of the advice
 */
public record Advice(
    String path,
    String current,
    @Nullable String proposed,
    Verdict verdict,
    String why,
    String source) {

  /** What to do about a setting. */
  public enum Verdict {
    /** Change the setting. */
    CHANGE,
    /** Keep the setting: it has the recommended value, or one that is as good. */
    KEEP,
    /** Change the setting by hand, because a command cannot. */
    BY_HAND,
    /** Leave the setting alone: there is no advice, or the setting is unknown. */
    LEAVE
  }

  static Advice of(String path, String current, String proposed, String why, String source) {
    Verdict verdict = current.equals(proposed) ? Verdict.KEEP : Verdict.CHANGE;
    return new Advice(path, current, proposed, verdict, why, source);
  }

  /** Returns the advice to keep a value that is not the recommended one, but as good. */
  static Advice keep(String path, String current, String why, String source) {
    return new Advice(path, current, null, Verdict.KEEP, why, source);
  }

  static Advice byHand(String what, String current, String proposed, String why, String source) {
    Verdict verdict = current.equals(proposed) ? Verdict.KEEP : Verdict.BY_HAND;
    return new Advice(what, current, proposed, verdict, why, source);
  }

  static Advice leave(String path, String current, String why, String source) {
    return new Advice(path, current, null, Verdict.LEAVE, why, source);
  }
}
