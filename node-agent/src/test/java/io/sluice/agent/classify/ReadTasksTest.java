package io.sluice.agent.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.hint.CurrentHint;
import io.sluice.agent.hint.Hint;
import io.sluice.agent.queue.Priority;
import io.sluice.agent.queue.TaskClass;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.net.InboundMessageHandler.ProcessLargeMessage;
import org.apache.cassandra.net.InboundMessageHandler.ProcessSmallMessage;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.service.StorageProxy.LocalReadRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadTasksTest {
  private static final Runnable POINT = new LocalReadRunnable(new SinglePartitionReadCommand(1));

  private final ReadTasks tasks = new ReadTasks(true);

  /** A wrapper, like the different ones of each version. */
  private record Wrapper(Runnable inside) implements Runnable {
    @Override
    public void run() {
      inside.run();
    }
  }

  private record Call(Callable<?> call, Object other) implements Runnable {
    @Override
    public void run() {
      throw new AssertionError(call.toString() + other);
    }
  }

  private record Callback(Runnable task) implements Callable<Object> {
    @Override
    public Object call() {
      task.run();
      return this;
    }
  }

  @AfterEach
  void forgetTheHint() {
    CurrentHint.set(null);
  }

  @Test
  void a_local_read_of_one_partition_is_a_local_point_read() throws Exception {
    TaskClass found = tasks.classify(POINT);

    assertThat(found.priority()).isEqualTo(Priority.LOCAL_POINT);
    assertThat(found.deadlineNanos()).isEqualTo(5070);
  }

  @Test
  void a_read_that_loads_a_saved_cache_is_a_local_point_read_without_a_deadline() throws Exception {
    for (Callable<?> load : List.of(CacheService.load(), CacheService.loadByLambda())) {
      TaskClass found = tasks.classify(new Call(load, "state"));

      assertThat(found.priority()).isEqualTo(Priority.LOCAL_POINT);
      assertThat(found.deadlineNanos()).isEqualTo(TaskClass.NO_DEADLINE);
    }
  }

  @Test
  void a_local_range_read_has_a_width_guessed_from_its_rows() throws Exception {
    assertThat(tasks.classify(localRange(10))).hasToString("RANGE/1/10");
    assertThat(tasks.classify(localRange(5000))).hasToString("RANGE/6/5000");
    assertThat(tasks.classify(localRange(Integer.MAX_VALUE))).hasToString("RANGE/65535/2147483647");
  }

  @Test
  void the_hint_of_the_request_on_this_thread_overrides_the_guess() throws Exception {
    CurrentHint.set(Hint.of(3, 200));

    assertThat(tasks.classify(localRange(5000))).hasToString("RANGE/3/200");
    assertThat(tasks.classify(localRange(10))).hasToString("RANGE/3/10");
    assertThat(tasks.classify(POINT).priority()).isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void a_hint_without_width_has_rows_from_which_the_width_is_guessed() throws Exception {
    CurrentHint.set(Hint.of(Hint.WIDTH_UNKNOWN, 3000));

    assertThat(tasks.classify(localRange(5000))).hasToString("RANGE/4/3000");
  }

  @Test
  void a_message_of_another_node_is_a_remote_read() throws Exception {
    Message point = message("there", new SinglePartitionReadCommand(1), Map.of());
    Message range = message("there", new PartitionRangeReadCommand(7), Map.of());

    assertThat(tasks.classify(new ProcessSmallMessage(point)).priority())
        .isEqualTo(Priority.REMOTE_POINT);
    assertThat(tasks.classify(new ProcessSmallMessage(point)).deadlineNanos()).isEqualTo(99);
    assertThat(tasks.classify(new ProcessSmallMessage(range))).hasToString("RANGE/1/7");
  }

  @Test
  void a_message_of_the_node_to_itself_is_a_local_read() throws Exception {
    Message message = message("here", new SinglePartitionReadCommand(1), Map.of());

    assertThat(tasks.classify(new ProcessSmallMessage(message)).priority())
        .isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void the_hint_of_a_message_is_its_custom_parameter_not_the_threads() throws Exception {
    CurrentHint.set(Hint.of(99, 99));
    Map<String, byte[]> hint = Map.of("sluice", Hint.of(4, 30).bytes());
    Message range = message("there", new PartitionRangeReadCommand(70), hint);

    assertThat(tasks.classify(new ProcessSmallMessage(range))).hasToString("RANGE/4/30");
  }

  @Test
  void a_hint_is_not_used_if_hints_are_switched_off() throws Exception {
    ReadTasks without = new ReadTasks(false);
    Map<String, byte[]> hint = Map.of("sluice", Hint.of(4, 30).bytes());
    Message range = message("there", new PartitionRangeReadCommand(70), hint);
    CurrentHint.set(Hint.of(3, 200));

    assertThat(without.classify(localRange(5000))).hasToString("RANGE/6/5000");
    assertThat(without.classify(new ProcessSmallMessage(range))).hasToString("RANGE/1/70");
    assertThat(without.classify(large(Verb.RANGE_REQ, "there", hint)))
        .hasToString("RANGE/65535/2147483647");
    assertThat(tasks.classify(large(Verb.RANGE_REQ, "there", hint))).hasToString("RANGE/4/30");
  }

  @Test
  void a_hint_never_takes_a_range_out_of_its_priority() throws Exception {
    CurrentHint.set(Hint.of(0, -5));

    assertThat(tasks.classify(localRange(1))).hasToString("RANGE/1/0");
  }

  @Test
  void only_the_verb_of_a_large_message_is_known() throws Exception {
    assertThat(tasks.classify(large(Verb.READ_REQ, "there")).priority())
        .isEqualTo(Priority.REMOTE_POINT);
    assertThat(tasks.classify(large(Verb.READ_REQ, "here")).priority())
        .isEqualTo(Priority.LOCAL_POINT);
    assertThat(tasks.classify(large(Verb.RANGE_REQ, "there")).priority()).isEqualTo(Priority.RANGE);
    assertThat(tasks.classify(large(Verb.MUTATION_REQ, "there"))).isNull();
  }

  @Test
  void wrappers_are_opened_by_the_types_of_their_fields() throws Exception {
    Runnable wrapped = new Wrapper(new Call(new Callback(POINT), "other"));

    assertThat(tasks.classify(wrapped).priority()).isEqualTo(Priority.LOCAL_POINT);
  }

  @Test
  void not_more_than_five_wrappers_are_opened() throws Exception {
    Runnable five = POINT;
    for (int i = 0; i < 5; i++) {
      five = new Wrapper(five);
    }

    assertThat(tasks.classify(five)).isNotNull();
    assertThat(tasks.classify(new Wrapper(five))).isNull();
  }

  @Test
  void other_tasks_are_unknown() throws Exception {
    assertThat(tasks.classify("text")).isNull();
    assertThat(tasks.classify(new Wrapper(null))).isNull();
    assertThat(tasks.classify(new ProcessSmallMessage(message("there", "text", Map.of()))))
        .isNull();
  }

  @Test
  void a_read_without_its_command_names_the_missing_field() {
    assertThatThrownBy(() -> tasks.classify(new LocalReadRunnable(null)))
        .isInstanceOf(ReflectiveOperationException.class)
        .hasMessage("command");
  }

  private static Runnable localRange(int limit) {
    return new LocalReadRunnable(new PartitionRangeReadCommand(limit));
  }

  private static Message message(String from, Object payload, Map<String, byte[]> parameters) {
    return new Message(new Message.Header(Verb.READ_REQ, from, 99, parameters), payload);
  }

  private static Runnable large(Verb verb, String from) {
    return large(verb, from, Map.of());
  }

  private static Runnable large(Verb verb, String from, Map<String, byte[]> parameters) {
    return new ProcessLargeMessage(new Message.Header(verb, from, 99, parameters));
  }
}
