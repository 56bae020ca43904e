package io.sluice.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.Violation;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A node in memory with the tables of torture, for clients and the judgement of their history. */
final class TortureStore implements AutoCloseable {
  static final String KEYSPACE = "torture_1";

  private final FakeNode node = FakeNode.start();
  private final CqlSession direct = node.open();
  private final Sessions sessions;

  TortureStore() {
    clear();
    sessions = open();
  }

  /** Opens further sessions. */
  Sessions open() {
    return new Sessions(
        List.of(List.of(node.address())), FakeNode.DATACENTER, KEYSPACE, answer -> {});
  }

  FakeNode node() {
    return node;
  }

  Sessions sessions() {
    return sessions;
  }

  /** Empties all tables, and ends the faults. */
  void clear() {
    node.spoil("", 0, Flaw.lost());
    Schema.create(direct, KEYSPACE, "{'class': 'SimpleStrategy'}");
  }

  /** Drops the keyspace. */
  void drop() {
    Schema.drop(direct, KEYSPACE);
  }

  /** Lets a client make steps, which succeed. */
  static void steps(Client client, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(client.step()).as(() -> failures(client.journal())).isTrue();
    }
  }

  private static String failures(Journal journal) {
    return journal.history().operations().stream()
        .map(each -> each.call().failure())
        .filter(Objects::nonNull)
        .toList()
        .toString();
  }

  /** Returns the rules that a history breaks, without a time of grace after faults. */
  static Set<Violation.Rule> broken(Journal journal) {
    return new Checker(0, 100_000)
        .judge(journal.history()).violations().stream()
            .map(Violation::rule)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public void close() {
    sessions.close();
    direct.close();
    node.close();
  }
}
