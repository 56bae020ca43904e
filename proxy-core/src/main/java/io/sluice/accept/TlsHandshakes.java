package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryBudget;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsListener;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The TLS handshakes of clients that have not logged in. Together they use at most an eighth of the
 * memory budget. Safe for any thread.
 */
final class TlsHandshakes {

  /** Bytes of the engine of one TLS handshake, with its buffers; 13 KB measured. */
  static final long HANDSHAKE_BYTES = 16 * 1024;

  private final MemoryBudget memory;
  private final FaultLog faults;
  private final Places places;

  TlsHandshakes(MemoryBudget memory, FaultLog faults) {
    this.memory = memory;
    this.faults = faults;
    this.places = new Places(memory.handshakes(HANDSHAKE_BYTES));
  }

  /**
   * Creates the handshake of a new connection, which holds no memory yet.
   *
   * @param origin the origin to which limits per address apply
   */
  Handshake of(Channel channel, String origin) {
    return new Handshake(channel, origin);
  }

  /**
   * Accounts for the memory of a client's TLS engine from the begin of its handshake until the
   * login, and logs the failure of the handshake.
   */
  final class Handshake implements TlsListener {

    private final Channel channel;
    private final String origin;
    private Places.@Nullable Place place;
    private @Nullable LongConsumer held;

    private Handshake(Channel channel, String origin) {
      this.channel = channel;
      this.origin = origin;
      channel.closeFuture().addListener(closed -> over());
    }

    @Override
    public boolean begins() {
      place = places.take(origin);
      if (place == null) {
        faults.disconnected(
            Disconnect.MEMORY,
            channel.remoteAddress(),
            "too many TLS connections have not logged in (an eighth of cql.maxMemoryPercent is"
                + " for them, and one address may take half of what is free of it)");
        return false;
      }
      held = memory.count();
      held.accept(HANDSHAKE_BYTES);
      return true;
    }

    /** Gives the memory back, at the login or the end of the connection. */
    void over() {
      if (place != null && held != null) {
        place.leave();
        held.accept(0);
      }
      place = null;
      held = null;
    }

    @Override
    public void secured() {
      // The engine stays.
    }

    @Override
    public void failed(TlsCause cause, String reason) {
      over();
      if (cause == TlsCause.CLOSED) {
        faults.refused(channel.remoteAddress(), reason);
      } else {
        faults.disconnected(Disconnect.TLS, channel.remoteAddress(), reason);
      }
    }
  }
}
