package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.control.ControlConnection;
import com.datastax.oss.driver.internal.core.metadata.TopologyMonitor;
import com.datastax.oss.driver.internal.core.metadata.schema.queries.SchemaQueriesFactory;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.response.event.SchemaChangeEvent;
import io.sluice.wire.SchemaChange;
import java.util.List;
import java.util.function.Consumer;

/**
 * Builds sessions whose control connection passes on each schema event as the node sent it, in
 * order. The driver's own listener reports differences of its metadata, which lose changes in quick
 * succession. A read of the schema that cannot start fails ({@link FailingSchemaQueries}), and
 * nodes that move are noticed ({@link MovingNodesMonitor}). The driver has no public way to see
 * events or to replace its queries, so this uses internal classes.
 */
final class SchemaTap extends CqlSessionBuilder {

  private final Consumer<SchemaChange> sink;

  /**
   * Creates a builder.
   *
   * @param sink receives each event on a thread of the driver, which it must not block
   */
  SchemaTap(Consumer<SchemaChange> sink) {
    this.sink = sink;
  }

  @Override
  protected DriverContext buildContext(
      DriverConfigLoader configLoader, ProgrammaticArguments programmaticArguments) {
    return new DefaultDriverContext(configLoader, programmaticArguments) {
      @Override
      protected ControlConnection buildControlConnection() {
        return new Tapped(this, sink);
      }

      @Override
      protected TopologyMonitor buildTopologyMonitor() {
        return new MovingNodesMonitor(this);
      }

      @Override
      protected SchemaQueriesFactory buildSchemaQueriesFactory() {
        return new FailingSchemaQueries(super.buildSchemaQueriesFactory());
      }
    };
  }

  private static final class Tapped extends ControlConnection {
    private final Consumer<SchemaChange> sink;

    Tapped(InternalDriverContext context, Consumer<SchemaChange> sink) {
      super(context);
      this.sink = sink;
    }

    @Override
    public void onEvent(Message eventMessage) {
      super.onEvent(eventMessage);
      if (eventMessage instanceof SchemaChangeEvent event) {
        sink.accept(
            new SchemaChange(
                event.changeType,
                event.target,
                event.keyspace,
                event.object,
                event.arguments == null ? List.of() : event.arguments));
      }
    }
  }
}
