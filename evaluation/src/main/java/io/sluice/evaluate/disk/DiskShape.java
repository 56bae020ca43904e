package io.sluice.evaluate.disk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The parameters of a simulated disk.
 *
 * @param mebibytes its size
 * @param shortSeekMillis time of a seek to the next track
 * @param longSeekMillis time of a seek over the whole disk
 * @param turnMillis time of one turn; each seek adds half a turn
 * @param megabytesPerSecond transfer rate
 */
public record DiskShape(
    int mebibytes,
    double shortSeekMillis,
    double longSeekMillis,
    double turnMillis,
    double megabytesPerSecond) {
  private static final int VALUES = 5;

  /**
   * Checks that the size is at least 64 MiB, the others are above 0, and the long seek is not
   * shorter than the short one.
   */
  public DiskShape {
    if (mebibytes < 64
        || !(shortSeekMillis > 0)
        || !(longSeekMillis >= shortSeekMillis)
        || !(turnMillis > 0)
        || !(megabytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "--sim-disk: 64 MiB or more; times and rate above 0; longest seek >= shortest");
    }
  }

  /** Returns a disk of 7,200 turns a minute, large enough for a study. */
  public static DiskShape usual() {
    return new DiskShape(6144, 0.8, 16, 8.33, 150);
  }

  long bytes() {
    return (long) mebibytes << 20;
  }

  /** Returns the parameters as arguments of a command line. */
  public List<String> arguments() {
    return List.of(
        Integer.toString(mebibytes),
        Double.toString(shortSeekMillis),
        Double.toString(longSeekMillis),
        Double.toString(turnMillis),
        Double.toString(megabytesPerSecond));
  }

  /** Parses the form of {@link #arguments}. */
  public static DiskShape of(List<String> arguments) {
    if (arguments.size() != VALUES) {
      throw new IllegalArgumentException("--sim-disk: needs " + VALUES + " values");
    }
    try {
      return new DiskShape(
          Integer.parseInt(arguments.get(0)),
          Double.parseDouble(arguments.get(1)),
          Double.parseDouble(arguments.get(2)),
          Double.parseDouble(arguments.get(3)),
          Double.parseDouble(arguments.get(4)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--sim-disk: not all numbers: " + String.join(",", arguments), e);
    }
  }

  /** Returns the parameters for a report. */
  Map<String, String> about() {
    Map<String, String> about = new LinkedHashMap<>();
    about.put(
        "simulated disk",
        String.format(
            Locale.ROOT,
            "%d MiB, seek %.1f to %.1f ms, turn %.2f ms, %.0f MB/s, one request at a time",
            mebibytes,
            shortSeekMillis,
            longSeekMillis,
            turnMillis,
            megabytesPerSecond));
    about.put(
        "a seek takes",
        "short + (long - short) x sqrt(distance / size) + half a turn; a short gap ahead takes its"
            + " transfer time if that is less; writes take their time at once, flushes none");
    about.put("read-ahead of the simulated disk", ReadAhead.KILOBYTES + " KB");
    return about;
  }
}
