package io.sluice.statement;

import static io.sluice.statement.ReaderFixture.ID;
import static io.sluice.statement.ReaderFixture.OTHER;
import static io.sluice.statement.ReaderFixture.QUORUM;
import static io.sluice.statement.ReaderFixture.batch;
import static io.sluice.statement.ReaderFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.StatementShape;
import io.sluice.exchange.TestClient;
import io.sluice.execute.reply.RequestKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the reading of BATCH frames. */
class BatchReadingTest {

  private final ReaderFixture fixture = new ReaderFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({"0, LOGGED_BATCH", "1, UNLOGGED_BATCH", "2, COUNTER_BATCH"})
  void the_type_of_a_batch_decides_the_kind_of_its_errors(int type, RequestKind kind)
      throws Exception {
    Statement read =
        fixture.read(new TestClient(4), batch(type, null, "INSERT INTO ks.t (k) VALUES (?)"));
    assertThat(read.kind()).isEqualTo(kind);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.isIdempotent()).isFalse();
  }

  @Test
  void a_batch_has_the_routing_key_of_its_first_write() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.prepare(client, ID, "INSERT INTO t (k) VALUES (?)");
    fixture.prepare(client, OTHER, "SELECT * FROM t WHERE k = ?");
    Statement read =
        fixture.read(
            client, batch(0, null, OTHER, "what is this?", ID, "INSERT INTO t (k) VALUES (?)"));
    assertThat(read.classified().shape()).isEqualTo(StatementShape.WRITE);
    assertThat(read.classified().routingKey(read.values()))
        .as("the routing key of the third statement")
        .isEqualTo(number(3));
  }

  /** Any statement may have the IF: to Cassandra the whole batch is one transaction. */
  @Test
  void a_batch_with_any_condition_is_conditional() throws Exception {
    String plain = "INSERT INTO ks.t (k) VALUES (?)";
    String conditional = "INSERT INTO ks.t (k) VALUES (?) IF NOT EXISTS";
    TestClient client = new TestClient(4);
    assertThat(fixture.read(client, batch(0, null, conditional, plain)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_BATCH);
    assertThat(fixture.read(client, batch(1, null, plain, conditional)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_BATCH);
    fixture.prepare(client, ID, conditional);
    assertThat(fixture.read(client, batch(1, null, plain, ID)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_BATCH);
  }

  @Test
  void a_batch_may_transact_unless_all_of_it_is_understood() throws Exception {
    String plain = "INSERT INTO ks.t (k) VALUES (?)";
    TestClient client = new TestClient(4);
    assertThat(fixture.read(client, batch(0, null, plain, plain)).transacts()).isFalse();
    assertThat(fixture.read(client, batch(0, null, plain, plain + " IF NOT EXISTS")).transacts())
        .isTrue();
    assertThat(fixture.read(client, batch(0, null, plain, ID)).transacts()).isTrue();
    assertThat(fixture.read(client, batch(0, null, plain, "what is this?")).transacts()).isTrue();
  }

  /**
   * A node that does not know the id either answers UNPREPARED. Then the proxy or the driver
   * prepares the statement.
   */
  @Test
  void a_batch_with_an_unknown_id_is_left_to_a_node() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Statement read = fixture.read(client, batch(0, null, ID));
    assertThat(read.classified().shape()).isEqualTo(StatementShape.UNKNOWN_WRITE);
    assertThat(read.classified().routingKey(read.values())).isNull();
    assertThat(read.kind()).isEqualTo(RequestKind.LOGGED_BATCH);
    assertThat(read.isIdempotent()).isFalse();
    assertThat(read.keyspace()).as("keyspace of a batch that is not understood").isEqualTo("ks");
  }

  @Test
  void a_batch_needs_the_client_s_keyspace_if_one_of_its_statements_does() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    String named = "INSERT INTO ks.t (k) VALUES (?)";
    assertThat(fixture.read(client, batch(0, null, named, named)).keyspace()).isNull();
    assertThat(fixture.read(client, batch(0, null, named, "DELETE FROM t WHERE k = ?")).keyspace())
        .isEqualTo("ks");
  }

  @Test
  void an_empty_batch_is_left_to_a_node() throws Exception {
    Statement read = fixture.read(new TestClient(4).uses("ks"), batch(0, null));
    assertThat(read.classified().shape()).isEqualTo(StatementShape.UNKNOWN_WRITE);
    assertThat(read.keyspace()).isNull();
  }
}
