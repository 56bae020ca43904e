package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice;
import io.sluice.meter.HomeMeters;
import io.sluice.wire.Answers;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;

/** Records the outcomes of requests at home proxies. */
final class HomeOutcomes implements HomeListener {

  /** The calls, in order. */
  final List<String> all = new ArrayList<>();

  /** Whether the next answer makes the listener throw. */
  boolean throwing;

  @Override
  public void onHomeAnswer(HomeChoice.Away there, Frame answer, ReadTrace.Times times) {
    if (throwing) {
      throw new IllegalStateException("no more");
    }
    int error = Answers.errorCode(answer);
    all.add(
        (error < 0 ? Answers.rowCount(answer) + " rows" : "error %04x".formatted(error))
            + " of "
            + there.node().hostId().getLeastSignificantBits()
            + " after "
            + (times.sentNanos() - times.forwardedNanos())
            + " ns from "
            + times.forwardedNanos());
    assertThat(ForwardedPiece.Receipt.of(answer)).as("a receipt in the answer").isNull();
    answer.release();
  }

  @Override
  public void onHomeFallback(HomeMeters.Fallback reason) {
    all.add("fallback " + reason);
  }

  @Override
  public void failed(Failure failure) {
    all.add("failed " + failure.getClass().getSimpleName());
  }
}
