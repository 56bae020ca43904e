package io.sluice.offline;

import io.sluice.accept.Client;
import io.sluice.accept.Client.PointReads;
import io.sluice.accept.ClientFacts;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model of a client, for requests that are only explained. Immutable.
 *
 * @param version the protocol version that it speaks
 * @param keyspace the keyspace of its session; null for none
 */
record ModelClient(int version, @Nullable String keyspace) implements Client, ReplyTo {

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("not supported by a modelled client");
  }

  @Override
  public long id() {
    return 0;
  }

  @Override
  public Lane lane() {
    throw unsupported();
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
    throw unsupported();
  }

  @Override
  public @Nullable Identity certified() {
    return null;
  }

  @Override
  public void keyspace(String used) {
    throw unsupported();
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
    throw unsupported();
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
    throw unsupported();
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
  public Wait whenDrained(Runnable task) {
    throw unsupported();
  }

  @Override
  public void push(Frame event) {
    event.release();
  }

  @Override
  public void end() {
    throw unsupported();
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
