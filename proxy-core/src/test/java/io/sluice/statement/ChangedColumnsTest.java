package io.sluice.statement;

import static io.sluice.statement.ReaderFixture.ID;
import static io.sluice.statement.ReaderFixture.OTHER;
import static io.sluice.statement.ReaderFixture.QUORUM;
import static io.sluice.statement.ReaderFixture.SERIAL;
import static io.sluice.statement.ReaderFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.exchange.TestClient;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests prepared statements whose columns change while clients hold their metadata. */
class ChangedColumnsTest {

  private final ReaderFixture fixture = new ReaderFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Message executeSkippingMetadata() {
    return new Execute(
        TestFrames.bytes(ID),
        new QueryOptions(
            QUORUM,
            List.of(),
            Map.of(),
            true,
            50,
            null,
            SERIAL,
            QueryOptions.NO_DEFAULT_TIMESTAMP,
            null,
            QueryOptions.NO_NOW_IN_SECONDS));
  }

  /** On v4 only UNPREPARED makes a driver read new columns. */
  @Test
  void each_connection_that_skips_metadata_gets_unprepared_after_a_change() throws Exception {
    TestClient early = new TestClient(4).numbered(1);
    TestClient late = new TestClient(4).numbered(2);
    Statement prepare = fixture.read(early, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, early, fixture.answer(4, ID, "k"), fixture.view);
    assertThat(fixture.read(late, executeSkippingMetadata()).executes()).isNotNull();
    fixture.reader.prepared(prepare, late, fixture.answer(4, ID, "k", "v"), fixture.view);
    assertThat(fixture.read(late, executeSkippingMetadata()).executes()).isNotNull();
    assertThat(catchThrowable(() -> fixture.read(early, executeSkippingMetadata())))
        .isInstanceOf(StatementReader.UnknownStatement.class);
    assertThat(fixture.read(early, new Execute(TestFrames.bytes(ID), options(null))).executes())
        .as("the rows have metadata")
        .isNull();
    fixture.reader.prepared(prepare, early, fixture.answer(4, ID, "k", "v"), fixture.view);
    assertThat(fixture.read(early, executeSkippingMetadata()).executes()).isNotNull();
  }

