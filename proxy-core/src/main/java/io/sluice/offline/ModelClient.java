package io.sluice.offline;

import io.sluice.accept.Client;
import io.sluice.accept.ClientFacts;
import io.sluice.accept.PointReads;
import io.sluice.accept.ReplyTo;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client that is not there, for what is only explained. Immutable.
 *
 * @param version the version of the protocol that it speaks
 * @param keyspace the keyspace of its session; null for none
 */
record ModelClient(int version, @Nullable String keyspace) implements Client, ReplyTo {

  private static UnsupportedOperationException notThere() {
    return new UnsupportedOperationException("a client that is not there");
  }

  @Override
  public long id() {
    return 0;
  }

  @Override
  public Lane lane() {
    throw notThere();
  }

  @Override
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @Override
  public InetSocketAddress connectedTo() {
    return address();
  }

  @Override
  public Identity identity() {
    return Identity.ANONYMOUS;
  }

  @Override
  public void authenticated(Identity identity) {
    throw notThere();
  }

  @Override
  public @Nullable Identity certified() {
    return null;
  }

  @Override
  public void keyspace(String used) {
    throw notThere();
  }

  @Override
  public ClientFacts.Driver driver() {
    return ClientFacts.Driver.UNKNOWN;
  }

  @Override
  public @Nullable Object note() {
    return null;
  }

  @Override
  public void note(Object note) {
    throw notThere();
  }

  @Override
  public Set<String> events() {
    return Set.of();
  }

  @Override
  public boolean isCongested() {
    return false;
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void buffered(long bytes) {
    throw notThere();
  }

  @Override
  public PointReads pointReads() {
    return PointReads.none();
  }

  @Override
  public @Nullable String rangeRefusal() {
    return null;
  }

  @Override
  public void whenDrained(Runnable task) {
    throw notThere();
  }

  @Override
  public void push(Frame event) {
    event.release();
  }

  @Override
  public void end() {
    throw notThere();
  }

  @Override
  public void reply(Frame answer) {
    answer.release();
  }

  @Override
  public boolean isOpen() {
    return true;
  }
}
