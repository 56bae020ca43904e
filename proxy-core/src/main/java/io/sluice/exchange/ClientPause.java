package io.sluice.exchange;

import io.sluice.accept.Client;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a read for a client that has to catch up. A read that ends also ends its wait, so
 * that a client that reads nothing keeps nothing of it. Not safe for several threads: the client's
 * lane.
 */
public final class ClientPause {

  private final Client client;
  private Client.@Nullable Wait wait;

  /** Creates a pause that has not begun. */
  public ClientPause(Client client) {
    this.client = client;
  }

  /** Runs {@code step} when the client has caught up, instead of an earlier step that waits. */
  public void begin(Runnable step) {
    end();
    Client.Wait begun = client.whenDrained(step);
    if (wait == null) {
      // The step has not run at once and paused again.
      wait = begun;
    }
  }

  /** Drops the step. Does nothing when none waits. */
  public void end() {
    if (wait != null) {
      wait.end();
      wait = null;
    }
  }
}
