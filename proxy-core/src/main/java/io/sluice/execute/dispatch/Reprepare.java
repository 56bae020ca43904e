package io.sluice.execute.dispatch;

import io.sluice.link.AnswerHandler;
import io.sluice.link.Link;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkWaiter;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;

/** Tells a node a statement that it has forgotten, or never knew. One lane. */
final class Reprepare implements LinkWaiter, AnswerHandler {

  private final PreparedText text;
  private final Frame complaint;
  private final int version;
  private final Attempt attempt;

  Reprepare(PreparedText text, Frame complaint, int version, Attempt attempt) {
    this.text = text;
    this.complaint = complaint;
    this.version = version;
    this.attempt = attempt;
  }

  @Override
  public void ready(Link link) {
    if (link.send(CqlCodec.prepare(version, text.cql(), null), this) < 0) {
      attempt.notPrepared(complaint);
    }
  }

  @Override
  public void failed(LinkFailure failure) {
    attempt.notPrepared(complaint);
  }

  @Override
  public void answered(Frame answer) {
    boolean prepared = Answers.isPrepared(answer);
    answer.release();
    if (prepared) {
      complaint.release();
      attempt.prepared();
    } else {
      attempt.notPrepared(complaint);
    }
  }

  @Override
  public void lost(String reason) {
    attempt.notPrepared(complaint);
  }

  @Override
  public void silent() {
    attempt.silent();
  }
}
