package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The deferral during a bootstrap whose end the test sets. */
@EnabledOnOs(OS.LINUX)
class JoinTest {
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private volatile boolean bootstrapping = true;

  private final Join join =
      new Join(
          new JoinNode() {
            @Override
            public boolean isBootstrapping() {
              return bootstrapping;
            }

            @Override
            public void begins(Join join) {}

            @Override
            public void ended(String why, @Nullable Throwable cause) {
              ended.add(why);
            }

            @Override
            public void say(String text) {
              said.add(text);
            }

            @Override
            public long nanos() {
              return 0;
            }
          });

  private void receives() throws IOException, JMException {
    join.receives(new Object());
    assertThat(follower()).isNotNull();
  }

  private static @Nullable Thread follower() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("sluice-join"))
        .findFirst()
        .orElse(null);
  }

  private static void untilNobodyFollows() {
    await().until(() -> follower() == null);
  }

  @Test
  void the_end_of_the_bootstrap_is_logged_with_a_summary() throws Exception {
    receives();
    bootstrapping = false;
    untilNobodyFollows();
    assertThat(said).singleElement().asString().startsWith("received 0 files, 0 bytes; ");
  }

  @Test
  void no_summary_is_logged_if_the_deferral_is_switched_off_before() throws Exception {
    receives();
    join.setEnabled(false);
    untilNobodyFollows();
    assertThat(said).isEmpty();

    join.setEnabled(true);
    receives();
    bootstrapping = false;
    untilNobodyFollows();
    assertThat(said).as("at the end").hasSize(1);
  }

  @Test
  void no_summary_is_logged_if_the_deferral_ends_with_an_error() throws Exception {
    receives();
    join.end("the agent failed", new IllegalStateException());
    untilNobodyFollows();
    assertThat(said).isEmpty();
    assertThat(ended).containsExactly("the agent failed");
  }
}
