package io.sluice.accept;

import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client connection, as the rooms of the path see it. Its mutable facts are touched on its lane
 * only, in the order of its requests.
 */
public interface Client {

  /** A number no other connection of this process has. */
  long id();

  /** The lane that serves this connection. */
  Lane lane();

  /** The protocol version its first frame chose. */
  int version();

  /** The client's own address. */
  InetSocketAddress address();

  /** The address of this proxy that the client connected to. */
  InetSocketAddress connectedTo();

  /** The identity it proved; anonymous until the handshake is over. */
  Identity identity();

  /** Sets the identity it proved, before the answer that confirms it to the client. */
  void authenticated(Identity identity);

  /**
   * The identity that its certificate stands for, which asks for no further proof from it; null
   * where it logs in by a password. Known from its STARTUP on.
   */
  @Nullable Identity certified();

  /** The keyspace of its last USE, or null. */
  @Nullable String keyspace();

  /** Sets the keyspace, before the answer that tells the client so. */
  void keyspace(String keyspace);

  /** What its driver says of itself. */
  ClientFacts.Driver driver();

  /** What a later room has noted of it; null as long as it has noted nothing. */
  @Nullable Object note();

  /** Notes something, in the place of what was noted before. */
  void note(Object note);

  /** The event types it registered for, in upper case. */
  Set<String> events();

  /**
   * Whether range reads have to wait: it reads slower than its answers come, or memory is filling
   * and it has not read its answers.
   */
  boolean isCongested();

  /**
   * Whether it leaves so much unread that not even small answers should be added. May be called
   * from any thread.
   */
  boolean isFull();

  /** Counts answers that are buffered for its range reads; negative when they are given back. */
  void buffered(long bytes);

  /** The point reads that it has under way. */
  PointReads pointReads();

  /**
   * The reason why its range reads are refused now; null while they are not. It is one of the
   * largest while memory is short.
   */
  @Nullable String rangeRefusal();

  /** Runs {@code task} on its lane when it has caught up, or is gone. */
  void whenDrained(Runnable task);

  /** Sends an event; takes the frame over. May be called from any thread. */
  void push(Frame event);

  /**
   * Ends the session: closes the connection when its requests are answered, so that the client logs
   * in again. May be called from any thread.
   */
  void end();
}
