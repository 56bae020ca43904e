package io.sluice.agent.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.hint.Hint;
import io.sluice.agent.queue.Priority;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.transport.Message.Request;
import org.junit.jupiter.api.Test;

class RequestTasksTest {
  private final RequestTasks tasks = new RequestTasks(true);

  private record Processor(Object channel, Request request) implements Runnable {
    @Override
    public void run() {
      throw new AssertionError(channel.toString() + request);
    }
  }

  @Test
  void a_request_with_a_hint_is_a_range_read() throws Exception {
    ByteBuffer hint = ByteBuffer.wrap(Hint.of(2, 30).bytes());

    assertThat(tasks.classify(processor(Map.of("sluice", hint)))).hasToString("RANGE/2/30");
  }

  @Test
  void so_is_one_whose_hint_leaves_the_width_to_the_coordinator() throws Exception {
    ByteBuffer hint = ByteBuffer.wrap(Hint.of(Hint.WIDTH_UNKNOWN, 2500).bytes());

    assertThat(tasks.classify(processor(Map.of("sluice", hint)))).hasToString("RANGE/3/2500");
  }

  @Test
  void a_request_without_one_keeps_its_turn() throws Exception {
    assertThat(tasks.classify(processor(null)).priority()).isEqualTo(Priority.LOCAL_POINT);
    assertThat(tasks.classify(processor(Map.of())).priority()).isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void so_does_one_with_a_hint_if_hints_are_switched_off() throws Exception {
    ByteBuffer hint = ByteBuffer.wrap(Hint.of(2, 30).bytes());

    assertThat(new RequestTasks(false).classify(processor(Map.of("sluice", hint))).priority())
        .isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void a_request_is_found_in_what_a_lambda_holds() throws Exception {
    Request request = new Request(Map.of());
    Runnable lambda = () -> assertThat(request).isNull();

    assertThat(tasks.classify(lambda).priority()).isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void anything_else_is_unknown() throws Exception {
    assertThat(tasks.classify("text")).isNull();
  }

  private static Runnable processor(Map<String, ByteBuffer> payload) {
    return new Processor("channel", new Request(payload));
  }
}
