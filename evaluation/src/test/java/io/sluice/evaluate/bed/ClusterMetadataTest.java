package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterPartitioner;
import io.sluice.fake.FakeNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The metadata of one node with Murmur3Partitioner. */
class ClusterMetadataTest {
  private static final FakeNode NODE = FakeNode.start();

  @SuppressWarnings("NullAway.Init")
  private static CqlSession session;

  @SuppressWarnings("NullAway.Init")
  private static ClusterMetadata metadata;

  @BeforeAll
  static void open() {
    session = NODE.open();
    metadata = new ClusterMetadata(session);
  }

  @AfterAll
  static void close() {
    session.close();
    NODE.close();
  }

  @Test
  void it_is_what_the_nodes_report() {
    assertThat(metadata.cassandraVersion()).isEqualTo("5.0.9");
    assertThat(metadata.nodes()).isOne();
    assertThat(metadata.datacenter()).isEqualTo(FakeNode.DATACENTER);
    assertThat(metadata.partitioner()).isEqualTo("org.apache.cassandra.dht.Murmur3Partitioner");
  }

  /** The token of the key as {@code SELECT token(k)} of a real node returns it. */
  @Test
  void a_key_has_the_token_of_the_partitioner() {
    assertThat(metadata.token(ByteBuffer.wrap("a".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(new Murmur3Token(-8839064797231613815L));
  }

  @Test
  void data_for_byte_ordered_tokens_does_not_fit_other_nodes() {
    assertThatThrownBy(() -> metadata.require(ClusterPartitioner.BYTEORDERED))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage(
            "the nodes of --hosts use org.apache.cassandra.dht.Murmur3Partitioner, but --paper-data"
                + " needs ByteOrderedPartitioner");
  }

  @Test
  void other_data_fits_any_partitioner() {
    assertThatCode(() -> metadata.require(ClusterPartitioner.MURMUR3)).doesNotThrowAnyException();
    assertThatCode(() -> metadata.require(ClusterPartitioner.RANDOM)).doesNotThrowAnyException();
  }
}