  @Test
  void rows_with_other_columns_than_the_client_knows_are_out_of_date() throws Exception {
    TestClient client = new TestClient(4);
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, client, fixture.answer(4, ID, "k"), fixture.view);
    Statement execute = fixture.read(client, executeSkippingMetadata());
    assertThat(fixture.reader.isOutOfDate(execute, client, bareRows(1))).isFalse();
    assertThat(fixture.reader.isOutOfDate(execute, client, bareRows(2))).isTrue();
    assertThat(catchThrowable(() -> fixture.read(client, executeSkippingMetadata())))
        .as("before the client prepares again")
        .isInstanceOf(StatementReader.UnknownStatement.class);
  }

  /** The client decodes the rows of any SELECT. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.t WHERE v[?] = 1 ? ?",
        "SELECT * FROM ks.just_created WHERE k = 1",
        "SELECT * FROM system.peers"
      })
  void rows_of_a_select_that_is_not_certainly_a_read_can_be_out_of_date(String cql)
      throws Exception {
    TestClient client = new TestClient(4);
    Statement prepare = fixture.read(client, new Prepare(cql));
    fixture.reader.prepared(prepare, client, fixture.answer(4, ID, "k"), fixture.view);
    Statement execute = fixture.read(client, executeSkippingMetadata());
    assertThat(fixture.reader.isOutOfDate(execute, client, bareRows(1))).isFalse();
    assertThat(fixture.reader.isOutOfDate(execute, client, bareRows(2))).isTrue();
  }

  @Test
  void rows_in_flight_are_out_of_date_when_another_connection_learns_of_a_change()
      throws Exception {
    TestClient client = new TestClient(4).numbered(1);
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, client, fixture.answer(4, ID, "k"), fixture.view);
    Statement execute = fixture.read(client, executeSkippingMetadata());
    fixture.reader.prepared(prepare, client.numbered(2), fixture.answer(4, ID, "l"), fixture.view);
    assertThat(fixture.reader.isOutOfDate(execute, client.numbered(1), bareRows(1))).isTrue();
  }

  /** A driver executes again after UNPREPARED. */
  @Test
  void rows_of_a_conditional_write_are_never_out_of_date() throws Exception {
    TestClient client = new TestClient(4).numbered(1);
    Statement prepare =
        fixture.read(client, new Prepare("INSERT INTO ks.t (k) VALUES (1) IF NOT EXISTS"));
    fixture.reader.prepared(prepare, client, fixture.answer(4, ID, "[applied]"), fixture.view);
    Statement execute = fixture.read(client, executeSkippingMetadata());
    fixture.reader.prepared(
        prepare, client.numbered(2), fixture.answer(4, ID, "[applied]", "k"), fixture.view);
    assertThat(fixture.reader.isOutOfDate(execute, client.numbered(1), bareRows(2))).isFalse();
  }

  private static ClientColumns columns(Statement statement) {
    return Objects.requireNonNull(statement.range()).columns();
  }

  /** The node compares the ids and returns the changed columns. */
  @Test
  void an_older_result_metadata_id_shows_that_columns_have_changed() throws Exception {
    TestClient client = new TestClient(5);
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, client, fixture.answer(5, ID, "k"), fixture.view);
    Message same = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Message older = new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null));
    assertThat(columns(fixture.read(client, same)).current()).isTrue();
    assertThat(columns(fixture.read(client, older)).current()).isFalse();
    assertThat(columns(fixture.read(client, older)).latest())
        .as("columns for a page that the proxy builds")
        .isEqualTo(Answers.statementMetadata(fixture.answer(5, ID, "k")));
    assertThat(fixture.read(client, older).executes()).isNull();
  }

  /** A node forgets a statement when its columns change, and answers UNPREPARED. */
  @Test
  void changed_columns_under_the_latest_metadata_id_are_out_of_date_until_prepared()
      throws Exception {
    TestClient client = new TestClient(5);
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, client, fixture.answer(5, ID, "k"), fixture.view);
    Message latest = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Statement execute = fixture.read(client, latest);
    assertThat(fixture.reader.isOutOfDate(execute, client, changedRows())).isTrue();
    fixture.reader.prepared(prepare, client, fixture.answer(5, ID, "k", "v"), fixture.view);
    assertThat(fixture.reader.isOutOfDate(fixture.read(client, latest), client, changedRows()))
        .as("nodes that disagree on the schema do not make a driver prepare for ever")
        .isFalse();
  }

  /** The driver that prepared again has the current columns, until rows differ from them. */
  @Test
  void columns_that_change_again_are_out_of_date_again() throws Exception {
    TestClient client = new TestClient(5);
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, client, fixture.answer(5, ID, "k"), fixture.view);
    Message latest = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Statement execute = fixture.read(client, latest);
    assertThat(fixture.reader.isOutOfDate(execute, client, changedRows())).isTrue();
    fixture.reader.prepared(prepare, client, fixture.answer(5, ID, "k", "v"), fixture.view);
    Statement again = fixture.read(client, latest);
    assertThat(fixture.reader.isOutOfDate(again, client, bareRows(5, 2))).isFalse();
    assertThat(fixture.reader.isOutOfDate(again, client, changedRows())).isTrue();
  }

  @Test
  void changed_columns_are_out_of_date_after_an_earlier_change() throws Exception {
    TestClient early = new TestClient(5).numbered(1);
    TestClient late = new TestClient(5).numbered(2);
    Statement prepare = fixture.read(early, new Prepare("SELECT * FROM ks.t"));
    fixture.reader.prepared(prepare, early, fixture.answer(5, ID, "k"), fixture.view);
    fixture.reader.prepared(prepare, late, fixture.answer(5, ID, "k", "v"), fixture.view);
    Message latest = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Statement execute = fixture.read(late, latest);
    assertThat(fixture.reader.isOutOfDate(execute, late, changedRows())).isTrue();
  }

  /** Returns a v5 RESULT Rows with METADATA_CHANGED, up to the part that the reader reads. */
  private Frame changedRows() {
    return fixture.own(TestFrames.of("85 00 0000 08 0000000f 00000002 00000008 00000002 0001 07"));
  }

  /** Returns a RESULT Rows without rows and without column specifications. */
  private Frame bareRows(int columns) {
    return bareRows(4, columns);
  }

  private Frame bareRows(int version, int columns) {
    return fixture.own(
        TestFrames.of(
            "8%d 00 0000 08 00000010 00000002 00000004 %08x 00000000".formatted(version, columns)));
  }
}
