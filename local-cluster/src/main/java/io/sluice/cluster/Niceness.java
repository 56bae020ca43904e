package io.sluice.cluster;

import java.util.List;

/**
 * Starts processes with less weight for the processors than others have. Linux may group threads by
 * session, and then a nice value counts only within the session; {@code /proc/PID/autogroup} has
 * that of the session.
 */
final class Niceness {

  private Niceness() {}

  /**
   * Returns a command that runs its arguments with a nice value, under the same process id. In its
   * own session the value counts against the processes of other sessions too. Within the session it
   * is added to that of this process. Needs no root.
   *
   * @param nice 1 to 19; 10 is about a ninth of the weight of 0
   * @see ClusterSpec#withPrefix
   */
  static List<String> prefix(int nice) {
    String set = "{ echo " + nice + " >/proc/$$/autogroup; } 2>/dev/null";
    return List.of("/bin/sh", "-c", set + "; exec nice -n " + nice + " \"$@\"", "sh");
  }
}
