package io.sluice.torture.load;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
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

/**
 * The record of a run: what was asked and told, the scans and the faults, with one clock for all.
 * Safe for any thread.
 */
public final class Journal {
  /** The processes end at the same time as the run, in any order. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long origin = System.nanoTime();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong scanNumbers = new AtomicLong();
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<Scan> scans = new ConcurrentLinkedQueue<>();
  private final Queue<Disturbance> disturbances = new ConcurrentLinkedQueue<>();
  private final Set<Disturbance> unmended = ConcurrentHashMap.newKeySet();
  private final Map<Long, Question> unanswered = new ConcurrentHashMap<>();

  /**
   * A request that was asked and has no outcome yet.
   *
   * @param operation the operation that it becomes with its outcome
   */
  record Question(long id, int client, long begin, BiFunction<Call, Answer, Operation> operation) {}

  /** Nanoseconds from the beginning of the run. */
  public long now() {
    return System.nanoTime() - origin;
  }

  /** How many requests were asked. */
  public long asked() {
    return asked.get();
  }

  /** How many of them failed. */
  public long failed() {
    return failed.get();
  }

  /** A value that no other write of the run has. */
  long newValue() {
    return values.incrementAndGet();
  }

  /** The number of a new scan. */
  long newScan() {
    return scanNumbers.getAndIncrement();
  }

  /** To be called right before a request is sent. */
  Question ask(int client, BiFunction<Call, Answer, Operation> operation) {
    Question question = new Question(asked.getAndIncrement(), client, now(), operation);
    unanswered.put(question.id(), question);
    return question;
  }

  /**
   * To be called right after its outcome was told. An answer whose rows cannot be read is an error,
   * which is returned in its place.
   */
  Answer told(Question question, Answer answer) {
    Answer known = answer;
    Operation operation;
    try {
      operation = operation(question, known);
    } catch (RuntimeException e) {
      known = Answer.failed(Failures.of(e));
      operation = operation(question, known);
    }
    operations.add(operation);
    unanswered.remove(question.id());
    if (known.failure() != null) {
      failed.incrementAndGet();
    }
    return known;
  }

  private Operation operation(Question question, Answer answer) {
    Call call =
        new Call(question.id(), question.client(), question.begin(), now(), answer.failure());
    return question.operation().apply(call, answer);
  }

  void add(Scan scan) {
    scans.add(scan);
  }

  /**
   * To be called right before a fault is put in.
   *
   * @param closes whether it befalls what clients are connected to
   */
  public Disturbance disturb(String what, boolean closes) {
    Disturbance begun = new Disturbance(what, now(), Long.MAX_VALUE, closes);
    unmended.add(begun);
    return begun;
  }

  /** To be called when what it had disturbed is whole again. */
  public void mended(Disturbance begun) {
    disturbances.add(until(now(), begun));
    unmended.remove(begun);
  }

  /** All of it; complete when all clients have ended. */
  public History history() {
    return new History(
        asked.get(), List.copyOf(operations), List.copyOf(scans), List.copyOf(disturbances));
  }

  /**
   * What there is of a run that is ended early. Its end is a fault, too, and what had no outcome by
   * then has an unknown one. A scan under way is left out.
   */
  public History cut() {
    long end = now();
    List<Question> open = List.copyOf(unanswered.values());
    List<Operation> known = new ArrayList<>(operations);
    Set<Long> answered = known.stream().map(each -> each.call().id()).collect(Collectors.toSet());
    Answer unknown = Answer.failed(new Failure(Failure.Kind.CLOSED, "the run was ended"));
    open.stream()
        .filter(question -> !answered.contains(question.id()))
        .forEach(question -> known.add(operation(question, unknown)));
    List<Disturbance> faults = new ArrayList<>(disturbances);
    unmended.forEach(fault -> faults.add(until(now(), fault)));
    faults.add(new Disturbance("the end of the run", end - END_NANOS, now(), true));
    return new History(known.size(), known, List.copyOf(scans), faults);
  }

  private static Disturbance until(long end, Disturbance begun) {
    return new Disturbance(begun.what(), begun.from(), end, begun.closes());
  }
}
