package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.sluice.load.LoadedRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The session that all threads of YCSB share, with the loaded rows and prepared statements. */
final class SharedSession {
  private static @Nullable SharedSession open;
  private static @Nullable Failure failure;
  private static int users;

  /** The reason why a session could not be opened. */
  private record Failure(BindingSettings settings, String table, RuntimeException reason) {}

  private final CqlSession session;
  private final Verification verification = new Verification();
  private final @Nullable LoadedRows loaded;
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

  private SharedSession(BindingSettings settings, String table) {
    this.session = settings.endpoint().open();
    try {
      if (settings.loading()) {
        Statements cql = new Statements(settings.keyspace(), settings.fields(), settings.verify());
        session.execute(cql.createKeyspace(settings.replicas()));
        session.execute(cql.createTable(table));
      }
      this.loaded =
          settings.verify() && !settings.loading()
              ? new LoadedRows(
                  settings.keys().all().map(SharedSession::bytes),
                  tokens()::newToken,
                  settings.mayGrow())
              : null;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /**
   * Returns the session of the process. The first thread opens it. If it cannot, the others fail at
   * once with the same exception.
   */
  static synchronized SharedSession acquire(BindingSettings settings, String table) {
    SharedSession shared = open == null ? create(settings, table) : open;
    open = shared;
    users++;
    return shared;
  }

  private static SharedSession create(BindingSettings settings, String table) {
    Failure known = failure;
    if (known != null && known.settings.equals(settings) && known.table.equals(table)) {
      throw known.reason;
    }
    try {
      return new SharedSession(settings, table);
    } catch (RuntimeException e) {
      failure = new Failure(settings, table, e);
      throw e;
    }
  }

  /** Releases the session. The last thread closes it, and prints the result of the checks. */
  static synchronized void release() {
    SharedSession shared = open;
    if (--users == 0 && shared != null) {
      if (shared.loaded != null) {
        System.err.println(shared.verification.summary());
      }
      shared.session.close();
      open = null;
    }
  }

  CqlSession cql() {
    return session;
  }

  PreparedStatement prepare(String statement) {
    return prepared.computeIfAbsent(statement, session::prepare);
  }

  /** Returns the loaded rows; null if answers are not checked. */
  @Nullable LoadedRows loaded() {
    return loaded;
  }

  Verification verification() {
    return verification;
  }

  TokenMap tokens() {
    return session
        .getMetadata()
        .getTokenMap()
        .orElseThrow(() -> new IllegalStateException("the cluster has no token metadata"));
  }

  static ByteBuffer bytes(String key) {
    return ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
  }
}
