package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.SubStatement;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.ring.Token;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.ReadTemplate;
import io.sluice.wire.ReadTemplate.Bound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the requests for the pieces of a page.
 *
 * @param page the page
 * @param plan the cut of the page
 * @param template the client's request
 */
record PieceRequests(RangePage page, Scatter plan, ReadTemplate template) {

  /** Returns the statement to prepare for a piece. */
  PreparedText text(Piece piece) {
    return page.prepared(plan.text(piece));
  }

  /** Returns the part of the request that must be equal for pieces to share a scan. */
  ByteBuffer commonPart(Piece piece) {
    SubStatement text = plan.text(piece);
    List<Bound> bound = new ArrayList<>(text.values().size());
    for (SubStatement.Value value : text.values()) {
      if (value.source() == SubStatement.Source.CLIENT) {
        bound.add(new Bound(value.marker(), value.name(), null));
      }
    }
    return template.alike(text.cql(), bound);
  }

  /**
   * Creates the request for a piece.
   *
   * @param id the id of its statement; null to send the text
   * @param rows the page size
   * @param inner the paging state; null for the beginning of the piece
   */
  Frame frame(Piece piece, @Nullable PreparedId id, int rows, @Nullable ByteBuffer inner) {
    SubStatement text = plan.text(piece);
    List<Bound> bound = new ArrayList<>(text.values().size());
    for (SubStatement.Value value : text.values()) {
      bound.add(
          switch (value.source()) {
            case CLIENT -> new Bound(value.marker(), value.name(), null);
            case AFTER -> given(plan.after(piece).toValue());
            case UP_TO -> given(upTo(piece).toValue());
            // Cassandra restarts from the beginning when the page size is not below the LIMIT in
            // the text.
            case LIMIT -> given(ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.MAX_VALUE));
          });
    }
    return id == null
        ? template.query(text.cql(), bound, rows, inner)
        : template.execute(id, bound, rows, inner);
  }

  private static Bound given(ByteBuffer value) {
    return new Bound(-1, null, value);
  }

  private static Token upTo(Piece piece) {
    Token upTo = piece.range().upTo();
    if (upTo == null) {
      throw new IllegalStateException("a piece that is open at its end has no last token");
    }
    return upTo;
  }
}
