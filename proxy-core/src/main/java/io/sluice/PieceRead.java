package io.sluice;

import io.sluice.accept.Client;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.Answered;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One piece of a page: waits for its turn at a replica, is asked, and asked elsewhere when that
 * goes wrong, until it has said all that is wanted of it. Used on its client's lane only.
 */
final class PieceRead implements AttemptListener {

  private final ScatterRead read;
  private final int number;
  private final Lesson lesson;
  private SubRequest request;

  /** Where the next answer begins; null at the piece's own beginning. */
  private @Nullable ByteBuffer inner;

  /** Rows to ask for; 0 when that is found out when its turn has come. */
  private int wanted;

  private int rows;
  private boolean open = true;
  private boolean cancelled;
  private boolean parked;

  // What follows is of one question, over as many nodes as it takes.
  private final List<NodeId> tried = new ArrayList<>(2);
  private int timeouts;
  private boolean lastTry;
  private boolean asText;
  private @Nullable Turn turn;
  private @Nullable Attempt attempt;
  private Timer.@Nullable Timeout patience;
  private long bytesToCome;

  PieceRead(ScatterRead read, int number, SubRequest request, @Nullable ByteBuffer inner) {
    this.read = read;
    this.number = number;
    this.request = request;
    this.inner = inner;
    Token reached = inner == null ? null : read.page().reached(read.partitioner());
    this.lesson = new Lesson(reached == null ? request.piece().range().after() : reached);
  }

  int number() {
    return number;
  }

  SubRequest request() {
    return request;
  }

  /** Rows that it has returned for this page. */
  int rows() {
    return rows;
  }

  /** Rows that it was thought to have. */
  double estimate() {
    return request.piece().rows();
  }

  /** Whether rows of it may still come. */
  boolean isOpen() {
    return open && !cancelled;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** What its answers tell of how much lies where. */
  Lesson lesson() {
    return lesson;
  }

  /** Memory that its answer will take, by estimate. */
  long bytesToCome() {
    return bytesToCome;
  }

  /** Asks it for the first time. */
  void submit() {
    submit(request.piece().replicas());
  }

  /** Asks for more, from where the last answer ended. */
  void ask(@Nullable ByteBuffer from, int rowsWanted) {
    inner = from;
    wanted = read.pageSize(rowsWanted < 0 ? SubRequest.ALL : rowsWanted);
    tried.clear();
    timeouts = 0;
    submit();
  }

  /** It is a smaller piece from now on. */
  void narrow(SubRequest part) {
    request = part;
  }

  void submitForTheLastTime() {
    lastTry = true;
    tried.clear();
    submit();
  }

  private void submit(List<NodeId> replicas) {
    List<NodeId> nodes = replicas.isEmpty() ? anyNode() : replicas;
    if (nodes.isEmpty()) {
      read.fail(new Failure.Unreachable("No node is known that could be asked"));
      return;
    }
    Turn next = new Turn(nodes);
    turn = next;
    read.rooms().scheduler().submit(next);
  }

  private List<NodeId> anyNode() {
    return Planner.home(read.page().client().id(), read.rooms().view().ring());
  }

  /** Goes on at a replica that was not asked yet, or else at any node; false without one. */
  private boolean elsewhere() {
    List<NodeId> left = untried(request.piece().replicas());
    if (left.isEmpty()) {
      left = untried(anyNode());
    }
    if (!left.isEmpty()) {
      submit(left);
    }
    return !left.isEmpty();
  }

  private List<NodeId> untried(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !tried.contains(node)).toList();
  }

  /** Nothing more of it is wanted. What a node has begun is let finish: it holds a slot there. */
  void cancel() {
    if (!cancelled) {
      cancelled = true;
      bytesToCome = 0;
      Turn waiting = turn;
      if (waiting != null && waiting.permit == null && read.rooms().scheduler().cancel(waiting)) {
        turn = null;
      }
    }
  }

  /** Its turn has come. */
  private void begin(Turn granted, Permit permit) {
    Client client = read.page().client();
    if (turn != granted || cancelled || !read.isWanted()) {
      permit.finishAbandoned();
      return;
    }
    if (client.isCongested()) {
      permit.finishAbandoned();
      client.whenDrained(() -> again(granted));
      return;
    }
    int now = wanted == 0 ? read.firstRows(this) : wanted;
    if (now == 0) {
      permit.finishAbandoned();
      read.split().meters().spared();
      turn = null;
    } else if (!read.mayHold(this, read.bytesOf(this, now))) {
      permit.finishAbandoned();
      parked = true;
    } else {
      bytesToCome = read.bytesOf(this, now);
      granted.permit = permit;
      send(permit.node(), now);
    }
  }

  private void again(Turn waiting) {
    if (turn == waiting && !cancelled) {
      submit();
    }
  }

  /** Memory has become free, or it is the next in order now. */
  void resumeIfParked() {
    if (parked && !cancelled) {
      parked = false;
      submit();
    }
  }

  private void send(NodeId id, int rowsNow) {
    tried.add(id);
    Node node = read.rooms().view().ring().node(id);
    if (node == null) {
      ended(new NodeAnswer.LinkLost("node " + id + " has left the cluster", false));
      return;
    }
    read.split().meters().sent();
    Attempt next =
        read.rooms()
            .dispatcher()
            .attempt(read.lane(), node, read.page().linkKey(), frame(node, rowsNow), this);
    attempt = next;
    patience =
        read.lane().schedule(read.rooms().readTimeoutNanos(PriorityClass.RANGE), this::noAnswer);
    next.start();
  }

