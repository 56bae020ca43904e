package io.sluice;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One client request under way, from its plan to its one answer, over as many nodes as it takes.
 * Everything runs on the client's lane.
 */
abstract class Exchange implements AttemptListener {

  private final PathRooms rooms;
  private final ClientRequest request;
  private final Statement statement;
  private final long arrival;
  private final Timer.Timeout deadline;
  private final List<NodeId> tried = new ArrayList<>(2);
  private @Nullable Attempt attempt;
  private boolean over;

  Exchange(PathRooms rooms, ClientRequest request, Statement statement, long nanosLeft) {
    this.rooms = rooms;
    this.request = request;
    this.statement = statement;
    this.arrival = rooms.clock().nanoTime();
    this.deadline = lane().schedule(nanosLeft, this::timeOut);
  }

  PathRooms rooms() {
    return rooms;
  }

  ClientRequest request() {
    return request;
  }

  Statement statement() {
    return statement;
  }

  final Lane lane() {
    return request.client().lane();
  }

  /** When it came, on the path's clock. */
  long arrival() {
    return arrival;
  }

  boolean isOver() {
    return over;
  }

  /** Whether it has been sent to {@code node} before. */
  boolean hasTried(NodeId node) {
    return tried.contains(node);
  }

  /**
   * Sends the request to {@code node}, as often as this is called; {@link #ended} says how it went.
   */
  void send(NodeId node) {
    Node target = rooms.view().ring().node(node);
    if (target == null) {
      tried.add(node);
      ended(new NodeAnswer.LinkLost("node " + node + " has left the cluster", false));
      return;
    }
    Frame frame = outgoing();
    tried.add(node);
    LinkKey key =
        new LinkKey(request.client().identity(), request.client().version(), statement.keyspace());
    Attempt next = rooms.dispatcher().attempt(lane(), target, key, frame, this);
    attempt = next;
    next.start();
  }

  /** What is sent: the client's own frame. Once it left, its bytes may still be on their way. */
  Frame outgoing() {
    return tried.isEmpty() ? request.frame().share() : request.frame().copy();
  }

  /** Gives the attempt under way up; its late answer is nobody's. */
  void abandonAttempt() {
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
  }

  /** The one answer; takes the frame over. */
  void answer(Frame frame) {
    if (!finish()) {
      frame.release();
      return;
    }
    try {
      rooms.answers().answer(request, statement, frame, rooms.clock().nanoTime() - arrival);
    } catch (IndexOutOfBoundsException e) {
      frame.release();
      rooms
          .answers()
          .fail(request, statement, new Failure.Internal("A node's answer ends too early"));
    }
  }

  /** The one answer, an error of the proxy's own. */
  void fail(Failure failure) {
    if (finish()) {
      rooms.answers().fail(request, statement, failure);
    }
  }

  private boolean finish() {
    if (over) {
      return false;
    }
    over = true;
    deadline.cancel();
    request.frame().release();
    return true;
  }

  private void timeOut() {
    if (!over) {
      timedOut();
      abandonAttempt();
      fail(new Failure.Unknown("Operation timed out: no node answered within the deadline"));
    }
  }

  /** Its time is over: slots and places in queues have to be given back. */
  abstract void timedOut();
}
