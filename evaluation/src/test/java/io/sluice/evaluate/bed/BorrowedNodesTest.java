package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.drive.Data;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test bed on nodes of the user leaves no keyspaces there. */
class BorrowedNodesTest {
  private final FakeNode node = FakeNode.start();
  private final List<String> said = new ArrayList<>();

  @AfterEach
  void close() {
    node.close();
  }

  private TestBed start() throws InterruptedException {
    BedSpec spec =
        new BedSpec(
            ClusterSpec.defaults(),
            List.of(node.address()),
            1,
            List.of(Variant.DIRECT),
            1,
            Path.of("none"),
            null,
            1,
            20,
            1,
            List.of());
    return TestBed.start(spec, said::add, rows -> {});
  }

  @Test
  void the_end_drops_all_keyspaces() throws InterruptedException {
    try (TestBed bed = start()) {
      Data further = bed.data().elsewhere("small", 1, 20);
      bed.fill(further, rows -> {});

      assertThat(node.rows("sluice_evaluate.t0")).isEqualTo(20);
      assertThat(node.rows("small.t0")).isEqualTo(20);
    }

    assertThat(node.has("sluice_evaluate.t0")).isFalse();
    assertThat(node.has("small.t0")).isFalse();
    assertThat(said).isEmpty();
  }

  @Test
  void a_load_that_fails_leaves_no_keyspace() {
    node.spoil("INSERT", 100, Flaw.error(ErrorCode.UNAVAILABLE));

    assertThatThrownBy(this::start).hasMessageStartingWith("cannot write a row");

    assertThat(node.has("sluice_evaluate.t0")).isFalse();
    assertThat(said).isEmpty();
  }
}
