package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the tables and writes their rows. */
public final class Loader {
  private static final int IN_FLIGHT = 64;
  private static final int TABLES_AT_ONCE = 8;
  private static final Duration AGREEMENT_LIMIT = Duration.ofMinutes(2);
  private static final int ATTEMPTS = 5;

  private final CqlSession session;
  private final Data data;

  /** Creates a loader that uses this session. */
  public Loader(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
  }

  /**
   * Drops and creates the keyspace and its tables. One node creates all tables, because concurrent
   * changes at several nodes conflict. The driver's schema metadata is off meanwhile, because the
   * driver would read the schema again after each table, a second later.
   *
   * @throws IllegalStateException if a table cannot be created; the message has the first error
   */
  public void create(String replication) throws InterruptedException {
    List<Node> nodes = connected(session);
    Node coordinator = nodes.get(0);
    session.execute(at(coordinator, "DROP KEYSPACE IF EXISTS " + data.keyspace()));
    session.execute(
        at(
            coordinator,
            "CREATE KEYSPACE " + data.keyspace() + " WITH replication = " + replication));
    session.setSchemaMetadataEnabled(false);
    try {
      send(
          "cannot create a table",
          IntStream.range(0, data.tables()).mapToObj(i -> at(coordinator, table(i))),
          TABLES_AT_ONCE,
          done -> {});
      awaitAgreement(nodes);
    } finally {
      session.setSchemaMetadataEnabled(null);
    }
  }

  /** Returns a schema change for the node that makes those of {@link #create}. */
  public static Statement<?> schemaChange(CqlSession session, String cql) {
    SimpleStatement change = SimpleStatement.newInstance(cql);
    return connected(session).stream().findFirst().map(change::setNode).orElse(change);
  }

  private static List<Node> connected(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getOpenConnections() > 0)
        .toList();
  }

  /**
   * Waits for schema agreement. Asks each node for its own version, because nodes learn those of
   * others late.
   */
  private void awaitAgreement(List<Node> nodes) throws InterruptedException {
    long end = System.nanoTime() + AGREEMENT_LIMIT.toNanos();
    while (nodes.stream().map(this::schemaVersion).distinct().count() > 1) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("no schema agreement within two minutes");
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private UUID schemaVersion(Node node) {
    Row local =
        Objects.requireNonNull(
            session.execute(at(node, "SELECT schema_version FROM system.local")).one());
    return Objects.requireNonNull(local.getUuid("schema_version"));
  }

  private String table(int number) {
    return "CREATE TABLE IF NOT EXISTS "
        + data.table(number)
        + " (k blob PRIMARY KEY, v blob, sum bigint)";
  }

  private static Statement<?> at(Node node, String cql) {
    return SimpleStatement.newInstance(cql).setNode(node);
  }

  /**
   * Writes every row to all its replicas, up to 64 at a time.
   *
   * @param seed seed of the values; equal seeds give equal values
   * @param progress receives the number of rows written so far
   * @throws IllegalStateException if a row cannot be written; the message has the first error
   */
  public void load(long seed, LongConsumer progress) throws InterruptedException {
    Tables tables = new Tables(session, data);
    SplittableRandom random = new SplittableRandom(seed);
    int rows = data.rows().size();
    send(
        "cannot write a row",
        LongStream.range(0, (long) data.tables() * rows)
            .mapToObj(
                i ->
                    tables
                        .write(
                            (int) (i / rows), data.rows().key((int) (i % rows)), data.value(random))
                        .setConsistencyLevel(ConsistencyLevel.ALL)),
        IN_FLIGHT,
        progress);
  }

  /** Sends all statements in order, up to {@code atOnce} at a time. */
  private void send(
      String complaint, Stream<? extends Statement<?>> all, int atOnce, LongConsumer progress)
      throws InterruptedException {
    Semaphore free = new Semaphore(atOnce);
    AtomicLong sent = new AtomicLong();
    AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    Iterator<? extends Statement<?>> rest = all.iterator();
    while (rest.hasNext() && fault.get() == null) {
      free.acquire();
      send(rest.next(), ATTEMPTS)
          .whenComplete(
              (done, error) -> {
                if (error != null) {
                  fault.compareAndSet(null, error);
                }
                progress.accept(sent.incrementAndGet());
                free.release();
              });
    }
    free.acquire(atOnce);
    Throwable first = fault.get();
    if (first != null) {
      throw new IllegalStateException(complaint + ": " + first.getMessage(), first);
    }
  }

  /**
   * Sends a statement up to {@code attempts} times, because one may time out on a busy machine. All
   * statements are idempotent.
   */
  private CompletionStage<Void> send(Statement<?> statement, int attempts) {
    CompletionStage<Void> sent = session.executeAsync(statement).thenAccept(done -> {});
    return attempts == 1
        ? sent
        : sent.handle((done, error) -> error == null ? sent : send(statement, attempts - 1))
            .thenCompose(Function.identity());
  }
}
