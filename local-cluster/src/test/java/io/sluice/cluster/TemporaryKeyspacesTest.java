package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Keyspaces of a measurement do not stay in a cluster of the user. */
@Timeout(60)
class TemporaryKeyspacesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<String> executed = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  @TempDir private Path temp = Path.of("");

  private TemporaryKeyspaces two(TemporaryKeyspaces.SchemaChange cluster) {
    TemporaryKeyspaces keyspaces = TemporaryKeyspaces.in(cluster, said::add);
    keyspaces.add("a");
    keyspaces.add("b");
    return keyspaces;
  }

  @Test
  void the_end_drops_them_the_last_first() throws IOException {
    two(executed::add).close();

    assertThat(executed).containsExactly("DROP KEYSPACE IF EXISTS b", "DROP KEYSPACE IF EXISTS a");
    assertThat(said).isEmpty();
  }

  @Test
  void the_user_gets_the_statements_of_those_that_cannot_be_dropped() {
    TemporaryKeyspaces keyspaces =
        two(
            cql -> {
              if (cql.endsWith("a")) {
                throw new IOException("refused");
              }
            });

    assertThatThrownBy(keyspaces::close).hasMessage("refused");
    assertThat(said)
        .containsExactly(
            "A keyspace is not dropped (refused). Please run: DROP KEYSPACE IF EXISTS a");
  }

  @Test
  void a_refusal_at_the_end_of_the_jvm_has_its_reason_too() throws IOException {
    try (TemporaryKeyspaces keyspaces = TemporaryKeyspaces.in(this::refuseOnce, said::add)) {
      keyspaces.add("a");

      keyspaces.dropWithin(LIMIT);

      assertThat(said)
          .containsExactly(
              "A keyspace is not dropped (refused). Please run: DROP KEYSPACE IF EXISTS a");
    }
  }

  private void refuseOnce(String cql) throws IOException {
    executed.add(cql);
    if (executed.size() == 1) {
      throw new IOException("refused");
    }
  }

  @Test
  void a_silent_cluster_does_not_delay_the_end_of_the_jvm() throws IOException {
    CountDownLatch answered = new CountDownLatch(1);
    try (TemporaryKeyspaces keyspaces =
        two(
            cql -> {
              try {
                answered.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            })) {

      keyspaces.dropWithin(Duration.ZERO);

      assertThat(said)
          .containsExactly(
              "A keyspace is not dropped (no answer within 0 s). Please run: DROP KEYSPACE IF"
                  + " EXISTS b",
              "A keyspace is not dropped (no answer within 0 s). Please run: DROP KEYSPACE IF"
                  + " EXISTS a");
      answered.countDown();
    }
  }

  /** Ends while it has a keyspace, and prints the changes that follow. */
  static final class EndsEarly {
    private EndsEarly() {}

    public static void main(String[] arguments) {
      TemporaryKeyspaces.in(System.out::println, System.out::println).add("a");
      System.exit(0);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void the_end_of_the_jvm_drops_them() throws Exception {
    assertThat(SpawnedCommand.run(temp, EndsEarly.class).out())
        .isEqualTo("DROP KEYSPACE IF EXISTS a\n");
  }
}
