package io.sluice.exchange.range;

import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.dispatch.PreparedText;
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
 * Prepares the statements of pieces, each once. No piece waits for it: until the id is known a
 * piece is sent as text. A node that has not prepared the statement is told it with the first piece
 * that it is sent by id. Safe for any thread.
 */
final class PiecePreparer {

  private final Dispatcher dispatcher;
  private final PreparedCache prepared;
  private final Set<PreparedText> underWay = ConcurrentHashMap.newKeySet();

  public PiecePreparer(Dispatcher dispatcher, PreparedCache prepared) {
    this.dispatcher = dispatcher;
    this.prepared = prepared;
  }

  /** The statement's id; null while it is not known, and then {@code node} is asked for it. */
  @Nullable PreparedId id(PreparedText text, Lane lane, Node node, LinkKey key) {
    PreparedId known = prepared.pieceId(text);
    if (known == null && underWay.add(text)) {
      Attempt attempt =
          dispatcher.attempt(
              lane, node, key, CqlCodec.prepare(key.version(), text.cql(), null), new Told(text));
      attempt.start();
    }
    return known;
  }

  /** A node does not know the id any more, although it was told the text: it has another. */
  void forget(PreparedText text) {
    prepared.forgetPiece(text);
  }

  private final class Told implements AttemptListener {

    private final PreparedText text;

    Told(PreparedText text) {
      this.text = text;
    }

    @Override
    public void ended(NodeAnswer answer) {
      underWay.remove(text);
      if (answer instanceof NodeAnswer.Answered answered) {
        if (Answers.isPrepared(answered.frame())) {
          prepared.rememberPiece(text, Answers.preparedId(answered.frame()));
        }
        answered.frame().release();
      }
    }

    @Override
    public void broke(Throwable cause) {
      underWay.remove(text);
    }

    @Override
    public void silent(boolean sent) {
      // No piece waits for it.
    }
  }
}
