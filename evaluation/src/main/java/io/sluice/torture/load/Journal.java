package io.sluice.torture.load;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import java.net.InetSocketAddress;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The record of a run: requests with their outcomes, scans and faults, with one clock. Safe for any
 * thread.
 */
public final class Journal {
  /** The time before the end of a run within which its processes end, in any order. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int NO_CLIENT = -1;

  private final LocalDateTime begun =
      LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
  private final long origin = System.nanoTime();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong scanNumbers = new AtomicLong();
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<Scan> scans = new ConcurrentLinkedQueue<>();
  private final Queue<Disturbance> disturbances = new ConcurrentLinkedQueue<>();
  private final Set<Disturbance> unmended = ConcurrentHashMap.newKeySet();
  private final Map<Long, Pending> unanswered = new ConcurrentHashMap<>();

  /**
   * A request without an outcome yet.
   *
   * @param operation creates the operation from the outcome
   */
  record Pending(long id, int client, long begin, BiFunction<Call, Answer, Operation> operation) {}

  /** Returns the beginning of the run on the clock of this machine, which logs use, too. */
  public LocalDateTime begun() {
    return begun;
  }

  /** Returns the nanoseconds from the beginning of the run. */
  public long now() {
    return System.nanoTime() - origin;
  }

  /** Returns the number of requests. */
  public long asked() {
    return asked.get();
  }

  /** Returns the number of failed requests. */
  public long failed() {
    return failed.get();
  }

  /** Returns a value that no other write of the run has. */
  long newValue() {
    return values.incrementAndGet();
  }

  /** Returns the number of a new scan. */
  long newScan() {
    return scanNumbers.getAndIncrement();
  }

  /** Records a request. Call this right before sending it. */
  Pending ask(int client, BiFunction<Call, Answer, Operation> operation) {
    Pending pending = new Pending(asked.getAndIncrement(), client, now(), operation);
    unanswered.put(pending.id(), pending);
    return pending;
  }

  /**
   * Records an outcome. Call this right after its arrival. If the rows of the answer cannot be
   * read, an error replaces it, in the returned answer too.
   */
  Answer onOutcome(Pending pending, Answer answer) {
    Answer known = answer;
    Operation operation;
    try {
      operation = operation(pending, known);
    } catch (RuntimeException e) {
      known = Answer.failed(Failures.of(e));
      operation = operation(pending, known);
    }
    operations.add(operation);
    unanswered.remove(pending.id());
    if (known.failure() != null) {
      failed.incrementAndGet();
    }
    return known;
  }

  /** Records an answer that belongs to no request in flight. It counts as a request of its own. */
  public void onSurplus(String answer) {
    onOutcome(
        ask(NO_CLIENT, (call, none) -> new Operation.Surplus(call, answer)),
        new Answer(List.of(), null, null));
  }

  private Operation operation(Pending pending, Answer answer) {
    Call call = new Call(pending.id(), pending.client(), pending.begin(), now(), answer.failure());
    return pending.operation().apply(call, answer);
  }

  void add(Scan scan) {
    scans.add(scan);
  }

  /**
   * Records the begin of a fault. Call this right before injecting it.
   *
   * @param closes whether it concerns the processes that clients are connected to
   * @param target address of its process; null if it is unknown
   */
  public Disturbance disturb(String what, boolean closes, @Nullable InetSocketAddress target) {
    String address = target == null ? null : Addresses.text(target);
    Disturbance begun = new Disturbance(what, now(), Long.MAX_VALUE, closes, address);
    unmended.add(begun);
    return begun;
  }

  /** Records the end of a fault. Call this when its target works again. */
  public void mended(Disturbance begun) {
    disturbances.add(until(now(), begun));
    unmended.remove(begun);
  }

  /** Returns the history, which is complete after all clients have ended. */
  public History history() {
    return new History(
        asked.get(), List.copyOf(operations), List.copyOf(scans), List.copyOf(disturbances));
  }

  /**
   * Returns the history of a run that ends early. The end of the run is a fault, too. Requests
   * without an outcome get an unknown one. Unfinished scans are left out.
   */
  public History cut() {
    long end = now();
    List<Pending> open = List.copyOf(unanswered.values());
    List<Operation> known = new ArrayList<>(operations);
    Set<Long> answered = known.stream().map(each -> each.call().id()).collect(Collectors.toSet());
    Answer unknown = Answer.failed(new Failure(Failure.Kind.CLOSED, "the run was ended"));
    open.stream()
        .filter(pending -> !answered.contains(pending.id()))
        .forEach(pending -> known.add(operation(pending, unknown)));
    List<Disturbance> faults = new ArrayList<>(disturbances);
    unmended.forEach(fault -> faults.add(until(now(), fault)));
    faults.add(new Disturbance("the end of the run", end - END_NANOS, now(), true));
    return new History(known.size(), known, List.copyOf(scans), faults);
  }

  private static Disturbance until(long end, Disturbance begun) {
    return new Disturbance(begun.what(), begun.from(), end, begun.closes(), begun.address());
  }
}