  private Frame frame(Node node, int rowsNow) {
    PartFrames frames = new PartFrames(read.page(), read.plan(), read.template());
    PreparedText text = frames.text(request.piece());
    PreparedId id =
        asText || !read.template().executes()
            ? null
            : read.split().preparer().id(text, read.lane(), node, read.page().linkKey());
    Frame made = frames.frame(request.piece(), id, rowsNow, inner);
    return read.rooms().hinted(made, node.id(), read.hint());
  }

  @Override
  public void ended(NodeAnswer answer) {
    attempt = null;
    bytesToCome = 0;
    if (patience != null) {
      patience.cancel();
      patience = null;
    }
    Permit permit = takePermit();
    if (answer instanceof NodeAnswer.Answered answered) {
      answered(answered.frame(), permit);
      return;
    }
    if (permit != null) {
      permit.finishAbandoned();
    }
    if (cancelled) {
      return;
    }
    if (answer instanceof NodeAnswer.Refused refused) {
      read.fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else if (answer instanceof NodeAnswer.LinkLost lost && !elsewhere()) {
      read.fail(new Failure.Unreachable("No replica could be reached: " + lost.reason()));
    }
  }

  private @Nullable Permit takePermit() {
    Turn current = turn;
    turn = null;
    return current == null ? null : current.permit;
  }

  private void answered(Frame frame, @Nullable Permit permit) {
    int error = Answers.errorCode(frame);
    if (permit != null) {
      finish(permit, frame, error);
    }
    if (cancelled) {
      frame.release();
    } else if (error < 0) {
      read.answered(this, frame);
    } else {
      failed(error, frame);
    }
  }

  private void finish(Permit permit, Frame frame, int error) {
    if (error == ErrorCode.OVERLOADED || error == ErrorCode.READ_TIMEOUT) {
      permit.finishOverloaded();
    } else if (error >= 0) {
      permit.finishAbandoned();
    } else {
      permit.finish(Answers.rowCount(frame), frame.length());
    }
  }

  private void failed(int error, Frame frame) {
    switch (error) {
      case ErrorCode.READ_TIMEOUT -> timedOut(frame);
      case ErrorCode.OVERLOADED,
          ErrorCode.IS_BOOTSTRAPPING,
          ErrorCode.UNAVAILABLE,
          ErrorCode.READ_FAILURE,
          ErrorCode.SERVER_ERROR -> {
        if (untried(request.piece().replicas()).isEmpty()) {
          read.error(frame);
        } else {
          frame.release();
          elsewhere();
        }
      }
      case ErrorCode.UNPREPARED -> {
        frame.release();
        read.split().preparer().forget(read.page().part(read.plan().text(request.piece())));
        asText = true;
        submit();
      }
      default -> read.misunderstood(frame);
    }
  }

  /** Once is bad luck. What takes too long twice is too much at a time. */
  private void timedOut(@Nullable Frame error) {
    timeouts++;
    boolean goesOn = !lastTry && (timeouts == 1 || (inner == null && rows == 0 && read.cut(this)));
    if (!goesOn) {
      if (error == null) {
        read.fail(new Failure.Unknown("Operation timed out: no node answered within the timeout"));
      } else {
        read.error(error);
      }
      return;
    }
    if (error != null) {
      error.release();
    }
    if (timeouts == 1) {
      List<NodeId> left = untried(request.piece().replicas());
      submit(left.isEmpty() ? request.piece().replicas() : left);
    }
  }

  private void noAnswer() {
    patience = null;
    giveAttemptUp(true);
    if (!cancelled) {
      timedOut(null);
    }
  }

  private void giveAttemptUp(boolean overloaded) {
    if (patience != null) {
      patience.cancel();
      patience = null;
    }
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
    Permit permit = takePermit();
    if (permit == null) {
      return;
    }
    if (overloaded) {
      permit.finishOverloaded();
    } else {
      permit.finishAbandoned();
    }
  }

  @Override
  public void silent() {
    if (cancelled) {
      giveAttemptUp(false);
    } else if (!untried(request.piece().replicas()).isEmpty()) {
      giveAttemptUp(false);
      elsewhere();
    }
  }

  /** An answer of it was used. */
  void took(Answered what) {
    rows += what.rows();
    open = !what.complete();
  }

  /** One place in one replica's queue. */
  private final class Turn extends Demand {

    private @Nullable Permit permit;

    Turn(List<NodeId> replicas) {
      super(read.query(), number, replicas, read.expectedRows(request));
    }

    @Override
    protected void start(Permit granted) {
      read.lane().run(() -> begin(this, granted));
    }

    @Override
    protected void refuse(Refusal refusal) {
      read.lane().run(() -> refused(refusal));
    }

    private void refused(Refusal refusal) {
      if (turn == this && !cancelled) {
        turn = null;
        read.fail(
            switch (refusal.reason()) {
              case OVERLOADED -> new Failure.Overloaded(refusal.message());
              case DEADLINE -> new Failure.Unknown(refusal.message());
              case UNAVAILABLE -> new Failure.Unreachable(refusal.message());
            });
      }
    }
  }
}
