package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bootstrap whose end the test sets. */
class BootstrapTest {
  private final FakeJoinNode node = new FakeJoinNode();
  private final Deferral deferral = new Deferral(node::ended);
  private final List<Object> submitted = new CopyOnWriteArrayList<>();
  private volatile boolean submits = true;
  private volatile Runnable whileHolding = () -> {};
  private final Bootstrap bootstrap =
      new Bootstrap(
          node,
          deferral,
          new HeldCompactions(
              new CompactedTables() {
                @Override
                public String keyspaceOf(Object table) {
                  return "shop";
                }

                @Override
                public int sstablesOf(Object table) {
                  whileHolding.run();
                  return 1;
                }

                @Override
                public void submit(Object table) throws ReflectiveOperationException {
                  if (!submits) {
                    throw new NoSuchMethodException("submit");
                  }
                  submitted.add(table);
                }
              }),
          new JoinCounts());

  @AfterEach
  void end() {
    node.fails = false;
    node.bootstrapping = false;
    awaitEnd();
  }

  private void follow() {
    bootstrap.follow();
    assertThat(follower()).isNotNull();
  }

  private static @Nullable Thread follower() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("sluice-join"))
        .findFirst()
        .orElse(null);
  }

  private static void awaitEnd() {
    await().until(() -> follower() == null);
  }

  @Test
  void compactions_are_held_until_the_end_and_submitted_then() throws Exception {
    follow();
    assertThat(bootstrap.holdsCompaction("table")).isTrue();
    assertThat(bootstrap.compactionsHeld()).isEqualTo(1);
    assertThat(submitted).isEmpty();

    node.bootstrapping = false;
    awaitEnd();

    assertThat(submitted).containsExactly("table");
    assertThat(bootstrap.holdsCompaction("table")).isFalse();
    assertThat(node.said)
        .singleElement()
        .asString()
        .startsWith("received 0 files, 0 bytes; ")
        .endsWith("; automatic compaction of 1 tables was deferred");
  }

  @Test
  void a_node_that_does_not_bootstrap_is_not_followed() throws Exception {
    node.bootstrapping = false;

    bootstrap.follow();

    awaitEnd();
    assertThat(node.said).isEmpty();
    assertThat(bootstrap.holdsCompaction("table")).isFalse();
  }

  @Test
  void no_compaction_is_held_before_the_first_stream() throws Exception {
    assertThat(bootstrap.holdsCompaction("table")).isFalse();
  }

  @Test
  void streams_after_the_end_are_not_followed() {
    follow();
    node.bootstrapping = false;
    awaitEnd();

    node.bootstrapping = true;
    bootstrap.follow();

    assertThat(follower()).isNull();
  }

  @Test
  void no_summary_is_logged_if_the_deferral_is_switched_off_before() throws Exception {
    follow();
    assertThat(bootstrap.holdsCompaction("table")).isTrue();
    deferral.setEnabled(false);
    assertThat(bootstrap.holdsCompaction("other")).isFalse();
    awaitEnd();
    assertThat(node.said).isEmpty();
    assertThat(submitted).containsExactly("table");

    deferral.setEnabled(true);
    follow();
    node.bootstrapping = false;
    awaitEnd();
    assertThat(node.said).as("at the end").hasSize(1);
  }

  @Test
  void no_summary_is_logged_if_the_deferral_ends_with_an_error() {
    follow();
    deferral.end("the agent failed", new IllegalStateException());
    awaitEnd();
    assertThat(node.said).isEmpty();
  }

  @Test
  void a_compaction_that_cannot_be_submitted_ends_the_deferral() throws Exception {
    follow();
    assertThat(bootstrap.holdsCompaction("table")).isTrue();
    submits = false;

    node.bootstrapping = false;
    awaitEnd();

    assertThat(node.ended).containsExactly("the agent failed");
    assertThat(node.said).isEmpty();
  }

  @Test
  void if_the_state_of_the_node_cannot_be_read_held_compactions_are_submitted() throws Exception {
    follow();
    assertThat(bootstrap.holdsCompaction("table")).isTrue();

    node.fails = true;
    awaitEnd();

    assertThat(submitted).containsExactly("table");
    assertThat(node.ended).containsExactly("the agent failed");
    assertThat(node.said).isEmpty();
  }

  @Test
  void a_compaction_at_the_moment_of_the_end_is_not_held() throws Exception {
    follow();
    whileHolding =
        () -> {
          node.bootstrapping = false;
          awaitEnd();
        };

    assertThat(bootstrap.holdsCompaction("table")).isFalse();
    assertThat(bootstrap.compactionsHeld()).isZero();
    assertThat(submitted).isEmpty();
  }
}
