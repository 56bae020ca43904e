package io.sluice.accept;

import io.sluice.wire.Frame;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request's right to one answer. */
final class PendingReply extends AtomicBoolean implements ReplyTo {

  private static final long serialVersionUID = 1L;

  private final transient ClientSession session;
  private final int stream;

  PendingReply(ClientSession session, int stream) {
    this.session = session;
    this.stream = stream;
  }

  int stream() {
    return stream;
  }

  @Override
  public void reply(Frame answer) {
    if (!compareAndSet(false, true)) {
      answer.release();
      return;
    }
    session.lane().run(() -> session.answer(answer, this));
  }

  @Override
  public boolean isOpen() {
    return session.isOpen();
  }
}
