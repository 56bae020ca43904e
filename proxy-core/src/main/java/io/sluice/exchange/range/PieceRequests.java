package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.SubStatement;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.Token;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.ReadTemplate.Bound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the requests for the pieces of a page.
 *
 * @param page the page, with its cut and the client's request
 */
record PieceRequests(PageContext page) {

  /**
   * The common properties of pieces that may share a scan. Such pieces differ in range and rows
   * only.
   *
   * @param link the key of their links
   * @param request their request without range and rows
   */
  record ShareKey(LinkKey link, ByteBuffer request) {}

  /** Returns the statement to prepare for a piece. */
  private PreparedText text(Piece piece) {
    return page.page().prepared(page.plan().text(piece));
  }

  /** Forgets the id of a piece's statement after a node that prepared it does not know it. */
  void forgetPrepared(Piece piece) {
    page.split().preparer().forget(text(piece));
  }

  /** Returns the key that other pieces must have to share a scan with this one. */
  ShareKey shareKey(Piece piece) {
    return new ShareKey(page.page().linkKey(), commonPart(piece));
  }

  private ByteBuffer commonPart(Piece piece) {
    SubStatement text = page.plan().text(piece);
    List<Bound> bound = new ArrayList<>(text.values().size());
    for (SubStatement.Value value : text.values()) {
      if (value.source() == SubStatement.Source.CLIENT) {
        bound.add(new Bound(value.marker(), value.name(), null));
      }
    }
    return page.template().alike(text.cql(), bound);
  }

  /**
   * Creates the request for a piece at a node, without the hint. It names the prepared statement if
   * the node knows that.
   *
   * @param rows the page size
   * @param nodeState the paging state; null for the beginning of the piece
   * @param asText whether to send the text of the statement in any case
   */
  Frame frame(Piece piece, Node node, int rows, @Nullable ByteBuffer nodeState, boolean asText) {
    PreparedText text = text(piece);
    PreparedId id =
        asText || !page.template().executes()
            ? null
            : page.split().preparer().id(text, page.lane(), node, page.page().linkKey());
    return frame(piece, id, rows, nodeState);
  }

  private Frame frame(
      Piece piece, @Nullable PreparedId id, int rows, @Nullable ByteBuffer nodeState) {
    SubStatement text = page.plan().text(piece);
    List<Bound> bound = new ArrayList<>(text.values().size());
    for (SubStatement.Value value : text.values()) {
      bound.add(
          switch (value.source()) {
            case CLIENT -> new Bound(value.marker(), value.name(), null);
            case AFTER -> given(page.plan().after(piece).toValue());
            case UP_TO -> given(upTo(piece).toValue());
            // Cassandra restarts from the beginning when the page size is not below the LIMIT in
            // the text.
            case LIMIT -> given(ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.MAX_VALUE));
          });
    }
    return id == null
        ? page.template().query(text.cql(), bound, rows, nodeState)
        : page.template().execute(id, bound, rows, nodeState);
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
