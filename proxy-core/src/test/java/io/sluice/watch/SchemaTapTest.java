package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.response.event.SchemaChangeEvent;
import com.datastax.oss.protocol.internal.response.event.TopologyChangeEvent;
import io.sluice.wire.SchemaChange;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the events that a node sends to the driver's control connection. */
class SchemaTapTest {

  private static final InetSocketAddress NEW_NODE =
      InetSocketAddress.createUnresolved("a new node", 9042);

  private final List<SchemaChange> passedOn = new ArrayList<>();
  private final InternalDriverContext context =
      (InternalDriverContext)
          new SchemaTap(passedOn::add)
              .buildContext(
                  DriverConfigLoader.programmaticBuilder().build(),
                  ProgrammaticArguments.builder().build());

  @AfterEach
  void close() {
    context.getNettyOptions().onClose();
  }

  private void arrive(Message event) {
    context.getControlConnection().onEvent(event);
  }

  @Test
  void each_schema_event_is_passed_on_as_it_came_and_in_order() {
    arrive(new SchemaChangeEvent("CREATED", "KEYSPACE", "ks", null, null));
    arrive(new SchemaChangeEvent("CREATED", "TABLE", "ks", "t", null));
    arrive(new SchemaChangeEvent("DROPPED", "TABLE", "ks", "t", null));
    arrive(new SchemaChangeEvent("CREATED", "TABLE", "ks", "t", null));
    arrive(new SchemaChangeEvent("UPDATED", "FUNCTION", "ks", "f", List.of("int", "text")));
    assertThat(passedOn)
        .containsExactly(
            new SchemaChange("CREATED", "KEYSPACE", "ks", null, List.of()),
            new SchemaChange("CREATED", "TABLE", "ks", "t", List.of()),
            new SchemaChange("DROPPED", "TABLE", "ks", "t", List.of()),
            new SchemaChange("CREATED", "TABLE", "ks", "t", List.of()),
            new SchemaChange("UPDATED", "FUNCTION", "ks", "f", List.of("int", "text")));
  }

  @Test
  void other_events_are_the_drivers_alone() {
    List<TopologyEvent> driver = new ArrayList<>();
    context.getEventBus().register(TopologyEvent.class, driver::add);
    arrive(new TopologyChangeEvent("NEW_NODE", NEW_NODE));
    assertThat(driver).containsExactly(TopologyEvent.suggestAdded(NEW_NODE));
    assertThat(passedOn).isEmpty();
  }
}
