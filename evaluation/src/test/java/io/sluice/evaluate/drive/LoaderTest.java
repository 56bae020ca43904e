package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The creation of tables and the writes of their rows, at a node in memory with faults. */
class LoaderTest {
  private static final String REPLICATION = "{'class': 'SimpleStrategy'}";
  private static final String INSERT = "INSERT INTO ks.t0 (k, v, sum) VALUES (?, ?, ?)";
  private static final int ALL = 5;

  private final FakeNode node = FakeNode.start();
  private final CqlSession session = node.open();
  private final Data data = new Data("ks", 3, 50, key -> new Murmur3TokenFactory().hash(key), 10);
  private final Loader loader = new Loader(session, data);

  @AfterEach
  void close() {
    session.close();
    node.close();
  }

  @Test
  void the_keyspace_of_an_earlier_run_is_dropped_first() throws InterruptedException {
    loader.create(REPLICATION);
    loader.load(1, rows -> {});
    loader.create(REPLICATION);

    assertThat(node.texts())
        .containsSubsequence(
            "DROP KEYSPACE IF EXISTS ks",
            "CREATE KEYSPACE ks WITH replication = " + REPLICATION,
            "CREATE TABLE IF NOT EXISTS ks.t0 (k blob PRIMARY KEY, v blob, sum bigint)");
    assertThat(node.rows("ks.t0")).isZero();
    assertThat(node.has("ks.t2")).isTrue();
    assertThat(node.has("ks.t3")).isFalse();
  }

  @Test
  void every_table_gets_every_row_at_all_replicas() throws InterruptedException {
    List<Long> progress = Collections.synchronizedList(new ArrayList<>());
    loader.create(REPLICATION);
    loader.load(1, progress::add);

    assertThat(List.of(node.rows("ks.t0"), node.rows("ks.t1"), node.rows("ks.t2")))
        .containsOnly(50);
    assertThat(node.levels(INSERT)).containsExactly(ALL);
    assertThat(progress).hasSize(150).contains(1L, 150L).doesNotHaveDuplicates();
  }

  @Test
  void equal_seeds_give_equal_values_and_no_two_rows_have_the_same() throws InterruptedException {
    List<ByteBuffer> first = loaded(7);

    assertThat(first).hasSize(50).doesNotHaveDuplicates();
    assertThat(loaded(7)).isEqualTo(first);
    assertThat(loaded(8)).doesNotContainAnyElementsOf(first);
  }

  private List<ByteBuffer> loaded(long seed) throws InterruptedException {
    loader.create(REPLICATION);
    loader.load(seed, rows -> {});
    return session.execute("SELECT v FROM ks.t1").all().stream()
        .map(row -> Objects.requireNonNull(row.getByteBuffer(0)))
        .toList();
  }

  @Test
  void a_write_that_fails_is_sent_again() throws InterruptedException {
    loader.create(REPLICATION);
    node.spoil("INSERT", 4, Flaw.error(ErrorCode.OVERLOADED));
    loader.load(1, rows -> {});

    assertThat(node.rows("ks.t0")).isEqualTo(50);
  }

  @Test
  void a_write_that_always_fails_ends_the_load() throws InterruptedException {
    loader.create(REPLICATION);
    node.spoil("INSERT", Integer.MAX_VALUE, Flaw.error(ErrorCode.OVERLOADED));

    assertThatThrownBy(() -> loader.load(1, rows -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("cannot write a row: ");
    assertThat(node.rows("ks.t0")).isZero();
  }

  @Test
  void a_table_that_cannot_be_created_ends_the_load() {
    node.spoil("CREATE TABLE", Integer.MAX_VALUE, Flaw.error(ErrorCode.INVALID));

    assertThatThrownBy(() -> loader.create(REPLICATION))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("cannot create a table: ");
    assertThat(session.isSchemaMetadataEnabled()).as("schema metadata").isTrue();
  }

  @Test
  void partitions_are_written_at_all_replicas_in_batches_of_one_partition()
      throws InterruptedException {
    List<Long> progress = new ArrayList<>();
    Partitions.Shape shape = new Partitions.Shape("wide", 250);
    Partitions.load(session, shape, REPLICATION, progress::add);

    assertThat(node.rows("wide.w")).isEqualTo(shape.allRows());
    assertThat(node.levels("INSERT INTO wide.w (k, c, v) VALUES (?, ?, ?)")).containsExactly(ALL);
    assertThat(progress).startsWith(100L, 200L, 250L, 350L).endsWith((long) shape.allRows());
  }
}
