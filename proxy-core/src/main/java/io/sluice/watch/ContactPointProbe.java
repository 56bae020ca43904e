package io.sluice.watch;

import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.Tls.HandshakeFailed;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the usable contact points. Connects to each address, and sends OPTIONS, which every node
 * answers before a login. Blocks, for at most four seconds per address: two until it is connected,
 * two for the TLS handshake and the answer together.
 */
final class ContactPointProbe {

  private static final int TIMEOUT_MILLIS = 2_000;
  private static final byte[] OPTIONS = {4, 0, 0, 0, 5, 0, 0, 0, 0};
  private static final int IS_RESPONSE = 0x80;
  private static final int ERROR = 0x00;

  /** The type of a TLS alert record (RFC 8446, 5.1), with which a TLS port answers plain CQL. */
  private static final int TLS_ALERT = 21;

  private static final int SUPPORTED = 0x06;

  private ContactPointProbe() {}

  /**
   * Returns the contact points that speak CQL.
   *
   * @param resolved the addresses from {@link ContactPoints#resolved}
   * @throws IOException when there is none; the message names the fault of each
   */
  static List<InetSocketAddress> usable(List<InetSocketAddress> resolved, Tls tls)
      throws IOException {
    return usable(resolved, tls, new SystemTime());
  }

  /** Probes with another clock. */
  static List<InetSocketAddress> usable(List<InetSocketAddress> resolved, Tls tls, NanoClock clock)
      throws IOException {
    List<InetSocketAddress> usable = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (InetSocketAddress each : resolved) {
      String fault = fault(each, tls, clock);
      if (fault.isEmpty()) {
        usable.add(each);
      } else {
        faults.add(each.getHostString() + ":" + each.getPort() + " (" + fault + ")");
      }
    }
    if (usable.isEmpty()) {
      throw new IOException(
          "cluster.contactPoints: none can be reached: " + String.join(", ", faults));
    }
    return usable;
  }

  private static String fault(InetSocketAddress address, Tls tls, NanoClock clock) {
    if (address.isUnresolved()) {
      return "the host name cannot be resolved";
    }
    try (DeadlineSocket socket = new DeadlineSocket(clock)) {
      socket.connect(address, TIMEOUT_MILLIS);
      socket.readsFor(TIMEOUT_MILLIS);
      return handshakeFault(tls.isOn() ? tls.over(socket, address) : socket, tls.isOn());
    } catch (HandshakeFailed e) {
      return String.valueOf(e.getMessage());
    } catch (SocketTimeoutException e) {
      return "no response to a connection attempt within 2 s";
    } catch (ConnectException e) {
      return "the connection is refused: nothing listens there";
    } catch (NoRouteToHostException e) {
      return "there is no route to the host";
    } catch (IOException e) {
      return ConnectFailure.reason(e);
    }
  }

  private static String handshakeFault(Socket socket, boolean encrypted) throws IOException {
    try {
      socket.getOutputStream().write(OPTIONS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      int version = in.readUnsignedByte();
      in.skipNBytes(3);
      int opcode = in.readUnsignedByte();
      boolean cql = (version & IS_RESPONSE) != 0 && (opcode == SUPPORTED || opcode == ERROR);
      if (version == TLS_ALERT && !encrypted) {
        return "it requires TLS (cluster.tls)";
      }
      return cql ? "" : "the server there does not speak CQL";
    } catch (SocketTimeoutException e) {
      return "it accepts connections, but does not answer CQL within 2 s";
    } catch (EOFException e) {
      return "it closes the connection"
          + (encrypted
              ? "; it may refuse the proxy's certificate"
              : ": not a CQL port, or one that requires TLS");
    }
  }
}
