package io.sluice.torture.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final Answer DONE = new Answer(List.of(), null, null);

  private final Journal journal = new Journal();

  @Test
  void a_request_has_the_outcome_that_was_told() {
    journal.onOutcome(journal.ask(7, append(1)), DONE);

    History history = journal.history();
    assertThat(history.asked()).isEqualTo(1);
    assertThat(history.operations()).singleElement().isInstanceOf(Operation.Append.class);
    assertThat(history.operations().get(0).call().client()).isEqualTo(7);
    assertThat(history.operations().get(0).call().acknowledged()).isTrue();
  }

  @Test
  void an_answer_that_cannot_be_read_is_an_error() {
    BiFunction<Call, Answer, Operation> reading =
        (call, answer) -> {
          if (answer.failure() == null) {
            throw new ArrayIndexOutOfBoundsException("no such column");
          }
          return new Operation.Append(call, 1, 1);
        };

    Answer told = journal.onOutcome(journal.ask(0, reading), DONE);

    assertThat(told.failure()).isNotNull();
    assertThat(journal.failed()).isEqualTo(1);
    assertThat(journal.history().operations())
        .singleElement()
        .satisfies(each -> assertThat(each.call().failure()).isEqualTo(told.failure()));
  }

  @Test
  void an_answer_to_no_request_is_recorded() {
    journal.onSurplus("stream 7: VOID");

    assertThat(journal.history().asked()).isEqualTo(1);
    assertThat(journal.history().all(Operation.Surplus.class))
        .extracting(Operation.Surplus::answer)
        .containsExactly("stream 7: VOID");
  }

  @Test
  void a_run_that_ends_early_has_unknown_outcomes_for_pending_requests() {
    journal.onOutcome(journal.ask(0, append(1)), DONE);
    journal.ask(1, append(2));

    History cut = journal.cut();

    assertThat(cut.asked()).isEqualTo(2);
    assertThat(cut.all(Operation.Append.class))
        .extracting(Operation.Append::element, each -> each.call().acknowledged())
        .containsExactly(tuple(1L, true), tuple(2L, false));
    assertThat(new Checker(0, 1_000).judge(cut).violations()).isEmpty();
  }

  @Test
  void a_fault_that_is_not_mended_lasts_until_the_end_of_the_run() {
    journal.mended(journal.disturb("pause node 1", false, null));
    journal.disturb(
        "kill -9 node 2", true, new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042));

    List<Disturbance> faults = journal.cut().disturbances();

    assertThat(faults)
        .extracting(Disturbance::what, Disturbance::closes, Disturbance::address)
        .containsExactlyInAnyOrder(
            tuple("pause node 1", false, null),
            tuple("kill -9 node 2", true, "127.0.0.1:9042"),
            tuple("the end of the run", true, null));
    assertThat(faults).allMatch(fault -> fault.to() <= journal.now());
  }

  private static BiFunction<Call, Answer, Operation> append(long element) {
    return (call, answer) -> new Operation.Append(call, 1, element);
  }
}
