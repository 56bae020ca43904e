package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.Client.PointReads;
import io.sluice.accept.ClientFacts;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.ProtocolError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A client in memory, configured by the test, that records its events. */
public final class TestClient implements Client {

  final Set<String> events = new TreeSet<>();
  public final List<Frame> told = new ArrayList<>();

  /** Tasks that wait until the client has caught up. */
  public final BlockingQueue<Runnable> waitingForDrain = new LinkedBlockingQueue<>();

  public volatile boolean congested;
  public volatile boolean full;

  /** The bytes that the client's requests take besides their frames. Changed on its lane. */
  public long buffered;

  /** The point reads that the client has in flight. */
  public final PointReads pointReads = PointReads.none();

  /** The reason why the client's range reads are refused, or null. */
  public volatile @Nullable String rangeRefusal;

  private final int version;
  private final Lane lane;
  private volatile @Nullable String keyspace;
  private volatile long id = 1;
  private @Nullable Object note;

  /** The identity that the client has proved in a handshake. */
  public volatile @Nullable Identity proven;

  /** Whether the session is ended. */
  public volatile boolean ended;

  public TestClient(int version) {
    this(version, new TestLane());
  }

  public TestClient(int version, Lane lane) {
    this.version = version;
    this.lane = lane;
  }

  /** Registers the client for an event. */
  public TestClient hears(String event) {
    events.add(event);
    return this;
  }

  /** Sets the keyspace, as USE does. */
  public TestClient uses(String used) {
    keyspace = used;
    return this;
  }

  /** Sets the number of the connection. */
  public TestClient numbered(long number) {
    id = number;
    return this;
  }

  @Override
  public long id() {
    return id;
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
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
  }

  @Override
  public InetSocketAddress connectedTo() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
  }

  @Override
  public Identity identity() {
    Identity identity = proven;
    return identity == null ? Identity.ANONYMOUS : identity;
  }

  @Override
  public void authenticated(Identity identity) {
    proven = identity;
  }

  /** The identity that the client's certificate stands for. */
  public volatile @Nullable Identity certified;

  /** The reason why the client's certificate stands for no identity. */
  public volatile @Nullable ProtocolError uncertified;

  @Override
  public @Nullable Identity certified() {
    ProtocolError refused = uncertified;
    if (refused != null) {
      throw refused;
    }
    return certified;
  }

  @Override
  public @Nullable String keyspace() {
    return keyspace;
  }

  @Override
  public void keyspace(String used) {
    keyspace = used;
  }

  /** The application name that the driver sends. */
  public volatile @Nullable String application;

  @Override
  public ClientFacts.Driver driver() {
    return new ClientFacts.Driver("a driver", "1.0", application);
  }

  @Override
  public @Nullable Object note() {
    return note;
  }

  @Override
  public void note(Object next) {
    note = next;
  }

  @Override
  public Set<String> events() {
    return events;
  }

  @Override
  public boolean isCongested() {
    return congested;
  }

  @Override
  public boolean isFull() {
    return full;
  }

  @Override
  public void buffered(long bytes) {
    buffered += bytes;
  }

  @Override
  public PointReads pointReads() {
    return pointReads;
  }

  @Override
  public @Nullable String rangeRefusal() {
    return rangeRefusal;
  }

  @Override
  public Wait whenDrained(Runnable task) {
    waitingForDrain.add(task);
    return () -> waitingForDrain.remove(task);
  }

  @Override
  public void push(Frame event) {
    told.add(event);
  }

  @Override
  public void end() {
    ended = true;
  }
}
