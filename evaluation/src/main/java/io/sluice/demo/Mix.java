package io.sluice.demo;

/**
 * The mix of requests that the clients send.
 *
 * @param clients closed loops, each with one request on its way
 * @param pointShare how many of the requests are point reads, 0 to 1
 * @param maxLimit range reads ask for 1 to this many rows
 * @param rows keys 0 to {@code rows} - 1 exist
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
