package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutOfMemoryTest {

  /**
   * Returns what the uncaught-exception handler receives when a thread passes {@code caught} on.
   */
  private static List<Throwable> told(Throwable caught) throws InterruptedException {
    List<Throwable> told = new ArrayList<>();
    Thread thread = new Thread(() -> OutOfMemory.handOn(caught));
    thread.setUncaughtExceptionHandler((which, thrown) -> told.add(thrown));
    thread.start();
    thread.join();
    return told;
  }

  @Test
  void an_out_of_memory_error_is_passed_on_however_it_is_wrapped() throws Exception {
    OutOfMemoryError missing = new OutOfMemoryError("Cannot reserve 16 bytes of direct memory");
    assertThat(told(missing)).containsExactly(missing);
    assertThat(told(new IllegalStateException(new RuntimeException(missing))))
        .containsExactly(missing);
  }

  @Test
  void other_errors_stay_where_they_were_caught() throws Exception {
    assertThat(told(new StackOverflowError())).isEmpty();
    IllegalStateException loop = new IllegalStateException("a");
    loop.initCause(new IllegalStateException("b", loop));
    assertThat(told(loop)).isEmpty();
  }
}
