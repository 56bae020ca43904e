package io.sluice.torture;

import java.util.Locale;

/**
 * A fault of a schedule.
 *
 * @param kind its kind
 * @param atMillis when it begins, from the beginning of the run
 * @param which the node or proxy that it befalls, from 0 on; 0 where it befalls neither
 * @param lastsMillis how long it is left as it is before it is mended; 0 where it needs no mending
 */
record Fault(Kind kind, long atMillis, int which, long lastsMillis) {

  /** The kinds of faults. */
  enum Kind {
    /** A node's process is killed, and started again. */
    KILL_NODE(Place.NODES, "kill -9 node %d", 500, 5_000),
    /** A node's process is stopped by a signal, and let go on. */
    PAUSE_NODE(Place.NODES, "pause node %d", 500, 5_000),
    /** A node's process is stopped for longer than reads may take, and let go on. */
    HANG_NODE(Place.NODES, "hang node %d", 12_000, 20_000),
    /** A node closes all its connections and takes no new ones, then does again. */
    DROP_LINKS(Place.NODES, "drop all links of node %d", 500, 5_000),
    /** A node tells the others that it goes, and goes on serving clients; then it comes back. */
    CUT_GOSSIP(Place.NODES, "cut gossip of node %d", 500, 8_000),
    /** A node's process is stopped most of the time, in short turns. */
    SLOW_NODE(Place.NODES, "slow node %d", 2_000, 8_000),
    /** One more node joins, has its share for a time, and hands it back. */
    JOIN_NODE(Place.NODES, "join and decommission a node", 500, 5_000),
    /** A proxy's process is killed, and started again. */
    KILL_PROXY(Place.PROXIES, "kill -9 proxy %d", 500, 5_000),
    /** A proxy's process is ended in order, which lets it finish what it has begun, and started. */
    RESTART_PROXY(Place.PROXIES, "restart proxy %d", 500, 5_000),
    /** A proxy's process is stopped by a signal, and let go on. */
    PAUSE_PROXY(Place.PROXIES, "pause proxy %d", 500, 5_000),
    /** A table gets one more column. It is mended when all nodes have it. */
    ADD_COLUMN(Place.SCHEMA, "add a column", 0, 0);

    private final Place place;
    private final String words;
    private final int leastMillis;
    private final int mostMillis;

    Kind(Place place, String words, int leastMillis, int mostMillis) {
      this.place = place;
      this.words = words;
      this.leastMillis = leastMillis;
      this.mostMillis = mostMillis;
    }

    Place place() {
      return place;
    }

    /** The shortest time for which it is left as it is; 0 where it needs no mending. */
    int leastMillis() {
      return leastMillis;
    }

    int mostMillis() {
      return mostMillis;
    }
  }

  /** What a fault befalls. Faults of one place come one after another. */
  enum Place {
    NODES,
    PROXIES,
    SCHEMA
  }

  /** The fault in words, with the number of the node or proxy from 1 on. */
  String words() {
    return String.format(Locale.ROOT, kind.words, which + 1);
  }
}
