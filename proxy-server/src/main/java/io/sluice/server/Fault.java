package io.sluice.server;

/**
 * One thing that is wrong with a configuration file.
 *
 * @param key where, as a path from the top: {@code cluster.contactPoints[1]}
 * @param value what the file says there, as it may be printed
 * @param problem what is wrong with it
 * @param suggestion what to write instead
 */
record Fault(String key, String value, String problem, String suggestion) {

  /** The same in one line. */
  String line() {
    return key + ": " + value + " " + problem + "; " + suggestion;
  }

  @Override
  public String toString() {
    return key + ": " + value + "\n      " + problem + "; " + suggestion;
  }
}
