package io.sluice.exchange;

import io.sluice.accept.Client;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request under way, at one moment.
 *
 * @param id its number; no other request of this process has it
 * @param caller the client that sent it
 * @param keyspace of its table; null when it names none
 * @param table its table; null when it names none
 * @param shape what its statement is, in lower case
 * @param nanos since its arrival
 * @param waitedNanos of these, until a node was sent it or its first piece, or until now
 * @param progress how far it is
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
   * @param application the name that its driver gives it; null when it gives none
   */
  public record Caller(
      long number, InetSocketAddress address, String role, @Nullable String application) {

    static Caller of(Client client) {
      return new Caller(
          client.id(), client.address(), client.identity().role(), client.driver().application());
    }
  }

  /**
   * Time until its answer, by the pace so far and the estimated share of its work that is left.
   *
   * @return nanoseconds, or -1 where that is not known
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
   * @param pieces pieces that it was cut into so far; 0 for a request that goes to one node whole
   * @param rows that nodes have returned
   * @param wanted rows that the page is to have; below 0 for all, or where that is not known
   * @param left the share of its rows that nodes have yet to read, by estimate, 0 to 1; 1 where
   *     nothing is known of it
   */
  public record Progress(
      String state, int piecesDone, int pieces, long rows, int wanted, double left) {

    static final Progress SENT = whole("sent");

    /** Of a request that goes to one node whole. */
    public static Progress whole(String state) {
      return new Progress(state, 0, 0, 0, -1, 1);
    }
  }
}
