package io.sluice.accept;

import io.sluice.accept.Client.PointReads;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.ProtocolVersion;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The client of one session: its address, its proved identity, and the options negotiated with it.
 * Not safe for several threads: its lane, with the exceptions that {@link Client} names.
 */
final class ConnectedClient implements Client {

  /** The session that serves the client. */
  interface Session {

    /** Sends a frame that answers no request, and takes ownership of it. Called on the lane. */
    void say(Frame frame);

    /** Closes the connection when its requests are answered. May be called from any thread. */
    void drain();
  }

  private final ClientConnection connection;
  private final Lane lane;
  private final Login login;
  private final MemoryAccount memory;
  private final Outbox outbox;
  private final Session session;

  private final PointReads pointReads = PointReads.none();
  private Identity identity = Identity.ANONYMOUS;
  private @Nullable String keyspace;

  /** Immutable. Written on the lane, read by any thread that sends events. */
  private volatile Set<String> events = Set.of();

  private @Nullable Object note;
  private int version = ProtocolVersion.MAX;

  ConnectedClient(
      ClientConnection connection,
      Lane lane,
      Login login,
      MemoryAccount memory,
      Outbox outbox,
      Session session) {
    this.connection = connection;
    this.lane = lane;
    this.login = login;
    this.memory = memory;
    this.outbox = outbox;
    this.session = session;
  }

  /** Returns a snapshot of the client. */
  ClientFacts facts(int unanswered) {
    return new ClientFacts(
        connection.id(),
        connection.address(),
        identity.role(),
        login.driver(),
        version,
        login.compression().algorithm(),
        keyspace,
        unanswered,
        memory.held(),
        outbox.unread(),
        connection.encryption(),
        connection.since());
  }

  /** Sets the protocol version of the client's frames. */
  void version(int spoken) {
    version = spoken;
  }

  @Override
  public long id() {
    return connection.id();
  }

  @Override
  public Lane lane() {
    return lane;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public InetSocketAddress address() {
    return connection.address();
  }

  @Override
  public InetSocketAddress connectedTo() {
    return connection.connectedTo();
  }

  @Override
  public Identity identity() {
    return identity;
  }

  @Override
  public void authenticated(Identity proven) {
    this.identity = proven;
  }

  @Override
  public @Nullable Identity certified() {
    return login.certified();
  }

  @Override
  public @Nullable String keyspace() {
    return keyspace;
  }

  @Override
  public void keyspace(String used) {
    this.keyspace = used;
  }

  @Override
  public ClientFacts.Driver driver() {
    return login.driver();
  }

  @Override
  public @Nullable Object note() {
    return note;
  }

  @Override
  public void note(Object next) {
    this.note = next;
  }

  @Override
  public Set<String> events() {
    return events;
  }

  void addEvents(Set<String> types) {
    Set<String> all = new TreeSet<>(events);
    all.addAll(types);
    events = Collections.unmodifiableSet(all);
  }

  @Override
  public boolean isCongested() {
    return outbox.holdsBack();
  }

  @Override
  public boolean isFull() {
    return outbox.isFull();
  }

  @Override
  public void buffered(long bytes) {
    memory.buffered(bytes);
  }

  @Override
  public PointReads pointReads() {
    return pointReads;
  }

  @Override
  public @Nullable String rangeRefusal() {
    return memory.rangeRefusal();
  }

  @Override
  public Wait whenDrained(Runnable task) {
    outbox.whenDrained(task);
    return () -> outbox.forget(task);
  }

  @Override
  public void push(Frame event) {
    lane.run(() -> session.say(event), event::release);
  }

  @Override
  public void end() {
    session.drain();
  }
}
