package io.sluice.cluster;

import java.io.IOException;

/** Signals of the operating system. */
final class Signal {
  private Signal() {}

  /**
   * Sends a signal, and waits until it is sent. Throws {@link IllegalArgumentException} if that is
   * no process's id: {@code kill} takes -1 for every process there is, and 0 for a whole group.
   *
   * @param name such as {@code STOP}
   * @return whether there was such a process
   */
  static boolean send(String name, long pid) {
    if (pid <= 0) {
      throw new IllegalArgumentException(pid + " is no process's id");
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
