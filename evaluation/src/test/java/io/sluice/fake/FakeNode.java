package io.sluice.fake;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.SetKeyspace;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A node on loopback that executes the statements of the evaluation on tables in memory, with
 * faults at the test's request. Safe for any thread.
 */
public final class FakeNode implements AutoCloseable {
  /** The data centre of the node. */
  public static final String DATACENTER = "dc1";

  private final FakeTables tables;
  private final FakeCassandra server;
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Map<String, Set<Integer>> levels = new ConcurrentHashMap<>();
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Spoiled> spoiled = new AtomicReference<>();
  private final AtomicReference<@Nullable Awaited> awaited = new AtomicReference<>();

  /** A fault of the next statements that contain a text. */
  private record Spoiled(String part, AtomicInteger left, Flaw flaw) {}

  /** A wait for statements that contain a text. */
  private record Awaited(String part, CountDownLatch latch) {}

  private FakeNode(FakeTables tables) throws IOException {
    this.tables = tables;
    this.server = new FakeCassandra(UUID.randomUUID(), DATACENTER, 0);
    server.serve(this::answer);
  }

  /** Starts a node without tables. */
  public static FakeNode start() {
    return of(new FakeTables());
  }

  /** Starts a further node with the same tables, which has faults of its own. */
  public FakeNode another() {
    return of(tables);
  }

  private static FakeNode of(FakeTables tables) {
    try {
      return new FakeNode(tables);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its CQL address. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Opens a session of the driver. */
  public CqlSession open() {
    return CqlSession.builder()
        .addContactPoint(address())
        .withLocalDatacenter(DATACENTER)
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build())
        .build();
  }

  /** Gives the next statements that contain a text a fault, in place of an earlier fault. */
  public void spoil(String part, int times, Flaw flaw) {
    spoiled.set(new Spoiled(part, new AtomicInteger(times), flaw));
  }

  /** Returns a latch that is open after this number of statements that contain a text. */
  public CountDownLatch executed(String part, int times) {
    CountDownLatch latch = new CountDownLatch(times);
    awaited.set(new Awaited(part, latch));
    return latch;
  }

  /** Sends an answer to no request, on the connection for events of each session. */
  public void answerUnasked(int stream) {
    server.send(stream, new Ready());
  }

  /** Returns the statements that were sent as text, in their order. */
  public List<String> texts() {
    return List.copyOf(texts);
  }

  /** Returns the consistency levels, as in the protocol, of the statements with this text. */
  public Set<Integer> levels(String cql) {
    return levels.getOrDefault(cql, Set.of());
  }

  /** Returns the number of times that the statement with this text was executed. */
  public int count(String cql) {
    return counts.getOrDefault(cql, 0);
  }

  /** Returns the number of rows of a table. */
  public int rows(String table) {
    return tables.table(table).size();
  }

  /** Whether a table exists. */
  public boolean has(String table) {
    return tables.has(table);
  }

  private @Nullable Message answer(Message request) {
    if (request instanceof Prepare prepare) {
      return prepared(prepare.cqlQuery);
    } else if (request instanceof Execute execute) {
      return execute(text(execute.queryId), execute.options);
    } else if (request instanceof Batch batch) {
      return batch(batch);
    } else if (request instanceof Query query) {
      return query.query.contains("FROM system") ? null : executeText(query);
    }
    return null;
  }

  private static String text(byte[] id) {
    return new String(id, StandardCharsets.UTF_8);
  }

  private Message prepared(String cql) {
    FakeStatement statement = FakeStatement.of(cql);
    if (statement == null || !tables.has(statement.table())) {
      return new Error(ProtocolConstants.ErrorCode.INVALID, "cannot prepare " + cql);
    }
    @Nullable ByteBuffer noState = null;
    return new Prepared(
        cql.getBytes(StandardCharsets.UTF_8),
        null,
        new RowsMetadata(tables.markers(statement), noState, new int[0], null),
        new RowsMetadata(List.of(), noState, new int[0], null));
  }

  private @Nullable Message executeText(Query query) {
    texts.add(query.query);
    if (query.query.startsWith("USE ")) {
      return new SetKeyspace(query.query.substring(4).replace("\"", ""));
    }
    return execute(query.query, query.options);
  }

  private @Nullable Message execute(String cql, QueryOptions options) {
    levels.computeIfAbsent(cql, text -> new ConcurrentSkipListSet<>()).add(options.consistency);
    counts.merge(cql, 1, Integer::sum);
    Spoiled fault = spoiled.get();
    boolean hasFault =
        fault != null && cql.contains(fault.part()) && fault.left().getAndDecrement() > 0;
    Message answer =
        hasFault && fault != null
            ? fault.flaw().answer(() -> rightly(cql, options))
            : rightly(cql, options);
    Awaited waits = awaited.get();
    if (waits != null && cql.contains(waits.part())) {
      waits.latch().countDown();
    }
    return answer;
  }

  private Message rightly(String cql, QueryOptions options) {
    Message changed = tables.change(cql);
    if (changed != null) {
      return changed;
    }
    FakeStatement statement = FakeStatement.of(cql);
    return statement == null
        ? new Error(ProtocolConstants.ErrorCode.SYNTAX_ERROR, cql)
        : tables.execute(statement, options.positionalValues, options);
  }

  private Message batch(Batch batch) {
    for (int i = 0; i < batch.queriesOrIds.size(); i++) {
      String cql = text((byte[]) batch.queriesOrIds.get(i));
      levels.computeIfAbsent(cql, text -> new ConcurrentSkipListSet<>()).add(batch.consistency);
      FakeStatement statement = FakeStatement.of(cql);
      if (statement != null) {
        tables.execute(statement, batch.values.get(i), QueryOptions.DEFAULT);
      }
    }
    return Void.INSTANCE;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
