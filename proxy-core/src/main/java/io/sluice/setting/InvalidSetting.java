package io.sluice.setting;

import java.time.Duration;
import java.util.Locale;

/**
 * A refused value of a setting. Immutable.
 *
 * @param key the setting's path from the top of the configuration
 * @param value the value that was refused
 * @param requirement what the value must be; begins with "must"
 * @param advice what to do about it; empty if restoring the default is enough
 */
public record InvalidSetting(String key, Object value, String requirement, String advice) {

  @Override
  public String toString() {
    return key + " " + requirement + ", not " + written(value);
  }

  /** Returns the value as it is written in a configuration file: 500ms, 2s, narrow-first. */
  public static String written(Object value) {
    if (value instanceof Duration duration) {
      return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
    return value instanceof Enum<?> constant
        ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
        : value.toString();
  }
}
