package io.sluice.execute.dispatch;

import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.Link;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request to one node. Not safe for several threads: one lane. */
public final class Attempt implements LinkWaiter, AnswerHandler {

  private final Dispatcher dispatcher;
  private final Lane lane;
  private final Node node;
  private final LinkKey key;
  private final Frame request;
  private final AttemptListener listener;
  private @Nullable Set<PreparedId> reprepared;
  private @Nullable Link link;
  private int stream = -1;
  private boolean over;

  Attempt(
      Dispatcher dispatcher,
      Lane lane,
      Node node,
      LinkKey key,
      Frame request,
      AttemptListener listener) {
    this.dispatcher = dispatcher;
    this.lane = lane;
    this.node = node;
    this.key = key;
    this.request = request;
    this.listener = listener;
  }

  /** Sends the request. Called once. The listener may get the outcome before this returns. */
  public void start() {
    dispatcher.links().acquire(lane, node, key, this);
  }

  @Override
  public void ready(Link opened) {
    if (over) {
      return;
    }
    link = opened;
    stream = opened.send(request.share(), this);
    if (stream < 0) {
      lane.execute(
          () -> end(new NodeAnswer.LinkLost("no free stream to " + node.address(), false)));
    }
  }

  @Override
  public void failed(LinkFailure failure) {
    end(
        failure.refused()
            ? new NodeAnswer.Refused(failure.errorCode(), failure.message())
            : new NodeAnswer.LinkLost(failure.message(), false));
  }

  @Override
  public void answered(Frame answer) {
    stream = -1;
    PreparedText missing;
    try {
      keepKeyspace(answer);
      missing = missing(answer);
    } catch (RuntimeException e) {
      answer.release();
      breaks(e);
      return;
    }
    if (missing == null) {
      end(new NodeAnswer.Answered(answer));
    } else {
      LinkKey preparing = new LinkKey(key.identity(), key.version(), missing.keyspace());
      dispatcher
          .links()
          .acquire(
              lane,
              node,
              preparing,
              new Reprepare(
                  dispatcher.texts(),
                  Answers.unpreparedId(answer),
                  missing,
                  answer,
                  key.version(),
                  this));
    }
  }

  /**
   * Closes the link if the answer says that the connection is in another keyspace than that of the
   * link, because the names of other clients' statements would be taken from there.
   */
  private void keepKeyspace(Frame answer) {
    if (link != null
        && Answers.isSetKeyspace(answer)
        && !Answers.keyspace(answer).equals(key.keyspace())) {
      link.close("a statement has changed the keyspace of the connection");
    }
  }

  /**
   * Returns the statement to prepare before the request is sent again, once for each statement of a
   * batch. Returns null if the answer is not UNPREPARED.
   */
  private @Nullable PreparedText missing(Frame answer) {
    if (over || Answers.errorCode(answer) != ErrorCode.UNPREPARED) {
      return null;
    }
    PreparedId id = Answers.unpreparedId(answer);
    return isFirst(id) ? dispatcher.texts().text(id) : null;
  }

  private boolean isFirst(PreparedId id) {
    if (reprepared == null) {
      reprepared = new HashSet<>(2);
    }
    return reprepared.add(id);
  }

  /** Sends the request again after the node has prepared the statement. */
  void prepared() {
    if (!over && link != null) {
      ready(link);
    }
  }

  /** Ends with the node's first answer, because the statement could not be prepared. */
  void notPrepared(Frame firstAnswer) {
    end(new NodeAnswer.Answered(firstAnswer));
  }

  @Override
  public void lost(String reason) {
    end(new NodeAnswer.LinkLost(reason, true));
  }

  @Override
  public void silent() {
    if (!over) {
      listener.silent(link != null);
    }
  }

  /** Whether the request got a link, so that the node may have seen it. */
  public boolean isSent() {
    return link != null;
  }

  /** Abandons the request. The listener is not called any more. */
  public void abandon() {
    if (!over) {
      over = true;
      int bytes = request.length();
      request.release();
      if (link != null && stream >= 0) {
        link.abandon(stream, this, bytes);
      }
    }
  }

  private void end(NodeAnswer answer) {
    if (!over) {
      over = true;
      request.release();
      try {
        listener.ended(answer);
      } catch (RuntimeException | Error e) {
        listener.broke(e);
        if (answer instanceof NodeAnswer.Answered answered) {
          answered.frame().releaseUnlessGone();
        }
        throw e;
      }
    } else if (answer instanceof NodeAnswer.Answered late) {
      late.frame().release();
    }
  }

  private void breaks(RuntimeException cause) {
    if (!over) {
      over = true;
      request.release();
      listener.broke(cause);
    }
    throw cause;
  }

  /** Receives the outcome of an attempt, on the lane that created it. */
  public interface AttemptListener {

    /** Called when the attempt has ended. No call follows, unless this method throws. */
    void ended(NodeAnswer answer);

    /**
     * Called when the handling of the answer has thrown. The request must end with an error and
     * release its resources. May follow {@link #ended}.
     */
    void broke(Throwable cause);

    /**
     * Called when the node is silent, and again while it stays silent. The answer may still come.
     *
     * @param sent whether the node may have seen the request
     */
    void silent(boolean sent);
  }

  /** The outcome of a request at one node. */
  public sealed interface NodeAnswer {

    /**
     * The node answered, with rows or with an error.
     *
     * @param frame the answer, owned by the receiver
     */
    record Answered(Frame frame) implements NodeAnswer {}

    /**
     * The node can no longer be reached.
     *
     * @param reason the cause
     * @param sent whether the node may have seen the request
     */
    record LinkLost(String reason, boolean sent) implements NodeAnswer {}

    /**
     * The node has refused the login or the keyspace of the link.
     *
     * @param errorCode the error code of the node
     * @param message the message of the node
     */
    record Refused(int errorCode, String message) implements NodeAnswer {

      /**
       * Whether another node may accept the link. A node that was down while a keyspace was created
       * does not know it for a while. The request was not sent.
       */
      public boolean mayDifferElsewhere() {
        return errorCode == ErrorCode.INVALID;
      }
    }
  }
}
