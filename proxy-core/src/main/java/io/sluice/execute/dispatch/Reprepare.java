package io.sluice.execute.dispatch;

import io.sluice.link.AnswerHandler;
import io.sluice.link.Link;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkWaiter;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;

/**
 * Prepares a statement at a node that does not know it. The request is sent again only when the
 * node tells of the statement what clients were told before: else the client has to see UNPREPARED,
 * which is how its driver learns that the columns have changed. Not safe for several threads: one
 * lane.
 */
final class Reprepare implements LinkWaiter, AnswerHandler {

  private final PreparedTexts texts;
  private final PreparedId id;
  private final PreparedText text;
  private final Frame complaint;
  private final int version;
  private final Attempt attempt;

  Reprepare(
      PreparedTexts texts,
      PreparedId id,
      PreparedText text,
      Frame complaint,
      int version,
      Attempt attempt) {
    this.texts = texts;
    this.id = id;
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
    boolean asBefore = isAsBefore(answer);
    answer.release();
    if (asBefore) {
      complaint.release();
      attempt.prepared();
    } else {
      attempt.notPrepared(complaint);
    }
  }

  /** Whether the client need not notice: it was told the same id with the same columns. */
  private boolean isAsBefore(Frame answer) {
    try {
      return Answers.isPrepared(answer)
          && Answers.preparedId(answer).equals(id)
          && texts.isAsTold(id, version, Answers.statementMetadata(answer));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return false;
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
