package io.sluice.exchange;

import io.sluice.accept.Client;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a request in flight.
 *
 * @param id its number; no other request of this process has it
 * @param caller the client that sent it
 * @param keyspace the keyspace of its table; null when the statement names none
 * @param table its table; null when the statement names none
 * @param shape the shape of its statement, in lower case
 * @param nanos time since its arrival
 * @param waitedNanos the part of {@code nanos} before the request, or the first of its pieces, was
 *     sent
 * @param progress its progress
 */
public record RequestFacts(
    long id,
    Caller caller,
    @Nullable String keyspace,
    @Nullable String table,
    String shape,
    long nanos,
    long waitedNanos,
    Progress progress) {

  /**
   * The client of a request.
   *
   * @param number of its connection
   * @param role the role that logged in
   * @param application the application name that its driver sends; null when it sends none
   */
  public record Caller(
      long number, InetSocketAddress address, String role, @Nullable String application) {

    static Caller of(Client client) {
      return new Caller(
          client.id(), client.address(), client.identity().role(), client.driver().application());
    }
  }

  /**
   * Estimates the time until the answer from the pace so far and the share of the work that is
   * left.
   *
   * @return nanoseconds, or -1 when unknown
   */
  public long leftNanos() {
    double left = progress.left();
    long reading = nanos - waitedNanos;
    return left > 0 && left < 1 ? Math.round(reading * left / (1 - left)) : -1;
  }

  /**
   * The progress of a request.
   *
   * @param state {@code queued}, {@code reading} or {@code sent}
   * @param piecesDone pieces that have ended
   * @param pieces pieces that the read was cut into so far; 0 for a request that goes to one node
   *     whole
   * @param rows that nodes have returned
   * @param wanted rows that the page should have; below 0 for all, or when unknown
   * @param left the estimated share of its rows that nodes have yet to read, 0 to 1; 1 when unknown
   */
  public record Progress(
      String state, int piecesDone, int pieces, long rows, int wanted, double left) {

    static final Progress SENT = whole("sent");

    /** Returns the progress of a request that goes to one node whole. */
    public static Progress whole(String state) {
      return new Progress(state, 0, 0, 0, -1, 1);
    }
  }
}
