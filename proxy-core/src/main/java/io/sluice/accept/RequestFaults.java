package io.sluice.accept;

import io.sluice.wire.ErrorCode;
import io.sluice.wire.ProtocolError;
import java.net.SocketAddress;

/**
 * The faults of one connection's requests. They are logged, and a client that sends only invalid
 * frames is disconnected. Not safe for several threads: one lane.
 */
final class RequestFaults {

  /** The connection is closed after this many refused frames in a row. */
  private static final int MAX_REFUSED = 10;

  private final FaultLog log;
  private final SocketAddress client;
  private final Farewell farewell;
  private int refusedInARow;

  /** Creates the count of a connection without faults. */
  RequestFaults(FaultLog log, SocketAddress client, Farewell farewell) {
    this.log = log;
    this.client = client;
    this.farewell = farewell;
  }

  /** Notes that a valid request was passed to the request path. */
  void served() {
    refusedInARow = 0;
  }

  /** Counts a refused frame, after its error was sent. */
  void refused(ProtocolError error) {
    log.refused(client, "was refused: " + error.getMessage());
    if (error.code() == ErrorCode.PROTOCOL_ERROR && ++refusedInARow >= MAX_REFUSED) {
      farewell.leave(
          Disconnect.PROTOCOL,
          refusedInARow + " frames in a row were refused, the last: " + error.getMessage());
    }
  }

  /** Logs a failure of the proxy itself. */
  void failed(Throwable cause) {
    log.failed(client, cause);
  }
}
