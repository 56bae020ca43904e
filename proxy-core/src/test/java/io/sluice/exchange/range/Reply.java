package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.exchange.Exchange;
import io.sluice.wire.Answers;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records the answers to one request, of which there should be one. */
final class Reply implements ReplyTo {

  /** The answers in their order: rows as their keys, errors as their code and message. */
  final List<String> told = new ArrayList<>();

  /** Whether the sender of the request is still there. */
  boolean open = true;

  /** The request in flight; null before it is planned. */
  @Nullable Exchange exchange;

  @Nullable ByteBuffer pagingState;
  List<String> warnings = List.of();
  @Nullable UUID tracingId;

  /** What a home proxy says with its answer; null in the answer to a client. */
  ForwardedPiece.@Nullable Receipt receipt;

  @Override
  public void reply(Frame answer) {
    receipt = ForwardedPiece.Receipt.of(answer);
    int error = Answers.errorCode(answer);
    if (error < 0) {
      TestRows.Read rows = TestRows.read(answer);
      pagingState = rows.pagingState();
      warnings = rows.warnings();
      tracingId = rows.tracingId();
      told.add("rows " + rows.keys());
    } else {
      told.add("%04x %s".formatted(error, Answers.errorMessage(answer)));
    }
    answer.release();
  }

  @Override
  public boolean isOpen() {
    return open;
  }
}
