package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Interval;
import java.util.Locale;

/** Formats numbers for people. */
final class Words {
  private Words() {}

  /** Formats a number with three significant digits, without an exponent. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    int digits = size >= 100 || value == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** Returns the name of a class of requests, in the plural. */
  static String requests(String label) {
    return switch (label) {
      case "write" -> "writes";
      case "scan" -> "full scans";
      case "count" -> "counts";
      default -> label + " reads";
    };
  }

  /** Formats a count. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Formats a mean, with its interval in brackets if there is one. */
  static String interval(Interval value) {
    return value.isKnown()
        ? number(value.mean()) + " [" + number(value.low()) + ", " + number(value.high()) + "]"
        : number(value.mean());
  }

  /**
   * Formats a ratio, with its interval in brackets. Names its rounds if they are not all of them.
   *
   * @param rounds the number of rounds of the run
   */
  static String ratio(Interval value, int rounds) {
    if (value.hasZero()) {
      return "0 in a round";
    }
    return interval(value) + rounds(value, rounds);
  }

  /** Returns " in 2 of 3 rounds" for a value of some rounds; an empty text for all or none. */
  static String rounds(Interval value, int rounds) {
    return value.values() == 0 || value.values() >= rounds
        ? ""
        : " in " + value.values() + " of " + rounds + " rounds";
  }

  /**
   * Formats a ratio as a change: "80 % less", "2.4 times as much", "the same", "no ratio", "0 in a
   * round".
   */
  static String change(double ratio) {
    if (ratio == 0) {
      return "0 in a round";
    }
    if (Double.isNaN(ratio)) {
      return "no ratio";
    }
    long percent = Math.round(Math.abs(1 - ratio) * 100);
    if (percent == 0) {
      return "the same";
    }
    return ratio < 1
        ? percent + " % less"
        : ratio < 2 ? percent + " % more" : number(ratio) + " times as much";
  }
}
