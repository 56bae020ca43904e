package io.sluice.decide.schedule;

/**
 * The part of a node's range slots that this proxy uses.
 *
 * @param share above 0, at most 1. The proxy uses one slot at least
 * @param searches whether this proxy goes on with the search for the number of slots that it has a
 *     part of
 */
public record RangePart(double share, boolean searches) {

  /** All range slots of a node, where this proxy sends it all range reads. */
  public static final RangePart WHOLE = new RangePart(1, true);

  /**
   * Tolerance in rounding down, as a share: parts of a fleet are not raised by less, so an equal
   * part of three proxies may be a little less than a third.
   */
  private static final double TOLERANCE = 1.06;

  public RangePart {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("a share is above 0 and at most 1, not " + share);
    }
  }

  /**
   * Returns the part of a proxy that gives a node only the range reads that could not wait at its
   * home proxy: an equal part, without a search.
   *
   * @param proxies the proxies that do so; 1 for the home itself, which has all slots
   */
  public static RangePart pastHome(int proxies) {
    return proxies == 1 ? WHOLE : new RangePart(1.0 / proxies, false);
  }

  /** Returns the number of slots of so many. */
  int of(int slots) {
    return Math.max(1, (int) Math.min(slots, slots * share * TOLERANCE));
  }
}
