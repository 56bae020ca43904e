package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serialises dates and times in forms that have the same meaning on every node. */
final class TimeBytes {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern TIME = Pattern.compile("[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?");

  /**
   * A timestamp with an offset. Without one it is in the time zone of the node, which is unknown
   * here.
   */
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{3})?)?"
              + "(Z|[+-][0-9]{2}:?[0-9]{2})");

  private static final long EPOCH_DAY = 1L << 31;
  private static final long LAST_DAY = (1L << 32) - 1;
  private static final long LAST_NANO = LocalTime.MAX.toNanoOfDay();

  private TimeBytes() {}

  /** Serialises a date given as a number: days, with 1970-01-01 at 2^31. */
  static @Nullable ByteBuffer days(long days) {
    return days < 0 || days > LAST_DAY ? null : ByteBuffer.allocate(4).putInt(0, (int) days);
  }

  /** Serialises a time given as a number: nanoseconds since midnight. */
  static @Nullable ByteBuffer nanos(long nanos) {
    return nanos < 0 || nanos > LAST_NANO ? null : ByteBuffer.allocate(8).putLong(0, nanos);
  }

  static @Nullable ByteBuffer date(String text) {
    if (WHOLE_NUMBER.matcher(text).matches()) {
      return days(Long.parseLong(text));
    } else if (!DATE.matcher(text).matches()) {
      return null;
    }
    try {
      return days(LocalDate.parse(text).toEpochDay() + EPOCH_DAY);
    } catch (DateTimeException noSuchDay) {
      return null;
    }
  }

  static @Nullable ByteBuffer time(String text) {
    if (WHOLE_NUMBER.matcher(text).matches()) {
      return nanos(Long.parseLong(text));
    } else if (!TIME.matcher(text).matches()) {
      return null;
    }
    try {
      return nanos(LocalTime.parse(text).toNanoOfDay());
    } catch (DateTimeException noSuchTime) {
      return null;
    }
  }

  /** Serialises a timestamp: milliseconds since the epoch. */
  static @Nullable ByteBuffer timestamp(String text) {
    if (WHOLE_NUMBER.matcher(text).matches()) {
      return ByteBuffer.allocate(8).putLong(0, Long.parseLong(text));
    } else if (!TIMESTAMP.matcher(text).matches()) {
      return null;
    }
    try {
      long millis = OffsetDateTime.parse(iso(text)).toInstant().toEpochMilli();
      return ByteBuffer.allocate(8).putLong(0, millis);
    } catch (DateTimeException noSuchTime) {
      return null;
    }
  }

  /** Returns the text with T between date and time, and a colon in the offset. */
  private static String iso(String text) {
    String joined = text.replace(' ', 'T');
    int length = joined.length();
    return joined.endsWith("Z") || joined.charAt(length - 3) == ':'
        ? joined
        : joined.substring(0, length - 2) + ":" + joined.substring(length - 2);
  }
}
