package io.sluice.server.live;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A mode that is set from the page: its duration, and the mode afterwards. */
class ModeSwitchTest {

  @RegisterExtension final CapturedLog log = CapturedLog.of(ModeSwitch.class.getName());

  private final ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1);
  private final Console console = new Console();
  private final List<String> told = new ArrayList<>();

  /** Settings with the one setting that operators change. */
  private static final class Console implements ConsoleView {
    private final String file = "enforce";
    private final List<String> log = new ArrayList<>();
    private @Nullable String set;
    private String by = "me";
    private @Nullable String refusal;
    private int failures;
    private Runnable during = () -> {};

    synchronized void fails(int times) {
      failures = times;
    }

    @Override
    public synchronized void select(String cql, Consumer<String> then) {
      then.accept(
          "[{\"value\":\"%s\",\"source\":\"%s\",\"changed_by\":\"%s\"}]"
              .formatted(set == null ? file : set, set == null ? "file" : "console", by));
    }

    @Override
    public void end(long request, String operator, Consumer<Boolean> then) {
      throw new AssertionError();
    }

    @Override
    public synchronized @Nullable String set(String key, @Nullable String value, String operator) {
      during.run();
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("busy");
      }
      if (refusal == null) {
        set = value;
        by = operator;
        log.add(value + " by " + operator);
      }
      return refusal;
    }

    synchronized List<String> log() {
      return List.copyOf(log);
    }
  }

  @AfterEach
  void close() {
    later.shutdownNow();
  }

  private ModeSwitch holding(Duration time) {
    return new ModeSwitch(later, () -> 0, time);
  }

  private void set(ModeSwitch modes, String mode) {
    modes.set(console, mode, "me", told::add);
  }

  @Test
  void returns_by_itself_to_the_mode_of_the_file() {
    ModeSwitch modes = holding(Duration.ofMillis(30));
    set(modes, "passthrough");
    assertThat(told).containsExactly("the mode is passthrough for 0 s");
    Awaitility.await().until(() -> console.log().size() == 2);
    assertThat(console.log())
        .containsExactly("passthrough by me", "null by the live page, a minute after me");
    Awaitility.await().until(() -> modes.back() == null);
  }

  @Test
  void returns_to_the_mode_that_an_operator_had_set() {
    console.set = "observe";
    set(holding(Duration.ofMillis(30)), "passthrough");
    Awaitility.await().until(() -> console.log().size() == 2);
    assertThat(console.log().get(1)).startsWith("observe by the live page");
  }

  @Test
  void reports_when_it_returns_and_to_which_mode() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    assertThat(modes.back()).isNull();
    set(modes, "passthrough");
    assertThat(modes.back()).isEqualTo(new ModeSwitch.Back(60, "enforce"));
    set(modes, "observe");
    assertThat(modes.back()).isEqualTo(new ModeSwitch.Back(60, "enforce"));
    assertThat(later.getQueue().stream().filter(task -> !isCancelled(task))).hasSize(1);
  }

  /** A lane that sends the data of the page must not wait for a change of settings. */
  @Test
  void the_pending_return_can_be_read_while_a_mode_is_set() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    List<ModeSwitch.@Nullable Back> seen = new ArrayList<>();
    console.during =
        () -> seen.add(CompletableFuture.supplyAsync(modes::back).orTimeout(20, SECONDS).join());
    set(modes, "observe");
    assertThat(seen).containsExactly(new ModeSwitch.Back(60, "enforce"));
  }

  private static boolean isCancelled(Runnable task) {
    return ((java.util.concurrent.Future<?>) task).isCancelled();
  }

  @Test
  void the_previous_mode_is_set_permanently() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    set(modes, "enforce");
    assertThat(told.get(1)).isEqualTo("the mode is enforce again");
    assertThat(console.log()).containsExactly("passthrough by me", "null by me");
    assertThat(modes.back()).isNull();
    set(modes, "enforce");
    assertThat(told.get(2)).isEqualTo("the mode is enforce already");
    assertThat(console.log()).hasSize(2);
  }

  @Test
  void a_mode_that_another_operator_sets_meanwhile_stays() throws InterruptedException {
    ModeSwitch modes = holding(Duration.ofMillis(100));
    set(modes, "passthrough");
    console.set("scheduling.mode", "observe", "cqlsh");
    Awaitility.await().until(() -> modes.back() == null);
    later.shutdown();
    assertThat(later.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    assertThat(console.log()).containsExactly("passthrough by me", "observe by cqlsh");
  }

  @Test
  void a_mode_that_another_operator_makes_permanent_stays() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    console.set("scheduling.mode", "passthrough", "cqlsh");
    runNext();
    assertThat(modes.back()).isNull();
    assertThat(console.log()).containsExactly("passthrough by me", "passthrough by cqlsh");
  }

  @Test
  void after_a_change_by_another_operator_it_returns_to_their_mode() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    console.set("scheduling.mode", "observe", "cqlsh");
    set(modes, "passthrough");
    assertThat(modes.back()).isEqualTo(new ModeSwitch.Back(60, "observe"));
  }

  @Test
  void a_return_that_fails_is_tried_again() {
    ModeSwitch modes = holding(Duration.ofMillis(30));
    set(modes, "passthrough");
    console.fails(1);
    Awaitility.await().until(() -> console.log().size() == 2);
    assertThat(console.log().get(1)).isEqualTo("null by the live page, a minute after me");
    assertThat(log.lines()).anyMatch(line -> line.contains("IllegalStateException: busy"));
  }

  /** Runs the return that is waiting. */
  private void runNext() {
    Runnable next = later.getQueue().element();
    assertThat(later.getQueue().remove(next)).isTrue();
    next.run();
  }

  @Test
  void a_refused_return_is_logged_and_tried_again() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    console.refusal = "rules[0].datacenter must be dc1";

    runNext();

    assertThat(log.lines())
        .containsExactly(
            "scheduling.mode stays passthrough, which me has set for a limited time:"
                + " rules[0].datacenter must be dc1; next attempt in 60 s");
    assertThat(modes.back()).isEqualTo(new ModeSwitch.Back(60, "enforce"));
    console.refusal = null;
    runNext();
    assertThat(console.log())
        .containsExactly("passthrough by me", "null by the live page, a minute after me");
    assertThat(modes.back()).isNull();
  }

  @Test
  void it_returns_by_itself_if_an_operators_return_is_refused() {
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    console.refusal = "no";
    set(modes, "enforce");
    assertThat(told.get(1)).isEqualTo("no");
    console.refusal = null;

    runNext();

    assertThat(console.log())
        .containsExactly("passthrough by me", "null by the live page, a minute after me");
  }

  @Test
  void a_refused_change_leaves_nothing_behind() {
    console.refusal = "no";
    ModeSwitch modes = holding(Duration.ofSeconds(60));
    set(modes, "passthrough");
    assertThat(told).containsExactly("no");
    assertThat(modes.back()).isNull();
    assertThat(later.getQueue()).isEmpty();
  }
}
