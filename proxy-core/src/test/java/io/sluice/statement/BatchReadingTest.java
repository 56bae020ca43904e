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

/** The reading of BATCH frames. */
class BatchReadingTest {

  private final ReaderFixture fixture = new ReaderFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({"0, LOGGED_BATCH", "1, UNLOGGED_BATCH", "2, COUNTER_BATCH"})
  void a_batch_fails_as_its_type_does(int type, RequestKind kind) throws Exception {
    Statement read =
        fixture.read(new TestClient(4), batch(type, null, "INSERT INTO ks.t (k) VALUES (?)"));
    assertThat(read.kind()).isEqualTo(kind);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.isIdempotent()).isFalse();
  }

  @Test
  void a_batch_goes_where_its_first_write_goes() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.prepare(client, ID, "INSERT INTO t (k) VALUES (?)");
    fixture.prepare(client, OTHER, "SELECT * FROM t WHERE k = ?");
    Statement read =
        fixture.read(
            client, batch(0, null, OTHER, "what is this?", ID, "INSERT INTO t (k) VALUES (?)"));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.WRITE);
    assertThat(read.shape().routingKey(read.values())).as("the third's").isEqualTo(number(3));
  }

  /** Whichever of its statements has the IF: to Cassandra all of it is one transaction. */
  @Test
  void a_batch_with_a_condition_anywhere_fails_as_one() throws Exception {
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

  /** A node that does not know it either says so; then it is healed, or the driver prepares. */
  @Test
  void an_unknown_id_in_a_batch_is_for_a_node_to_answer() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Statement read = fixture.read(client, batch(0, null, ID));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.OTHER);
    assertThat(read.shape().routingKey(read.values())).isNull();
    assertThat(read.kind()).isEqualTo(RequestKind.LOGGED_BATCH);
    assertThat(read.isIdempotent()).isFalse();
    assertThat(read.keyspace()).as("for what is not understood").isEqualTo("ks");
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
  void an_empty_batch_is_for_a_node_to_answer() throws Exception {
    Statement read = fixture.read(new TestClient(4).uses("ks"), batch(0, null));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.OTHER);
    assertThat(read.keyspace()).isNull();
  }
}
