package io.sluice.setting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The requirements of one section of settings. Collects what is refused, so that {@link #check} can
 * report all of it. For one thread.
 */
public final class Requirements {

  private final String prefix;
  private final List<InvalidSetting> refused = new ArrayList<>();

  private Requirements(String prefix) {
    this.prefix = prefix;
  }

  /** Requirements of the section {@code name}; an empty name is the top of the configuration. */
  public static Requirements of(String name) {
    return new Requirements(name.isEmpty() ? "" : name + ".");
  }

  /** Refuses {@code value} unless {@code holds}; {@code requirement} begins with "must". */
  public Requirements that(boolean holds, String key, Object value, String requirement) {
    return that(holds, key, value, requirement, "");
  }

  /** The same, with what to do about it where the default would be refused too. */
  public Requirements that(
      boolean holds, String key, Object value, String requirement, String advice) {
    if (!holds) {
      refused.add(new InvalidSetting(prefix + key, value, requirement, advice));
    }
    return this;
  }

  /** Refuses what is less than {@code least}. */
  public Requirements atLeast(String key, long value, long least) {
    return that(value >= least, key, value, "must be at least " + least);
  }

  /** Refuses what is shorter than {@code least}. */
  public Requirements atLeast(String key, Duration value, Duration least) {
    return that(
        value.compareTo(least) >= 0,
        key,
        value,
        "must be at least " + InvalidSetting.written(least));
  }

  /** Refuses a duration that is not longer than that of another key of the section. */
  public Requirements longerThan(String key, Duration value, String otherKey, Duration other) {
    return that(
        value.compareTo(other) > 0,
        key,
        value,
        "must be longer than " + otherKey + " (" + InvalidSetting.written(other) + ")",
        "raise it or lower " + otherKey);
  }

  /**
   * Does nothing if all values can be used.
   *
   * @throws RefusedSettings with each value that cannot be used
   */
  public void check() {
    if (!refused.isEmpty()) {
      throw new RefusedSettings(refused);
    }
  }
}
