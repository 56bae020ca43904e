package io.sluice.accept;

import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client connection, as the later steps of the request path see it. Its mutable state is used on
 * its lane only, in the order of its requests.
 */
public interface Client {

  /** Returns a number that no other connection of this process has. */
  long id();

  /** Returns the lane that serves this connection. */
  Lane lane();

  /** Returns the protocol version that the client's first frame chose. */
  int version();

  /** Returns the client's own address. */
  InetSocketAddress address();

  /** Returns the client's own address in the form host:port. */
  default String addressText() {
    return address().getHostString() + ":" + address().getPort();
  }

  /** Returns the address of this proxy that the client connected to. */
  InetSocketAddress connectedTo();

  /** Returns the identity that the client has proved; anonymous until the handshake is complete. */
  Identity identity();

  /**
   * Sets the proved identity. Called before the response that confirms the identity to the client.
   */
  void authenticated(Identity identity);

  /**
   * Returns the identity that the client's certificate stands for, which needs no further proof.
   * Null when the client logs in by password. Known from STARTUP on.
   *
   * @throws io.sluice.wire.ProtocolError when the certificate stands for no role, or has expired
   */
  @Nullable Identity certified();

  /** Returns the keyspace of the client's last USE, or null. */
  @Nullable String keyspace();

  /** Sets the keyspace. Called before the response that tells the client so. */
  void keyspace(String keyspace);

  /** Returns what the driver says of itself. */
  ClientFacts.Driver driver();

  /** Returns the note that a later step has attached; null until then. */
  @Nullable Object note();

  /** Attaches a note, which replaces the previous one. */
  void note(Object note);

  /**
   * Returns the event types that the client has registered for, in upper case. May be called on any
   * thread.
   */
  Set<String> events();

  /**
   * Whether range reads have to wait. The client reads more slowly than its responses arrive, or
   * memory is filling and the client has unread responses.
   */
  boolean isCongested();

  /**
   * Whether the client leaves so much unread that not even small responses should be added. May be
   * called from any thread.
   */
  boolean isFull();

  /**
   * Counts bytes that the client's requests in flight take besides their frames: parsed statements,
   * and answers that are buffered for range reads; negative when they are released.
   */
  void buffered(long bytes);

  /** Returns the client's point reads in flight. */
  PointReads pointReads();

  /**
   * Returns the reason why the client's range reads are refused now; null while they are not.
   * Memory is short then, and this client is one of the largest.
   */
  @Nullable String rangeRefusal();

  /**
   * Runs {@code task} on the client's lane when the client has caught up, or is disconnected.
   *
   * @return the wait, which its owner ends when it needs the task no longer
   */
  Wait whenDrained(Runnable task);

  /** A wait for a client that has to catch up. */
  interface Wait {

    /** Drops the task. Does nothing after it has run. */
    void end();
  }

  /** Sends an event and takes ownership of the frame. May be called from any thread. */
  void push(Frame event);

  /**
   * Ends the session: closes the connection when its requests are answered, so that the client has
   * to log in again. May be called from any thread.
   */
  void end();

  /** The point reads of one client in flight. Not safe for several threads: its client's lane. */
  final class PointReads {

    private int underWay;
    private long latestNanos;

    private PointReads() {}

    /** Returns the empty count of a new client. */
    public static PointReads none() {
      return new PointReads();
    }

    /** Returns how many point reads are in flight. */
    public int underWay() {
      return underWay;
    }

    /**
     * Returns the queue position of the point read that began last, in ns; meaningless when none is
     * in flight.
     */
    public long latestNanos() {
      return latestNanos;
    }

    /** Counts a point read that begins at this queue position. */
    public void begins(long placeNanos) {
      underWay++;
      latestNanos = placeNanos;
    }

    /** Counts the end of a point read. */
    public void ends() {
      underWay--;
    }
  }
}
