package io.sluice.cluster;

import java.io.IOException;

/** Sends signals of the operating system. Stateless. */
final class Signal {
  private Signal() {}

  /**
   * Sends a signal, and waits until it is sent.
   *
   * @param name such as {@code STOP}
   * @return whether the process existed
   * @throws IllegalArgumentException if {@code pid} is not positive: {@code kill} takes -1 for
   *     every process and 0 for a whole group
   */
  static boolean send(String name, long pid) {
    if (pid <= 0) {
      throw new IllegalArgumentException(pid + " is not a process id");
    }
    try {
      return new ProcessBuilder("kill", "-" + name, Long.toString(pid))
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new ClusterFailure("cannot signal process " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted while signalling process " + pid, e);
    }
  }
}
