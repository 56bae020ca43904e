package io.sluice.server.settings;

/**
 * A fault of a configuration file.
 *
 * @param key its place, as a path from the top: {@code cluster.contactPoints[1]}
 * @param value the value in the file, in a form that may be printed
 * @param problem what is wrong with the value
 * @param suggestion what to write instead
 */
record Fault(String key, String value, String problem, String suggestion) {

  /** Returns the fault on one line. */
  String line() {
    return key + ": " + value + " " + problem + "; " + suggestion;
  }

  @Override
  public String toString() {
    return key + ": " + value + "\n      " + problem + "; " + suggestion;
  }
}
