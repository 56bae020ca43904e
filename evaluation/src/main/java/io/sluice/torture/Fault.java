package io.sluice.torture;

import java.util.Locale;

/**
 * A fault of a schedule.
 *
 * @param kind its kind
 * @param atMillis begin of the fault, from the beginning of the run
 * @param which index of the node or proxy, from 0 on; 0 if the fault concerns neither
 * @param lastsMillis time until the fault is mended; 0 if it needs no mending
 */
record Fault(Kind kind, long atMillis, int which, long lastsMillis) {

  /** The kind of a fault. */
  enum Kind {
    /** Kills a node's process, and starts it again. */
    KILL_NODE(Place.NODES, "kill -9 node %d", 500, 5_000),
    /** Stops a node's process by a signal, and resumes it. */
    PAUSE_NODE(Place.NODES, "pause node %d", 500, 5_000),
    /** Stops a node's process for longer than the read timeout, and resumes it. */
    HANG_NODE(Place.NODES, "hang node %d", 12_000, 20_000),
    /** Lets a node close all its client connections and refuse new ones, then accept them again. */
    DROP_LINKS(Place.NODES, "drop all links of node %d", 500, 5_000),
    /** Lets a node tell the others that it shuts down and keep serving clients, then return. */
    CUT_GOSSIP(Place.NODES, "cut gossip of node %d", 500, 8_000),
    /** Stops a node's process most of the time, for short times. */
    SLOW_NODE(Place.NODES, "slow node %d", 2_000, 8_000),
    /** Adds a node, and decommissions it after a time. */
    JOIN_NODE(Place.NODES, "join and decommission a node", 500, 5_000),
    /** Kills a proxy's process, and starts it again. */
    KILL_PROXY(Place.PROXIES, "kill -9 proxy %d", 500, 5_000),
    /** Stops a proxy's process gracefully, so that it drains, and starts it again. */
    RESTART_PROXY(Place.PROXIES, "restart proxy %d", 500, 5_000),
    /** Stops a proxy's process by a signal, and resumes it. */
    PAUSE_PROXY(Place.PROXIES, "pause proxy %d", 500, 5_000),
    /** Adds a column to a table. The fault is mended when all nodes have the column. */
    ADD_COLUMN(Place.SCHEMA, "add a column", 0, 0);

    private final Place place;
    private final String description;
    private final int leastMillis;
    private final int mostMillis;

    Kind(Place place, String description, int leastMillis, int mostMillis) {
      this.place = place;
      this.description = description;
      this.leastMillis = leastMillis;
      this.mostMillis = mostMillis;
    }

    Place place() {
      return place;
    }

    /** Returns the shortest time until the fault is mended; 0 if it needs no mending. */
    int leastMillis() {
      return leastMillis;
    }

    int mostMillis() {
      return mostMillis;
    }
  }

  /** The target of a fault. Faults of one place run one after another. */
  enum Place {
    NODES,
    PROXIES,
    SCHEMA
  }

  /** Returns a description of the fault, with the number of the node or proxy from 1 on. */
  String description() {
    return String.format(Locale.ROOT, kind.description, which + 1);
  }
}
