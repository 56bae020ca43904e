package io.sluice.host.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class KernelValueTest {
  @Test
  void the_value_is_the_content_or_the_name_in_brackets() {
    assertThat(KernelValue.of("65530\n")).isEqualTo("65530");
    assertThat(KernelValue.of("none [mq-deadline] kyber bfq \n")).isEqualTo("mq-deadline");
    assertThat(KernelValue.of("write back\n")).isEqualTo("write back");
  }

  @Test
  void names_to_choose_from_are_there_only_with_brackets() {
    assertThat(KernelValue.choices("none [mq-deadline] bfq \n"))
        .containsExactly("none", "mq-deadline", "bfq");
    assertThat(KernelValue.choices("none\n")).isEmpty();
  }

  @Test
  void a_write_moves_the_brackets_and_nothing_else() throws IOException {
    assertThat(KernelValue.after("none [mq-deadline] kyber bfq \n", "bfq"))
        .isEqualTo("none mq-deadline kyber [bfq] \n");
    assertThat(KernelValue.after("[defer+madvise] defer never\n", "defer"))
        .isEqualTo("defer+madvise [defer] never\n");
    assertThat(KernelValue.after("20\n", "60")).isEqualTo("60\n");
    assertThat(KernelValue.after("20", "60")).isEqualTo("60");
  }

  @Test
  void a_name_that_is_not_offered_is_refused() {
    assertThatThrownBy(() -> KernelValue.after("none [mq-deadline]\n", "bfq"))
        .isInstanceOf(IOException.class);
  }
}
