package io.sluice.simulator.cluster;

/**
 * A fault: a node that is slow or down for a time. A node that goes down loses its requests. All
 * clients notice at once, as when connections are closed.
 *
 * @param node its number, from 1
 * @param speed its speed as a share of the usual one, 0 to 1; 0: it is down
 * @param fromSeconds begin of the fault
 * @param toSeconds end of the fault
 */
public record Fault(int node, double speed, double fromSeconds, double toSeconds) {

  public Fault {
    if (node < 1 || !(speed >= 0) || speed > 1 || !(fromSeconds >= 0 && fromSeconds < toSeconds)) {
      throw new IllegalArgumentException(
          "--slow, --down: a node from 1, a speed from 0 to 1, and a time that ends after it began");
    }
  }
}
