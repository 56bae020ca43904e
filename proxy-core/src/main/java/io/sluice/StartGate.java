package io.sluice;

import io.sluice.accept.Client;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.time.Timer;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The request path, once there is one. Until the cluster is connected, a client's STARTUP waits,
 * because a driver that is refused gives its session up; what waits too long, or beside too many
 * others, is refused. Safe for any thread.
 */
final class StartGate implements ClientHandler {

  /** Clients of a proxy that has just started come at once, most of them by drivers' pools. */
  private static final int MOST_WAITING = 1_024;

  /** Every Cassandra accepts it in a STARTUP; drivers refuse a SUPPORTED without one. */
  private static final String ANY_CQL_VERSION = "3.0.0";

  private final Duration patience;
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ClientHandler path;

  /**
   * A closed gate.
   *
   * @param handshakeTimeout after which a connection without a login is closed; a STARTUP waits for
   *     four fifths of it
   */
  StartGate(Duration handshakeTimeout) {
    this.patience = handshakeTimeout.multipliedBy(4).dividedBy(5);
  }

  /** Lets clients in from now on, those that wait first. */
  void open(ClientHandler ready) {
    path = ready;
    waiting.forEach(Waiting::letIn);
  }

  /** How many clients wait. */
  int waiting() {
    return waiting.size();
  }

  @Override
  public Map<String, List<String>> supported() {
    ClientHandler open = path;
    return open == null
        ? Map.of(
            "CQL_VERSION", List.of(ANY_CQL_VERSION),
            "COMPRESSION", RequestPath.COMPRESSION,
            "PROTOCOL_VERSIONS", RequestPath.VERSIONS)
        : open.supported();
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    ClientHandler open = path;
    if (open != null) {
      return open.startup(startup, options);
    }
    Waiting next = new Waiting(startup, options);
    if (waiting.size() >= MOST_WAITING) {
      next.refuse();
    } else {
      next.begin();
    }
    return next;
  }

  @Override
  public void handle(ClientRequest request) {
    opened().handle(request);
  }

  @Override
  public void registered(Client client) {
    opened().registered(client);
  }

  @Override
  public void gone(Client client) {
    ClientHandler open = path;
    if (open != null) {
      open.gone(client);
    }
  }

  /** A session is ready only after a handshake that the path has led. */
  private ClientHandler opened() {
    ClientHandler open = path;
    if (open == null) {
      throw new IllegalStateException("a request before the cluster was connected");
    }
    return open;
  }

  /** A STARTUP that waits for the gate to open. On its client's lane, but for {@link #letIn}. */
  private final class Waiting implements Handshake {

    private final ClientRequest startup;
    private final Map<String, String> options;
    private Timer.@Nullable Timeout deadline;
    private @Nullable Handshake begun;
    private boolean over;

    Waiting(ClientRequest startup, Map<String, String> options) {
      this.startup = startup;
      this.options = options;
    }

    void begin() {
      deadline = startup.client().lane().schedule(patience.toNanos(), this::refuse);
      waiting.add(this);
      if (path != null) {
        letIn();
      }
    }

    /** Any thread. */
    void letIn() {
      startup.client().lane().execute(this::goOn);
    }

    private void goOn() {
      if (leave()) {
        begun = opened().startup(startup, options);
      }
    }

    /** Later: the session has to know of the handshake before it sees the answer. */
    void refuse() {
      startup.client().lane().execute(this::sayNo);
    }

    private void sayNo() {
      if (leave()) {
        startup.frame().release();
        startup
            .replyTo()
            .reply(
                CqlCodec.error(
                    startup.client().version(),
                    ErrorCode.OVERLOADED,
                    "Sluice is not connected to the cluster yet; try another contact point, or"
                        + " again later"));
      }
    }

    /** Whether it did wait until now. */
    private boolean leave() {
      boolean waited = !over;
      over = true;
      waiting.remove(this);
      if (deadline != null) {
        deadline.cancel();
        deadline = null;
      }
      return waited;
    }

    @Override
    public void authResponse(ClientRequest response) {
      if (begun == null) {
        throw new IllegalStateException("no client is asked for a proof here");
      }
      begun.authResponse(response);
    }

    @Override
    public void end() {
      if (leave()) {
        startup.frame().release();
      } else if (begun != null) {
        begun.end();
      }
    }
  }
}
