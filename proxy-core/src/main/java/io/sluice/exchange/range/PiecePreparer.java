package io.sluice.exchange.range;

import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.statement.PreparedCache;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.PreparedId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the statements of pieces, each once. No piece waits for this: until the id is known,
 * pieces are sent as text. The dispatcher prepares the statement at other nodes when they answer
 * UNPREPARED. Safe for any thread.
 */
final class PiecePreparer {

  private final Dispatcher dispatcher;
  private final PreparedCache prepared;
  private final Set<PreparedText> preparing = ConcurrentHashMap.newKeySet();

  public PiecePreparer(Dispatcher dispatcher, PreparedCache prepared) {
    this.dispatcher = dispatcher;
    this.prepared = prepared;
  }

  /**
   * Returns the statement's id. While the id is unknown, returns null and prepares the statement at
   * {@code node}.
   */
  @Nullable PreparedId id(PreparedText text, Lane lane, Node node, LinkKey key) {
    PreparedId known = prepared.pieceId(text);
    if (known == null && preparing.add(text)) {
      Attempt attempt =
          dispatcher.attempt(
              lane,
              node,
              key,
              CqlCodec.prepare(key.version(), text.cql(), null),
              new IdListener(text));
      attempt.start();
    }
    return known;
  }

  /** Forgets an id after a node has assigned another id to the text. */
  void forget(PreparedText text) {
    prepared.forgetPiece(text);
  }

  private final class IdListener implements AttemptListener {

    private final PreparedText text;

    IdListener(PreparedText text) {
      this.text = text;
    }

    @Override
    public void ended(NodeAnswer answer) {
      preparing.remove(text);
      if (answer instanceof NodeAnswer.Answered answered) {
        if (Answers.isPrepared(answered.frame())) {
          prepared.rememberPiece(text, Answers.preparedId(answered.frame()));
        }
        answered.frame().release();
      }
    }

    @Override
    public void broke(Throwable cause) {
      preparing.remove(text);
    }

    @Override
    public void silent(boolean sent) {
      // No piece waits for the id.
    }
  }
}
