package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metrics.Metrics;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.cql.ResultSets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A session of the driver whose answers the test gives. Records the statements. */
final class FakeSession implements CqlSession {

  final List<SimpleStatement> asked = new ArrayList<>();

  private final Metadata metadata;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private @Nullable Throwable schemaFailure;
  private Function<SimpleStatement, CompletionStage<AsyncResultSet>> node =
      statement -> new CompletableFuture<>();

  /** Creates a session, which does not answer yet, with a cluster of these nodes. */
  FakeSession(DriverMetadata cluster) {
    this.metadata = cluster.metadata(null);
  }

  /** Answers each statement as {@code next} does, from now on. */
  void does(Function<SimpleStatement, CompletionStage<AsyncResultSet>> next) {
    node = next;
  }

  /** Answers each statement with these rows, from now on. */
  void answers(AsyncResultSet rows) {
    does(statement -> CompletableFuture.completedFuture(rows));
  }

  /** Fails each read of the schema, from now on; null ends that. */
  void failsSchemaReads(@Nullable Throwable failure) {
    schemaFailure = failure;
  }

  /** Fails each statement, from now on. */
  void fails(Throwable failure) {
    does(statement -> CompletableFuture.failedFuture(failure));
  }

  DriverSession driver() {
    return new DriverSession(this);
  }

  /** Returns the last statement. */
  SimpleStatement last() {
    return asked.get(asked.size() - 1);
  }

  @Override
  public <RequestT extends Request, ResultT> @Nullable ResultT execute(
      RequestT request, GenericType<ResultT> resultType) {
    SimpleStatement statement = (SimpleStatement) request;
    asked.add(statement);
    CompletionStage<AsyncResultSet> answer = node.apply(statement);
    Object result = resultType.equals(Statement.ASYNC) ? answer : joined(answer);
    @SuppressWarnings("unchecked")
    ResultT typed = (ResultT) result;
    return typed;
  }

  private static Object joined(CompletionStage<AsyncResultSet> answer) {
    try {
      AsyncResultSet rows = answer.toCompletableFuture().getNow(null);
      return ResultSets.newInstance(Objects.requireNonNull(rows, "no answer yet"));
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  @Override
  public String getName() {
    return "fake";
  }

  @Override
  public Metadata getMetadata() {
    return metadata;
  }

  @Override
  public boolean isSchemaMetadataEnabled() {
    return true;
  }

  @Override
  public CompletionStage<Metadata> setSchemaMetadataEnabled(@Nullable Boolean enabled) {
    return refreshSchemaAsync();
  }

  @Override
  public CompletionStage<Metadata> refreshSchemaAsync() {
    return schemaFailure == null
        ? CompletableFuture.completedFuture(metadata)
        : CompletableFuture.failedFuture(schemaFailure);
  }

  @Override
  public CompletionStage<Boolean> checkSchemaAgreementAsync() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public DriverContext getContext() {
    return DriverMetadata.CONTEXT;
  }

  @Override
  public Optional<CqlIdentifier> getKeyspace() {
    return Optional.empty();
  }

  @Override
  public Optional<Metrics> getMetrics() {
    return Optional.empty();
  }

  @Override
  public CompletionStage<Void> closeFuture() {
    return closed;
  }

  @Override
  public CompletionStage<Void> closeAsync() {
    closed.complete(null);
    return closed;
  }

  @Override
  public CompletionStage<Void> forceCloseAsync() {
    return closeAsync();
  }
}
