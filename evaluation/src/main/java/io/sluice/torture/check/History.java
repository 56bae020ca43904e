package io.sluice.torture.check;

import java.util.List;
import java.util.Objects;

/**
 * All requests of a run and their outcomes. Immutable.
 *
 * @param asked number of requests; their ids are 0 to {@code asked} - 1
 * @param operations the requests with an outcome, in any order
 * @param scans the scans; their pages are among the operations
 * @param disturbances the injected faults
 */
public record History(
    long asked, List<Operation> operations, List<Scan> scans, List<Disturbance> disturbances) {

  /** Copies the lists. */
  public History {
    operations = List.copyOf(operations);
    scans = List.copyOf(scans);
    disturbances = List.copyOf(disturbances);
  }

  /** Returns the operations of one kind, in the order in which they were sent. */
  public <T extends Operation> List<T> all(Class<T> kind) {
    return operations.stream()
        .filter(kind::isInstance)
        .map(each -> Objects.requireNonNull(kind.cast(each)))
        .sorted((a, b) -> Long.compare(a.call().begin(), b.call().begin()))
        .toList();
  }
}
