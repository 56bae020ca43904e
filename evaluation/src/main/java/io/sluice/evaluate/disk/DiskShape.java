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
 * @param turnMillis time of one turn; after a seek half of it passes
 * @param megabytesPerSecond what passes under the head
 */
public record DiskShape(
    int mebibytes,
    double shortSeekMillis,
    double longSeekMillis,
    double turnMillis,
    double megabytesPerSecond) {
  private static final int VALUES = 5;

  /** Checks that all are above 0, and a long seek is no shorter than a short one. */
  public DiskShape {
    if (mebibytes < 64
        || !(shortSeekMillis > 0)
        || !(longSeekMillis >= shortSeekMillis)
        || !(turnMillis > 0)
        || !(megabytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "a simulated disk: at least 64 MiB, seeks, turn and rate above 0");
    }
  }

  /** A disk of 7,200 turns a minute, of the size that a study needs. */
  public static DiskShape usual() {
    return new DiskShape(6144, 0.8, 16, 8.33, 150);
  }

  /** Another size. */
  public DiskShape withMebibytes(int value) {
    return new DiskShape(value, shortSeekMillis, longSeekMillis, turnMillis, megabytesPerSecond);
  }

  long bytes() {
    return (long) mebibytes << 20;
  }

  /** For a command line. */
  public List<String> arguments() {
    return List.of(
        Integer.toString(mebibytes),
        Double.toString(shortSeekMillis),
        Double.toString(longSeekMillis),
        Double.toString(turnMillis),
        Double.toString(megabytesPerSecond));
  }

  /** The shape of {@link #arguments}. */
  public static DiskShape of(List<String> arguments) {
    if (arguments.size() != VALUES) {
      throw new IllegalArgumentException("a simulated disk has " + VALUES + " values");
    }
    return new DiskShape(
        Integer.parseInt(arguments.get(0)),
        Double.parseDouble(arguments.get(1)),
        Double.parseDouble(arguments.get(2)),
        Double.parseDouble(arguments.get(3)),
        Double.parseDouble(arguments.get(4)));
  }

  /** For a report. */
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
        "short + (long - short) x sqrt(distance / size) + half a turn; a gap that is sooner passed"
            + " over than sought is passed over; a write is charged at once, a flush is not");
    return about;
  }
}
