package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.CassandraCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java driver gets the same from Sluice as from a node, with every version and compression. */
@CassandraCluster
@ParameterizedClass
@MethodSource("wires")
class JavaDriverIT {
  private static final Map<Target, Place> PLACES = new HashMap<>();

  @Parameter private Wire wire = Wire.USUAL;

  static List<Wire> wires() {
    return Wire.all().toList();
  }

  @BeforeParameterizedClassInvocation
  static void open(Wire wire) {
    Target node = Stage.plain().direct();
    for (Target target : List.of(node, Stage.plain().sluice())) {
      String keyspace = target.keyspace(wire.version().toLowerCase(Locale.ROOT));
      PLACES.put(target, new Place(JavaDriver.open(target, wire), target, keyspace));
    }
    CqlSession direct = place(node).session();
    PLACES
        .values()
        .forEach(place -> WriteScripts.createTables(new Place(direct, node, place.keyspace())));
  }

  @AfterParameterizedClassInvocation
  static void close() {
    PLACES.values().forEach(place -> place.session().close());
    PLACES.clear();
  }

  @Test
  void statements_with_and_without_values_have_the_same_rows() throws Exception {
    same(ReadScripts::statements);
  }

  @Test
  void prepared_statements_have_the_same_metadata_and_rows() throws Exception {
    same((s, seen) -> ReadScripts.prepared(s, seen, wire));
  }

  @Test
  void batches_of_every_kind_do_the_same() throws Exception {
    same(WriteScripts::batches);
  }

  @Test
  void lightweight_transactions_decide_the_same() throws Exception {
    same(WriteScripts::lightweightTransactions);
  }

  @Test
  void pages_are_cut_at_the_same_rows() throws Exception {
    same(ReadScripts::paging);
  }

  @Test
  void a_trace_can_be_read() throws Exception {
    same(ReadScripts::tracing);
  }

  @Test
  void warnings_and_payload_come_through() throws Exception {
    same((s, seen) -> WriteScripts.warningsAndPayload(s, seen, wire));
  }

  @Test
  void timestamps_keyspaces_and_clocks_of_a_request_are_kept() throws Exception {
    same((s, seen) -> WriteScripts.requestOptions(s, seen, wire));
  }

  @Test
  void errors_have_the_same_class_and_words() throws Exception {
    same(ReadScripts::errors);
  }

  private void same(Place.Script script) throws Exception {
    SameAnswer.of(Stage.plain(), (target, seen) -> script.run(place(target), seen));
  }

  private static Place place(Target target) {
    return Objects.requireNonNull(PLACES.get(target));
  }
}
