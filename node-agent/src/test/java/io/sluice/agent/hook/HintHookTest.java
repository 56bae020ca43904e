package io.sluice.agent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.hint.CurrentHint;
import io.sluice.agent.hint.Hint;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The precedence of hints for a range read while its rounds are sent. */
class HintHookTest {

  @AfterEach
  void forgetTheHint() {
    CurrentHint.set(null);
  }

  private static void request(Hint hint) {
    HintHook.requestBegins(Map.of("sluice", ByteBuffer.wrap(hint.bytes())));
  }

  @Test
  void without_a_hint_each_round_has_the_coordinators_width_and_nothing_is_left_of_it() {
    Object first = HintHook.roundBegins(3);
    assertThat(CurrentHint.get()).hasToString("width 3, rows 4294967295");
    HintHook.roundEnds(first);
    assertThat(CurrentHint.get()).isNull();

    HintHook.roundEnds(HintHook.roundBegins(7));
    assertThat(CurrentHint.get()).isNull();
  }

  @Test
  void a_hint_with_width_goes_before_the_coordinators() {
    request(Hint.of(2, 30));
    Object round = HintHook.roundBegins(9);
    assertThat(CurrentHint.get()).hasToString("width 2, rows 30");
    HintHook.roundEnds(round);
    assertThat(CurrentHint.get()).hasToString("width 2, rows 30");
  }

  @Test
  void a_hint_without_width_gets_that_of_each_round() {
    request(Hint.of(Hint.WIDTH_UNKNOWN, 30));
    Object first = HintHook.roundBegins(1);
    assertThat(CurrentHint.get()).hasToString("width 1, rows 30");
    HintHook.roundEnds(first);

    Object second = HintHook.roundBegins(16);
    assertThat(CurrentHint.get()).hasToString("width 16, rows 30");
    HintHook.roundEnds(second);
    assertThat(CurrentHint.get()).hasToString("width 0, rows 30");
  }
}
