package io.sluice.accept;

import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request's right to one answer. */
final class PendingReply extends AtomicBoolean implements ReplyTo {

  private static final long serialVersionUID = 1L;

  /** The connection that the request came on. */
  interface Session {

    Lane lane();

    /** Whether an answer can still be sent. */
    boolean isOpen();

    /** Called on the lane, once for each request; takes the answer over. */
    void answer(Frame answer, PendingReply asked);
  }

  private final transient Session session;
  private final int stream;
  private final int length;

  /** The right to answer the request of this stream and length in bytes. */
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
