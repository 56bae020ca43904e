package io.sluice.accept;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right of one request to one response. */
final class PendingReply extends AtomicBoolean implements ReplyTo {

  private static final long serialVersionUID = 1L;

  /** The session on which the request arrived. */
  interface Session {

    Lane lane();

    /** Whether a response can still be sent. */
    boolean isOpen();

    /** Sends a response and takes ownership of it. Called on the lane, once for each request. */
    void answer(Frame answer, PendingReply asked);
  }

  private final transient Session session;
  private final int stream;
  private final int length;

  /** Creates the right to answer a request with this stream id and length in bytes. */
  PendingReply(Session session, int stream, int length) {
    this.session = session;
    this.stream = stream;
    this.length = length;
  }

  int stream() {
    return stream;
  }

  int length() {
    return length;
  }

  @Override
  public void reply(Frame answer) {
    if (!compareAndSet(false, true)) {
      answer.release();
      return;
    }
    Lane lane = session.lane();
    if (lane.isCurrent()) {
      session.answer(answer, this);
    } else {
      lane.run(() -> session.answer(answer, this), answer::release);
    }
  }

  @Override
  public boolean isOpen() {
    return session.isOpen();
  }
}
