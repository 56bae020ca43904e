package io.sluice.torture.load;

import static io.sluice.torture.load.TortureStore.broken;
import static io.sluice.torture.load.TortureStore.steps;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.torture.check.Call;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Violation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The clients of registers, counters and lists at a node in memory that loses or doubles writes.
 */
class SingleRowClientsTest {
  private static final long SEED = 11;

  private static final TortureStore STORE = new TortureStore();
  private static final FakeNode NODE = STORE.node();

  private final Journal journal = new Journal();
  private final RegisterClient registers = new RegisterClient(2, SEED, STORE.sessions(), journal);
  private final CounterClient counters = new CounterClient(3, SEED, STORE.sessions(), journal);
  private final ListClient lists = new ListClient(4, SEED, STORE.sessions(), journal);

  @AfterAll
  static void close() {
    STORE.close();
  }

  @BeforeEach
  void clear() {
    STORE.clear();
  }

  @ParameterizedTest
  @CsvSource({"lost", "twice"})
  void an_increment_that_the_store_loses_or_makes_twice_is_found(String flaw) {
    NODE.spoil(Text.INCREMENT.cql(), 1, flaw.equals("lost") ? Flaw.lost() : Flaw.twice());
    steps(counters, 40);
    counters.readAll();

    assertThat(broken(journal)).containsExactly(Violation.Rule.COUNTERS);
  }

  @ParameterizedTest
  @CsvSource({"lost", "twice"})
  void an_element_that_the_store_loses_or_adds_twice_is_found(String flaw) {
    NODE.spoil(Text.APPEND.cql(), 1, flaw.equals("lost") ? Flaw.lost() : Flaw.twice());
    steps(lists, 60);
    lists.readAll();

    assertThat(broken(journal)).containsExactly(Violation.Rule.LISTS);
  }

  /** Changes a value that a serial read returns into one that no transaction has written. */
  @Test
  void a_register_with_a_value_that_no_transaction_gave_it_is_found() {
    steps(registers, 60);
    NODE.spoil(
        Text.READ_REGISTER.cql(),
        1,
        Flaw.rows(all -> List.of(List.of(ByteBuffer.allocate(8).putLong(0, 987_654)))));
    registers.readAll();

    assertThat(broken(journal)).containsExactly(Violation.Rule.REGISTERS);
  }

  @ParameterizedTest
  @CsvSource({"READ_REGISTER", "CHANGE_REGISTER", "READ_COUNTER", "READ_LIST"})
  void an_answer_with_more_than_its_only_row_is_found(Text request) {
    List<Client> clients = List.of(registers, counters, lists);
    clients.forEach(client -> steps(client, 60));
    NODE.spoil(request.cql(), 1, Flaw.firstRowTwice());
    for (int i = 0; i < 40; i++) {
      clients.forEach(Client::step);
    }

    assertThat(broken(journal)).containsExactly(Violation.Rule.ERRORS);
    assertThat(journal.failed()).isEqualTo(1);
  }

  @Test
  void a_transaction_with_an_error_may_have_been_applied_or_not() {
    steps(registers, 30);
    NODE.spoil(Text.CHANGE_REGISTER.cql(), 1, Flaw.doneWithError(ErrorCode.WRITE_FAILURE));
    for (int i = 0; i < 80; i++) {
      registers.step();
    }
    registers.readAll();

    assertThat(broken(journal)).as("only the error itself").containsExactly(Violation.Rule.ERRORS);
    assertThat(journal.failed()).isEqualTo(1);
  }

  @Test
  void a_transaction_expects_the_last_value_that_the_client_got() {
    RegisterClient rival = new RegisterClient(5, SEED, STORE.sessions(), journal);
    for (int i = 0; i < 60; i++) {
      steps(registers, 1);
      steps(rival, 1);
    }

    for (int client : List.of(2, 5)) {
      Map<Long, Long> last = new HashMap<>();
      for (Operation each : journal.history().operations()) {
        if (each.call().client() == client && each instanceof Operation.Cas cas) {
          assertThat(cas.expected()).isEqualTo(last.getOrDefault(cas.register(), 0L));
          last.put(cas.register(), cas.applied() ? cas.value() : cas.seen());
        } else if (each.call().client() == client && each instanceof Operation.SerialRead read) {
          last.put(read.register(), read.seen());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "READ_COUNTER, READ_TIMEOUT, TIMEOUT",
    "READ_COUNTER, READ_FAILURE, REPLICA_FAILURE",
    "READ_COUNTER, WRITE_TIMEOUT, OTHER",
    "READ_COUNTER, WRITE_FAILURE, OTHER",
    "READ_COUNTER, UNAVAILABLE, UNAVAILABLE",
    "INCREMENT, WRITE_TIMEOUT, TIMEOUT",
    "INCREMENT, WRITE_FAILURE, REPLICA_FAILURE",
    "INCREMENT, READ_TIMEOUT, OTHER",
    "INCREMENT, READ_FAILURE, OTHER",
    "INCREMENT, OVERLOADED, OVERLOADED",
    "INCREMENT, IS_BOOTSTRAPPING, BOOTSTRAPPING",
    "INCREMENT, SERVER_ERROR, OTHER",
    "INCREMENT, INVALID, OTHER"
  })
  void an_error_of_the_node_has_its_kind(Text request, String code, Failure.Kind kind)
      throws Exception {
    NODE.spoil(request.cql(), 1, Flaw.error(ErrorCode.class.getField(code).getInt(null)));
    List<Operation> operations = untilFailure(counters);

    Call call = operations.get(operations.size() - 1).call();
    assertThat(call.failure()).extracting(Failure::kind).isEqualTo(kind);
    assertThat(journal.failed()).isEqualTo(1);
    assertThat(call.begin()).isLessThanOrEqualTo(call.end());
  }

  @ParameterizedTest
  @CsvSource({"READ_TIMEOUT", "WRITE_TIMEOUT"})
  void a_transaction_may_have_the_errors_of_reads_and_of_writes(String code) throws Exception {
    NODE.spoil("registers", 1, Flaw.error(ErrorCode.class.getField(code).getInt(null)));

    assertThat(untilFailure(registers))
        .singleElement()
        .extracting(each -> each.call().failure())
        .isNotNull()
        .extracting(Failure::kind)
        .isEqualTo(Failure.Kind.TIMEOUT);
  }

  private List<Operation> untilFailure(Client client) {
    for (int i = 0; client.step(); i++) {
      assertThat(i).as("steps without a failure").isLessThan(100);
    }
    return journal.history().operations();
  }
}
