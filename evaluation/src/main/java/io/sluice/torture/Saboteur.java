package io.sluice.torture;

import io.sluice.torture.check.Disturbance;
import io.sluice.torture.load.Journal;
import io.sluice.torture.load.Schema;
import io.sluice.torture.load.Sessions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Injects the faults of a schedule: those of each place one after another, on a thread of its own.
 * A fault waits until the one before is mended. A fault that would then begin in the calm at the
 * end is left out.
 */
final class Saboteur {
  /** The time for which a slow node is stopped, alternating with {@link #RUNNING_MILLIS}. */
  private static final long STOPPED_MILLIS = 200;

  private static final long RUNNING_MILLIS = 50;

  /** Held while a node joins or leaves, because Cassandra allows no schema change then. */
  private final Object ring = new Object();

  private final Processes processes;
  private final Sessions sessions;
  private final Journal journal;
  private final int seconds;
  private final Consumer<String> say;
  private final AtomicInteger columns = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<List<Fault>>> running = new ArrayList<>();

  Saboteur(
      Processes processes, Sessions sessions, Journal journal, int seconds, Consumer<String> say) {
    this.processes = processes;
    this.sessions = sessions;
    this.journal = journal;
    this.seconds = seconds;
    this.say = say;
  }

  /** Starts the faults. The times of the schedule count from now on. */
  void start(Schedule schedule) {
    long origin = journal.now();
    for (Fault.Place place : Fault.Place.values()) {
      List<Fault> faults = schedule.of(place);
      running.add(threads.submit(() -> injectAll(faults, origin)));
    }
  }

  /** Waits until all faults are mended. Returns those that were left out. */
  List<Fault> await() throws InterruptedException {
    List<Fault> leftOut = new ArrayList<>();
    for (Future<List<Fault>> each : running) {
      try {
        leftOut.addAll(each.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException("cannot inject a fault", e.getCause());
      }
    }
    return leftOut;
  }

  /** Cancels the faults that have not begun. */
  void close() {
    threads.shutdownNow();
  }

  private List<Fault> injectAll(List<Fault> faults, long origin) throws InterruptedException {
    List<Fault> leftOut = new ArrayList<>();
    long calm = origin + TimeUnit.MILLISECONDS.toNanos(Schedule.calmFrom(seconds));
    for (Fault fault : faults) {
      long at = origin + TimeUnit.MILLISECONDS.toNanos(fault.atMillis());
      TimeUnit.NANOSECONDS.sleep(at - journal.now());
      if (journal.now() > calm) {
        leftOut.add(fault);
        continue;
      }
      Disturbance disturbance =
          journal.disturb(
              fault.description(), fault.kind().place() == processes.targets(), address(fault));
      log(disturbance.from(), fault.description());
      inject(fault);
      journal.mended(disturbance);
      log(journal.now(), "mended: " + fault.description());
    }
    return leftOut;
  }

  /** Returns the address of the fault's process; null if there is none before the fault. */
  private @Nullable InetSocketAddress address(Fault fault) {
    return switch (fault.kind().place()) {
      case NODES -> fault.kind() == Fault.Kind.JOIN_NODE ? null : processes.address(fault.which());
      case PROXIES -> processes.proxies().address(fault.which());
      case SCHEMA -> null;
    };
  }

  private void log(long nanos, String what) {
    say.accept(String.format(Locale.ROOT, "%6.1f s  %s", nanos / 1e9, what));
  }

  private void inject(Fault fault) throws InterruptedException {
    int which = fault.which();
    switch (fault.kind()) {
      case KILL_NODE -> {
        processes.kill(which);
        sleepFor(fault);
        processes.restart(which);
      }
      case PAUSE_NODE, HANG_NODE -> {
        processes.pause(which);
        sleepFor(fault);
        processes.resume(which);
      }
      case DROP_LINKS -> {
        processes.closeToClients(which);
        sleepFor(fault);
        processes.openToClients(which);
      }
      case CUT_GOSSIP -> {
        processes.cutGossip(which);
        sleepFor(fault);
        processes.restoreGossip(which);
      }
      case SLOW_NODE -> slow(fault);
      case JOIN_NODE -> joinAndLeave(fault);
      case KILL_PROXY -> {
        processes.proxies().kill(which);
        sleepFor(fault);
        processes.proxies().start(which);
      }
      case RESTART_PROXY -> {
        processes.proxies().stop(which);
        sleepFor(fault);
        processes.proxies().start(which);
      }
      case PAUSE_PROXY -> {
        processes.proxies().pause(which);
        sleepFor(fault);
        processes.proxies().resume(which);
      }
      case ADD_COLUMN -> {
        synchronized (ring) {
          addColumn();
          processes.awaitOneSchema();
        }
      }
    }
  }

  private void slow(Fault fault) throws InterruptedException {
    int which = fault.which();
    long end = journal.now() + TimeUnit.MILLISECONDS.toNanos(fault.lastsMillis());
    while (journal.now() < end) {
      processes.pause(which);
      TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
      processes.resumeAtOnce(which);
      TimeUnit.MILLISECONDS.sleep(RUNNING_MILLIS);
    }
    processes.awaitWholeRing();
  }

  private void joinAndLeave(Fault fault) throws InterruptedException {
    synchronized (ring) {
      int joined = processes.join();
      log(journal.now(), "node " + (joined + 1) + " has joined");
      sleepFor(fault);
      processes.decommission(joined);
    }
  }

  private static void sleepFor(Fault fault) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(fault.lastsMillis());
  }

  /** Adds a column. A change that fails because of another fault is no violation. */
  private void addColumn() {
    for (String cql : Schema.addColumn(columns.incrementAndGet())) {
      String error = sessions.change(cql);
      if (!error.isEmpty()) {
        log(journal.now(), cql + ": " + error);
      }
    }
  }
}
