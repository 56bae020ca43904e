package io.sluice.exchange;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request under way, at one moment.
 *
 * @param id its number; no other request of this process has it
 * @param client the number of its connection
 * @param address the client's
 * @param role the role that logged in
 * @param keyspace of its table; null when it names none
 * @param table its table; null when it names none
 * @param shape what its statement is, in lower case
 * @param nanos since its arrival
 * @param progress how far it is
 */
public record RequestFacts(
    long id,
    long client,
    InetSocketAddress address,
    String role,
    @Nullable String keyspace,
    @Nullable String table,
    String shape,
    long nanos,
    Progress progress) {

  /**
   * The progress of a request.
   *
   * @param state {@code queued}, {@code reading} or {@code sent}
   * @param piecesDone pieces that have ended
   * @param pieces pieces that it was cut into so far; 0 for a request that goes to one node whole
   * @param rows that nodes have returned
   * @param wanted rows that the page is to have; below 0 for all, or where that is not known
   */
  public record Progress(String state, int piecesDone, int pieces, long rows, int wanted) {

    static final Progress SENT = whole("sent");

    /** Of a request that goes to one node whole. */
    public static Progress whole(String state) {
      return new Progress(state, 0, 0, 0, -1);
    }
  }
}
