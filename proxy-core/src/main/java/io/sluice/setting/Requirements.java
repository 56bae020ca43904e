package io.sluice.setting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of one section of settings. Collects all refused values, and {@link #check} reports them
 * together. Not safe for several threads.
 */
public final class Requirements {

  private final String prefix;
  private final List<InvalidSetting> refused = new ArrayList<>();

  private Requirements(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Begins the check of the section {@code name}; an empty name is the top of the configuration.
   */
  public static Requirements of(String name) {
    return new Requirements(name.isEmpty() ? "" : name + ".");
  }

  /** Refuses {@code value} unless {@code holds}. The requirement begins with "must". */
  public Requirements that(boolean holds, String key, Object value, String requirement) {
    return that(holds, key, value, requirement, "");
  }

  /**
   * Refuses {@code value} unless {@code holds}, with advice for cases where the default would be
   * refused too.
   */
  public Requirements that(
      boolean holds, String key, Object value, String requirement, String advice) {
    if (!holds) {
      refused.add(new InvalidSetting(prefix + key, value, requirement, advice));
    }
    return this;
  }

  /** Refuses a value below {@code least}. */
  public Requirements atLeast(String key, long value, long least) {
    return that(value >= least, key, value, "must be at least " + least);
  }

  /** Refuses a duration shorter than {@code least}. */
  public Requirements atLeast(String key, Duration value, Duration least) {
    return that(
        value.compareTo(least) >= 0,
        key,
        value,
        "must be at least " + InvalidSetting.written(least));
  }

  /** Refuses a duration that is not longer than the one of {@code otherKey} in the same section. */
  public Requirements longerThan(String key, Duration value, String otherKey, Duration other) {
    return that(
        value.compareTo(other) > 0,
        key,
        value,
        "must be longer than " + otherKey + " (" + InvalidSetting.written(other) + ")",
        "raise it or lower " + otherKey);
  }

  /**
   * Throws if a value was refused.
   *
   * @throws RefusedSettings with all refused values
   */
  public void check() {
    if (!refused.isEmpty()) {
      throw new RefusedSettings(refused);
    }
  }
}
