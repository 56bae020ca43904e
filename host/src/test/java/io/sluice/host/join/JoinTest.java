package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.host.join.Join.WriteBack;
import io.sluice.host.kernel.Folder;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A join on a copied tree, with a node that answers, or hangs. */
@Timeout(60)
class JoinTest {
  private static final String EXPIRE = "/proc/sys/vm/dirty_expire_centisecs";
  private static final long PID = 17;

  @TempDir private Path temp = Path.of("");
  private Folder folder = new Folder(temp);
  private Map<String, String> before = Map.of();
  private final List<String> said = new ArrayList<>();
  private final CountDownLatch endOfTest = new CountDownLatch(1);

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).kernel();
    before = folder.snapshot();
  }

  @AfterEach
  void end() {
    endOfTest.countDown();
  }

  /** A node with these modes, one after another, which then hangs. */
  private final class FakeMode implements NodeMode {
    private final List<String> left;

    FakeMode(String... modes) {
      left = new ArrayList<>(List.of(modes));
    }

    @Override
    public Reading now() {
      if (!left.isEmpty()) {
        return new Reading(Optional.of(left.remove(0)), "");
      }
      try {
        endOfTest.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Reading.failed("the test is over");
    }

    @Override
    public boolean alive() {
      return true;
    }

    @Override
    public void close() {}
  }

  private boolean join(NodeMode node, long limitMillis) throws IOException, InterruptedException {
    return new Join(HostTree.at(temp), said::add, (pid, jmx) -> node)
        .run(new Join.Target(PID, null, null), new WriteBack(40, 60, 120, 5), null, limitMillis);
  }

  @Test
  void the_time_limit_holds_for_a_node_that_hangs() throws Exception {
    boolean joined = join(new FakeMode("JOINING"), 300);

    assertThat(joined).isFalse();
    assertThat(said)
        .containsSubsequence(
            EXPIRE + ": 3000 -> 12000",
            "process 17: no JMX: the node does not answer",
            "process 17: not joined within the time limit",
            EXPIRE + ": 12000 -> 3000");
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_node_that_hangs_from_the_start_is_not_waited_for_longer() throws Exception {
    assertThat(join(new FakeMode(), 100)).isFalse();

    assertThat(said).contains("process 17: not joined within the time limit");
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_node_that_has_joined_already_changes_nothing() throws Exception {
    assertThat(join(new FakeMode("NORMAL"), 60_000)).isTrue();

    assertThat(said).containsExactly("process 17 is NORMAL already: nothing to change");
  }

  @Test
  void a_node_that_becomes_normal_has_joined() throws Exception {
    assertThat(join(new FakeMode("JOINING", "NORMAL"), 60_000)).isTrue();

    assertThat(said).contains("process 17: NORMAL, it has joined");
    assertThat(folder.snapshot()).isEqualTo(before);
  }
}
