package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private static final Failure TIMEOUT =
      new Failure(Failure.Kind.TIMEOUT, "a \"text\"\nof two lines");

  private static final Failure CLOSED =
      new Failure(Failure.Kind.CLOSED, "lost", List.of("127.0.0.1:9042"));

  @TempDir private Path temp = Path.of("");

  private static Call told(long id) {
    return new Call(id, 3, id * 10, id * 10 + 5, null);
  }

  @Test
  void a_history_is_read_back_as_it_was_written() throws IOException {
    History history =
        new History(
            11,
            List.of(
                new Operation.Write(told(0), 7, 70),
                new Operation.Write(new Call(1, 3, 10, 15, TIMEOUT), 7, Operation.ABSENT),
                new Operation.Read(new Call(2, 3, 20, 25, CLOSED), Level.ONE, 7, 70),
                new Operation.Page(told(3), 5, List.of(new Operation.Row(7, 70))),
                new Operation.Cas(told(4), 1, 2, 3, false, 4),
                new Operation.SerialRead(told(5), 1, 4),
                new Operation.Increment(told(6), 1, 2),
                new Operation.CounterRead(told(7), 1, 2),
                new Operation.Append(told(8), 1, 9),
                new Operation.ListRead(told(9), 1, List.of(9L, 8L)),
                new Operation.Surplus(told(10), "stream 7: VOID")),
            List.of(new Scan(5, Level.QUORUM, 0, 9, 30, 35, true)),
            List.of(
                new Disturbance("kill -9 node 1", 1, 2, true, "127.0.0.1:9042"),
                new Disturbance("add a column", 3, 4, false)));
    Path file = temp.resolve("history.jsonl");

    HistoryFile.write(history, file);

    assertThat(HistoryFile.read(file)).isEqualTo(history);
    assertThat(Files.readAllLines(file)).hasSize(1 + 2 + 1 + 11);
  }

  @Test
  void a_history_of_an_older_version_has_no_addresses() throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("history.jsonl"),
            """
            {"asked":1}
            {"fault":{"what":"pause proxy 1","from":1,"to":2,"closes":true}}
            {"operation":{"is":"write","call":{"id":0,"client":3,"begin":0,"end":5,"failure":\
            {"kind":"CLOSED","text":"lost"}},"key":7,"value":70}}
            """);

    History history = HistoryFile.read(file);

    assertThat(history.disturbances()).extracting(Disturbance::address).containsOnlyNulls();
    assertThat(history.operations())
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.call().failure())
                    .isEqualTo(new Failure(Failure.Kind.CLOSED, "lost")));
  }
}
