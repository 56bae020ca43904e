package io.sluice.accept;

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
 * Holds clients until the request path exists, then delegates to it. Until the cluster is
 * connected, a client's STARTUP waits, because a refused driver gives its session up. A STARTUP
 * that waits too long, or beyond the limit of waiting clients, is refused. Safe for any thread.
 */
final class StartGate implements ClientHandler {

  /** The most waiting clients. After a restart, the pools of all drivers connect at once. */
  private static final int MAX_WAITING = 1_024;

  private final Duration maxWait;
  private final Map<String, List<String>> supported;
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ClientHandler path;

  /**
   * Creates a closed gate.
   *
   * @param handshakeTimeout time after which a connection without a login is closed; a STARTUP
   *     waits for four fifths of it
   * @param supported the options of a SUPPORTED message until the gate opens
   */
  StartGate(Duration handshakeTimeout, Map<String, List<String>> supported) {
    this.supported = Map.copyOf(supported);
    this.maxWait = handshakeTimeout.multipliedBy(4).dividedBy(5);
  }

  /** Creates an open gate. */
  static StartGate opened(ClientHandler ready) {
    StartGate gate = new StartGate(Duration.ZERO, Map.of());
    gate.open(ready);
    return gate;
  }

  /** Opens the gate and starts the handshakes of waiting clients. */
  void open(ClientHandler ready) {
    path = ready;
    waiting.forEach(Waiting::letIn);
  }

  /** Returns the number of waiting clients. */
  int waiting() {
    return waiting.size();
  }

  @Override
  public Map<String, List<String>> supported() {
    ClientHandler open = path;
    return open == null ? supported : open.supported();
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    ClientHandler open = path;
    if (open != null) {
      return open.startup(startup, options);
    }
    Waiting next = new Waiting(startup, options);
    if (waiting.size() >= MAX_WAITING) {
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

  /**
   * Returns the path, which must exist: a session is ready only after a handshake with the path.
   */
  private ClientHandler opened() {
    ClientHandler open = path;
    if (open == null) {
      throw new IllegalStateException("a request before the cluster was connected");
    }
    return open;
  }

  /**
   * A STARTUP that waits until the gate opens. Used on its client's lane, except {@link #letIn}.
   */
  private final class Waiting implements Handshake {

    private final ClientRequest startup;
    private final Map<String, String> options;
    private Timer.@Nullable Timeout deadline;
    private @Nullable Handshake handshake;
    private boolean over;

    Waiting(ClientRequest startup, Map<String, String> options) {
      this.startup = startup;
      this.options = options;
    }

    void begin() {
      deadline = startup.client().lane().schedule(maxWait.toNanos(), this::refuse);
      waiting.add(this);
      if (path != null) {
        letIn();
      }
    }

    /** Continues the handshake; called from any thread. */
    void letIn() {
      startup.client().lane().execute(this::continueHandshake);
    }

    private void continueHandshake() {
      if (leave()) {
        handshake = opened().startup(startup, options);
      }
    }

    /**
     * Refuses the STARTUP in a later task, because the session must know the handshake before the
     * answer.
     */
    void refuse() {
      startup.client().lane().execute(this::refuseNow);
    }

    private void refuseNow() {
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

    /** Stops waiting. Returns false if the wait had ended before. */
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
      if (handshake == null) {
        throw new IllegalStateException("no client is asked for a proof here");
      }
      handshake.authResponse(response);
    }

    @Override
    public void end() {
      if (leave()) {
        startup.frame().release();
      } else if (handshake != null) {
        handshake.end();
      }
    }
  }
}
