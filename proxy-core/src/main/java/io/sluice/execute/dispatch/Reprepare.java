package io.sluice.execute.dispatch;

import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.Link;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.link.LinkFailure;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;

/**
 * Prepares a statement at a node that does not know it. The request is sent again only if the node
 * returns the metadata that clients have. Otherwise the client gets UNPREPARED, so that its driver
 * learns the changed columns. Not safe for several threads: one lane.
 */
final class Reprepare implements LinkWaiter, AnswerHandler {

  private final PreparedTexts texts;
  private final PreparedId id;
  private final PreparedText text;
  private final Frame unprepared;
  private final int version;
  private final Attempt attempt;

  Reprepare(
      PreparedTexts texts,
      PreparedId id,
      PreparedText text,
      Frame unprepared,
      int version,
      Attempt attempt) {
    this.texts = texts;
    this.id = id;
    this.text = text;
    this.unprepared = unprepared;
    this.version = version;
    this.attempt = attempt;
  }

  @Override
  public void ready(Link link) {
    if (link.send(CqlCodec.prepare(version, text.cql(), null), this) < 0) {
      attempt.notPrepared(unprepared);
    }
  }

  @Override
  public void failed(LinkFailure failure) {
    attempt.notPrepared(unprepared);
  }

  @Override
  public void answered(Frame answer) {
    boolean asBefore = isAsBefore(answer);
    answer.release();
    if (asBefore) {
      unprepared.release();
      attempt.prepared();
    } else {
      attempt.notPrepared(unprepared);
    }
  }

  /** Whether the node has returned the id and the columns that the client has. */
  private boolean isAsBefore(Frame answer) {
    try {
      return Answers.isPrepared(answer)
          && Answers.preparedId(answer).equals(id)
          && texts.matchesSent(id, version, Answers.statementMetadata(answer));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public void lost(String reason) {
    attempt.notPrepared(unprepared);
  }

  @Override
  public void silent() {
    attempt.silent();
  }
}
