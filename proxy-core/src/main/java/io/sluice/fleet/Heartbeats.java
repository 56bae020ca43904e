package io.sluice.fleet;

import java.util.Map;
import java.util.UUID;

/**
 * The source and the receiver of the text that proxies send each other with their heartbeats. Safe
 * for any thread.
 */
public interface Heartbeats {

  /** Sends an empty text and ignores the texts of others. */
  Heartbeats SILENT =
      new Heartbeats() {
        @Override
        public String says(long beat) {
          return "";
        }

        @Override
        public void seen(Look look) {}

        @Override
        public void alone(int members) {}
      };

  /**
   * The state of the fleet at one read of the table.
   *
   * @param self this process
   * @param beat the number of this proxy's own heartbeat in the table; 0 for none
   * @param others the texts of the other proxies, including proxies that are not yet known to be
   *     alive
   */
  record Look(UUID self, long beat, Map<UUID, String> others) {
    public Look {
      others = Map.copyOf(others);
    }
  }

  /**
   * Returns the text to send with the heartbeat {@code beat}. Called for each heartbeat in turn.
   */
  String says(long beat);

  /** Called after each read of the table while the table can be used. */
  void seen(Look look);

  /**
   * Called every round in which the table cannot be used.
   *
   * @param members the number of members that were seen last, including this proxy; at least 1
   */
  void alone(int members);
}
