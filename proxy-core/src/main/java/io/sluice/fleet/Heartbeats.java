package io.sluice.fleet;

import java.util.Map;
import java.util.UUID;

/** The text that proxies send each other with their heartbeats. Safe for any thread. */
public interface Heartbeats {

  /** Says nothing, and does not listen. */
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
   * The proxies at one look.
   *
   * @param self this process
   * @param beat the number of this proxy's own heartbeat that was read; 0 for none
   * @param others what the others say, those too of which it is not known yet whether they live
   */
  record Look(UUID self, long beat, Map<UUID, String> others) {
    public Look {
      others = Map.copyOf(others);
    }
  }

  /** What to say with the heartbeat of that number; called for each in turn. */
  String says(long beat);

  /** The others were read. */
  void seen(Look look);

  /**
   * The others cannot be read; called again and again until they can.
   *
   * @param members those that were seen last, this one too; at least 1
   */
  void alone(int members);
}
