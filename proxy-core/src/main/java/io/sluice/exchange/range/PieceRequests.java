package io.sluice.exchange.range;

import io.sluice.decide.plan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.SubStatement;
import io.sluice.execute.dispatch.PreparedText;
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
 * Makes what nodes are sent for the pieces of a page.
 *
 * @param page the page
 * @param plan how it is cut
 * @param template the client's request
 */
record PieceRequests(RangePage page, Scatter plan, ReadTemplate template) {

  /** What is prepared for a piece. */
  PreparedText text(Piece piece) {
    return page.prepared(plan.text(piece));
  }

  /** What requests for other pieces must say, too, to be answered together with this one's. */
  ByteBuffer alike(Piece piece) {
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
   * The request for a piece.
   *
   * @param id its statement's; null to send it as text
   * @param rows rows it may return
   * @param inner where it goes on; null for its beginning
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
            // Cassandra begins anew when the page size is not below the LIMIT in the text.
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
