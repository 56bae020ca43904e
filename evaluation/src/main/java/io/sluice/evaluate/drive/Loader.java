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

/** Makes the tables and writes their rows. */
public final class Loader {
  private static final int IN_FLIGHT = 64;
  private static final int TABLES_AT_ONCE = 8;
  private static final Duration AGREEMENT_LIMIT = Duration.ofMinutes(2);
  private static final int ATTEMPTS = 5;

  private final CqlSession session;
  private final Data data;

  /** Loads through this session. */
  public Loader(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
  }

  /**
   * Makes the keyspace and its tables anew. The driver would read the schema again after each, a
   * second later; nodes that change it at the same time would quarrel, so one makes all tables.
   *
   * @throws IllegalStateException that names the first table's error, if one cannot be made
   */
  public void create(String replication) throws InterruptedException {
    List<Node> nodes =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getOpenConnections() > 0)
            .toList();
    Node maker = nodes.get(0);
    session.execute(at(maker, "DROP KEYSPACE IF EXISTS " + data.keyspace()));
    session.execute(
        at(maker, "CREATE KEYSPACE " + data.keyspace() + " WITH replication = " + replication));
    session.setSchemaMetadataEnabled(false);
    try {
      send(
          "a table could not be made",
          IntStream.range(0, data.tables()).mapToObj(i -> at(maker, table(i))),
          TABLES_AT_ONCE,
          done -> {});
      awaitAgreement(nodes);
    } finally {
      session.setSchemaMetadataEnabled(null);
    }
  }

  /** Each node is asked itself: what others know of its schema, they know late. */
  private void awaitAgreement(List<Node> nodes) throws InterruptedException {
    long end = System.nanoTime() + AGREEMENT_LIMIT.toNanos();
    while (nodes.stream().map(this::schemaVersion).distinct().count() > 1) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("the nodes do not agree on the tables");
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
   * Writes every row to all its replicas, many at a time.
   *
   * @param seed the same seed gives the same values
   * @param progress told how many rows are written
   * @throws IllegalStateException that names the first row's error, if one cannot be written
   */
  public void load(long seed, LongConsumer progress) throws InterruptedException {
    Tables tables = new Tables(session, data);
    SplittableRandom random = new SplittableRandom(seed);
    int rows = data.rows().size();
    send(
        "a row could not be written",
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

  /** Sends all of them, in their order, some at a time. */
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

  /** A busy machine may let one time out; the same can be sent again. */
  private CompletionStage<Void> send(Statement<?> statement, int attempts) {
    CompletionStage<Void> sent = session.executeAsync(statement).thenAccept(done -> {});
    return attempts == 1
        ? sent
        : sent.handle((done, error) -> error == null ? sent : send(statement, attempts - 1))
            .thenCompose(Function.identity());
  }
}
