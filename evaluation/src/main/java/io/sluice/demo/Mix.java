package io.sluice.demo;

/**
 * The mix of requests that the clients send.
 *
 * @param clients closed loops, each with one request in flight
 * @param pointShare share of point reads, 0 to 1
 * @param maxLimit largest LIMIT of the range reads; they ask for 1 to this many rows
 * @param rows number of rows; their keys are 0 to {@code rows} - 1
 */
record Mix(int clients, double pointShare, int maxLimit, int rows) {
  Mix {
    require(clients >= 1 && clients <= 30_000, "--clients: 1 to 30000");
    require(pointShare >= 0 && pointShare <= 1, "--point-share: 0 to 1");
    require(maxLimit >= 1 && maxLimit <= 100_000, "--max-limit: 1 to 100000");
    require(rows >= 1, "--rows: at least 1");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
