package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.join.Join.WriteBack;
import io.sluice.host.join.NodeMode.Reading;
import io.sluice.host.jvm.JmxRefused;
import io.sluice.host.kernel.Folder;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
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
  private static final String RATIO = "/proc/sys/vm/dirty_ratio";
  private static final String EXPIRE = "/proc/sys/vm/dirty_expire_centisecs";
  private static final long PID = 17;
  private static final long DAY_MILLIS = 86_400_000;

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

  /** A node that is alive. */
  private interface LivingNode extends NodeMode {
    @Override
    default boolean alive() {
      return true;
    }

    @Override
    default void close() {}
  }

  /** A node with these modes, one after another, which then hangs. */
  private final class FakeMode implements LivingNode {
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
  }

  /** A time that passes only in pauses. */
  private static final class FakeTime implements Join.Time {
    private long now;

    @Override
    public long millis() {
      return now;
    }

    @Override
    public void pause(long millis) {
      now += millis;
    }
  }

  private boolean join(NodeMode node, long limitMillis) throws IOException, InterruptedException {
    return join(node, limitMillis, Join.Time.SYSTEM);
  }

  private boolean join(NodeMode node, long limitMillis, Join.Time time)
      throws IOException, InterruptedException {
    return new Join(HostTree.at(temp), said::add, (pid, jmx) -> node, time)
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

  @Test
  void a_node_that_refuses_from_the_start_changes_nothing() {
    LivingNode node =
        () -> {
          throw new JmxRefused(JmxRefused.Subject.LOGIN, "give a login");
        };

    assertThatThrownBy(() -> join(node, 60_000)).hasMessage("give a login");
    assertThat(said).isEmpty();
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_node_that_refuses_later_gets_its_settings_back() {
    Iterator<Reading> readings = List.of(Reading.failed("Connection refused")).iterator();
    LivingNode node =
        () -> {
          if (readings.hasNext()) {
            return readings.next();
          }
          throw new JmxRefused(JmxRefused.Subject.LOGIN, "give a login");
        };

    assertThatThrownBy(() -> join(node, 60_000, new FakeTime())).hasMessage("give a login");
    assertThat(said).containsSubsequence(EXPIRE + ": 3000 -> 12000", EXPIRE + ": 12000 -> 3000");
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_refused_value_ends_the_join_and_the_others_are_restored() throws Exception {
    Files.delete(temp.resolve(EXPIRE.substring(1)));
    Map<String, String> without = folder.snapshot();

    assertThatThrownBy(() -> join(new FakeMode("JOINING", "NORMAL"), 60_000))
        .isInstanceOf(IOException.class)
        .hasMessage("not changed: " + EXPIRE + " does not exist");

    assertThat(said).containsSubsequence(RATIO + ": 20 -> 60", RATIO + ": 60 -> 20");
    assertThat(folder.snapshot()).isEqualTo(without);
  }

  @Test
  void a_node_without_a_mode_for_ten_minutes_gets_its_settings_back() throws Exception {
    FakeTime time = new FakeTime();
    LivingNode node = () -> Reading.failed("Connection refused");

    assertThat(join(node, DAY_MILLIS, time)).isFalse();

    assertThat(time.millis()).isEqualTo(600_000);
    assertThat(said)
        .containsSubsequence(
            EXPIRE + ": 3000 -> 12000",
            "process 17: no JMX: Connection refused",
            "process 17: its mode could not be read for 10 minutes, so the settings are restored",
            EXPIRE + ": 12000 -> 3000");
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_node_whose_mode_was_read_once_is_waited_for_until_the_limit() throws Exception {
    FakeTime time = new FakeTime();
    Iterator<Reading> readings =
        List.of(Reading.failed("Connection refused"), new Reading(Optional.of("JOINING"), ""))
            .iterator();
    LivingNode node = () -> readings.hasNext() ? readings.next() : Reading.failed("lost");

    assertThat(join(node, DAY_MILLIS, time)).isFalse();

    assertThat(time.millis()).isEqualTo(DAY_MILLIS);
    assertThat(said).contains("process 17: not joined within the time limit");
  }
}
