package io.sluice.torture.check;

import java.util.List;
import java.util.Objects;

/**
 * Everything that the clients of a run asked and were told. Immutable.
 *
 * @param asked how many requests were asked; their numbers are 0 to one less
 * @param operations those with an outcome, in any order
 * @param scans the scans whose pages are among the operations
 * @param disturbances the faults that were put in
 */
public record History(
    long asked, List<Operation> operations, List<Scan> scans, List<Disturbance> disturbances) {

  /** Takes copies. */
  public History {
    operations = List.copyOf(operations);
    scans = List.copyOf(scans);
    disturbances = List.copyOf(disturbances);
  }

  /** The operations of one kind, in the order in which they were asked. */
  public <T extends Operation> List<T> all(Class<T> kind) {
    return operations.stream()
        .filter(kind::isInstance)
        .map(each -> Objects.requireNonNull(kind.cast(each)))
        .sorted((a, b) -> Long.compare(a.call().begin(), b.call().begin()))
        .toList();
  }
}
