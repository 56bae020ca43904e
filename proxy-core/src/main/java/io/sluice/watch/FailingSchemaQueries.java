package io.sluice.watch;

import com.datastax.oss.driver.internal.core.metadata.schema.queries.SchemaQueries;
import com.datastax.oss.driver.internal.core.metadata.schema.queries.SchemaQueriesFactory;
import java.util.concurrent.CompletableFuture;

/**
 * Creates the driver's queries of the schema. They fail where the driver's factory throws, which it
 * does while there is no control connection. The driver (4.19.3) regards a read of the schema whose
 * factory has thrown as running for ever, and starts no other one: the schema would never be read
 * again (https://github.com/scylladb/java-driver/issues/841).
 *
 * @param driver the driver's own factory
 */
record FailingSchemaQueries(SchemaQueriesFactory driver) implements SchemaQueriesFactory {

  /**
   * {@inheritDoc} The driver calls this on its own thread for metadata, and expects failures there.
   */
  @Override
  public SchemaQueries newInstance() {
    try {
      return driver.newInstance();
    } catch (RuntimeException e) {
      return () -> CompletableFuture.failedFuture(e);
    }
  }
}
