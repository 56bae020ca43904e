package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.torture.check.Operation;
import java.util.List;

/** A client that appends elements to lists and reads them. Not safe for several threads. */
final class ListClient extends Client {
  private static final long LISTS = 12;

  ListClient(int number, long seed, Sessions sessions, Journal journal) {
    super(number, seed, sessions, journal);
  }

  @Override
  boolean step() {
    long list = below(LISTS);
    if (oneIn(2)) {
      return read(list);
    }
    long element = journal().newValue();
    return ask(
                Ask.of(Text.APPEND, List.of(List.of(element), list)),
                (call, answer) -> new Operation.Append(call, list, element))
            .failure()
        == null;
  }

  /** Reads every list. */
  void readAll() {
    for (long list = 0; list < LISTS; list++) {
      read(list);
    }
  }

  private boolean read(long list) {
    return ask(
                Ask.of(Text.READ_LIST, List.of(list)),
                (call, answer) -> new Operation.ListRead(call, list, elements(answer)))
            .failure()
        == null;
  }

  private static List<Long> elements(Answer answer) {
    Row row = answer.only();
    List<Long> elements = row == null ? null : row.getList("v", Long.class);
    return elements == null ? List.of() : elements;
  }
}
