package io.sluice.torture.load;

import io.sluice.torture.check.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The clients of a run, each on its own thread. Load first, then start and end the clients, then
 * read everything once more. Not safe for several threads.
 */
public final class Workload {
  static final int WRITERS = 8;
  private static final int SCANNERS = 5;
  private static final int TRANSACTORS = 4;
  private static final int COUNTERS = 3;
  private static final int LISTS = 3;
  private static final long PAUSE_MILLIS = 12;
  private static final long PAUSE_AFTER_ERROR_MILLIS = 60;

  private final List<RowClient> writers = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final ScanClient scanner;
  private final RegisterClient transactor;
  private final CounterClient counter;
  private final ListClient lister;
  private final List<Future<?>> running = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean ended;

  /** Creates clients that use these sessions and record their requests in the journal. */
  public Workload(long seed, Sessions sessions, Journal journal) {
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new RowClient(i, seed, sessions, journal, i, WRITERS));
    }
    clients.addAll(writers);
    for (int i = 1; i < SCANNERS; i++) {
      clients.add(new ScanClient(clients.size(), seed, sessions, journal));
    }
    for (int i = 1; i < TRANSACTORS; i++) {
      clients.add(new RegisterClient(clients.size(), seed, sessions, journal));
    }
    for (int i = 1; i < COUNTERS; i++) {
      clients.add(new CounterClient(clients.size(), seed, sessions, journal));
    }
    for (int i = 1; i < LISTS; i++) {
      clients.add(new ListClient(clients.size(), seed, sessions, journal));
    }
    scanner = add(new ScanClient(clients.size(), seed, sessions, journal));
    transactor = add(new RegisterClient(clients.size(), seed, sessions, journal));
    counter = add(new CounterClient(clients.size(), seed, sessions, journal));
    lister = add(new ListClient(clients.size(), seed, sessions, journal));
  }

  private <T extends Client> T add(T client) {
    clients.add(client);
    return client;
  }

  /** Writes all rows for the first time, at ALL. Returns whether all were written. */
  public boolean load() throws InterruptedException {
    List<Future<Boolean>> loads = new ArrayList<>();
    for (RowClient writer : writers) {
      loads.add(threads.submit(writer::load));
    }
    boolean all = true;
    for (Future<Boolean> load : loads) {
      all &= outcome(load);
    }
    return all;
  }

  /** Starts all clients. */
  public void start() {
    for (Client client : clients) {
      running.add(threads.submit(() -> run(client)));
    }
  }

  /** Stops the clients, and waits until each has the outcome of its last request. */
  public void end() throws InterruptedException {
    ended = true;
    for (Future<?> each : running) {
      outcome(each);
    }
    for (Client client : clients) {
      if (client instanceof ScanClient scans) {
        scans.finish();
      }
    }
  }

  /** Reads everything once more. */
  public void readAll() {
    for (Table table : Table.values()) {
      writers.forEach(writer -> writer.readAll(table));
      for (Level level : Level.values()) {
        scanner.scanAll(table, level);
      }
    }
    transactor.readAll();
    counter.readAll();
    lister.readAll();
  }

  /** Stops the threads. */
  public void close() {
    ended = true;
    threads.shutdown();
  }

  private void run(Client client) {
    try {
      while (!ended) {
        boolean succeeded = client.step();
        long pause = succeeded ? PAUSE_MILLIS : PAUSE_AFTER_ERROR_MILLIS;
        TimeUnit.MILLISECONDS.sleep(1 + client.below(2 * pause));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the result of a client. An exception of a client is a fault of this program, and ends
   * the run.
   */
  private static <T> T outcome(Future<T> client) throws InterruptedException {
    try {
      return client.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a client failed", e.getCause());
    }
  }
}
